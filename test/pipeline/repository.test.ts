/** Commits and their files as data, in real clones. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Git } from "../../src/state";
import { approvalsAt, Repository, requireLockedVersion, TOP } from "../../src/pipeline";
import { git, type GitRemote, gitRemotes } from "../support/git-remote";

const remotes = gitRemotes();

const open = (folder: string) => new Repository(folder, { PATH: process.env["PATH"] });

function committed(folder: string, files: Readonly<Record<string, string>>, push = true): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, "add", ".");
  git(folder, "commit", "-q", "-m", "change");
  if (push) git(folder, "push", "-q", "origin", "HEAD:main");
  return git(folder, "rev-parse", "HEAD");
}

function start(): { remote: GitRemote; folder: string } {
  const remote = remotes();
  return { remote, folder: remote.clone() };
}

test("a later commit counts only where it touches the project", async () => {
  const { folder } = start();
  const first = committed(folder, { "teams/a/x": "1", "teams/b/x": "1" });
  const elsewhere = committed(folder, { "teams/b/x": "2" });
  const repository = open(folder);
  expect(await repository.laterCommit(first, elsewhere, ["teams/a"])).toBeUndefined();
  const later = committed(folder, { "teams/a/x": "2" });
  expect(await repository.laterCommit(first, later, ["teams/a"])).toBe(later);
  expect(await repository.laterCommit(first, later, ["."])).toBe(later);
  // A path is a name, and no pattern.
  expect(await repository.laterCommit(first, later, ["teams/*"])).toBeUndefined();
  expect(await repository.differ(first, elsewhere, ["teams/a"])).toBe(false);
  expect(await repository.differ(first, elsewhere, ["teams/b"])).toBe(true);
});

test("an answer that Git cannot give is an error, never a no", async () => {
  const { folder } = start();
  const first = committed(folder, { x: "1" });
  const second = committed(folder, { x: "2" });
  const repository = open(folder);
  expect(await repository.isAncestor(first, second)).toBe(true);
  expect(await repository.isAncestor(second, first)).toBe(false);
  const error = expect.objectContaining({ code: "TENANCY_CI_GIT" }) as Error;
  await expect(repository.isAncestor("0".repeat(40), second)).rejects.toEqual(error);
  await expect(repository.laterCommit("0".repeat(40), second, ["."])).rejects.toEqual(error);
  await expect(repository.isAncestor("--all", second)).rejects.toEqual(error);
  await expect(repository.fetch("refs/heads/nowhere")).rejects.toEqual(error);
});

test("a shallow clone is refused, and yet the parents of its commit are known", async () => {
  const { remote, folder } = start();
  const first = git(folder, "rev-parse", "HEAD");
  const second = committed(folder, { x: "1" });
  const shallow = join(remote.folder, "shallow");
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${remote.bare}`, shallow]);
  await expect(open(shallow).requireWhole()).rejects.toThrow("the clone is shallow");
  await expect(open(folder).requireWhole()).resolves.toBeUndefined();
  expect(await open(shallow).parents(second)).toEqual([first]);
});

test("links are not regular, and a file of that name is read as it was committed", async () => {
  const { folder } = start();
  symlinkSync("/etc/passwd", join(folder, "link"));
  const commit = committed(folder, { "a b\n.txt": "text\n", "folder/x": "1" });
  const repository = open(folder);
  const entries = await repository.entries(commit, ".");
  expect(entries.map(({ path, isRegular }) => [path, isRegular])).toEqual([
    ["README.md", true],
    ["a b\n.txt", true],
    ["folder/x", true],
    ["link", false],
  ]);
  expect(await repository.text(commit, "a b\n.txt")).toBe("text\n");
  expect(await repository.text(commit, "link")).toBeUndefined();
  expect(await repository.text(commit, "folder")).toBeUndefined();
});

test("the header of the token is for the project's own address", () => {
  const { folder } = start();
  const environment = {
    PATH: process.env["PATH"],
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: "acme/platform",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_VALUE_0: "jane",
  };
  const host = { kind: "github", gitAuthorization: "Authorization: Basic x" } as const;
  // Git itself tells which settings count for an address.
  const settingsFor = (address: string) =>
    execFileSync("git", ["config", "--get-urlmatch", "http.extraHeader", address], {
      cwd: folder,
      encoding: "utf8",
      env: { ...environment, ...new Repository(folder, environment, host).environment },
    }).trim();
  expect(settingsFor("https://github.example/acme/platform")).toBe("Authorization: Basic x");
  expect(() => settingsFor("https://evil.example/acme/platform")).toThrow();
  expect(() => settingsFor("https://github.example/mallory/x")).toThrow();
});

test("the job of a GitLab runner pushes with the project's token, not with the job's", async () => {
  const { remote, folder } = start();
  const { address, pushes } = await remote.serve("project-token");
  // A runner names the remote like this.
  const origin = address.replace("//", "//gitlab-ci-token:job-token@");
  git(folder, "remote", "set-url", "origin", `${origin}.git`);
  const host = {
    kind: "gitlab",
    gitAuthorization: `Authorization: Basic ${Buffer.from("tenancy:project-token").toString("base64")}`,
  } as const;
  const environment = { PATH: process.env["PATH"], CI_PROJECT_URL: address };
  const repository = new Repository(folder, environment, host);
  expect(await repository.fetch("refs/heads/main")).toBe(git(folder, "rev-parse", "HEAD"));
  const runner = new Git(folder, repository.environment, "the state");
  const commit = await runner.commit(new Map([["state", { text: "1" }]]), [], "first");
  expect(await runner.push("origin", commit, "tenancy/production")).toEqual({ ok: true, words: "" });
  expect(new Set(pushes)).toEqual(new Set(["project-token"]));
});

test("approvals are those of the commit, whatever stands in the work tree", async () => {
  const { folder } = start();
  const commit = committed(folder, { "approvals/ended.yaml": "until: 2020-01-01\n" });
  writeFileSync(join(folder, "approvals/forged.yaml"), "forged");
  expect(await approvalsAt(open(folder), commit, TOP, new Date())).toEqual([]);
  const other = committed(folder, { "approvals/a.txt": "" });
  await expect(approvalsAt(open(folder), other, TOP, new Date())).rejects.toThrow(
    "no approval has such a name",
  );
});

test("the lock file of the default branch says which version may run", async () => {
  const { folder } = start();
  const own = { name: "tenancy", version: "1.2.3" };
  const lock = (version: string) => JSON.stringify({ packages: { "node_modules/tenancy": { version } } });
  const none = git(folder, "rev-parse", "HEAD");
  const same = committed(folder, { "package-lock.json": lock("1.2.3") });
  const other = committed(folder, { "package-lock.json": lock("1.2.4") });
  await expect(requireLockedVersion(open(folder), same, TOP, own)).resolves.toBeUndefined();
  await expect(requireLockedVersion(open(folder), other, TOP, own)).rejects.toThrow('has "1.2.4"');
  await expect(requireLockedVersion(open(folder), none, TOP, own)).rejects.toThrow("has none");
});

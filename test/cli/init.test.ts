/** `tenancy init`: covers src/cli/verbs/init.ts and src/cli/scaffold. */
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bin, name as packageName } from "../../package.json";
import { commandProjects } from "../support/command";

const start = commandProjects();
const answers = ["--base-url", "https://storage.example/api/"];

test("init makes a project, and says what comes next", async () => {
  const project = await start({ service: false });
  const { code, stdout, stderr } = await project.tenancy(["init", "My Platform", ...answers]);
  expect(code).toBe(0);
  const folder = join(project.folder, "My Platform");
  expect(stdout.trim().split("\n").sort()).toEqual((await filesIn(folder)).sort());
  expect(stderr).toContain("Next:\n\ncd 'My Platform'\nnpm install\nnpm test\nexport TENANCY_USERNAME=");
  expect(stderr).toContain("\nnpx tenancy plan\nnpx tenancy apply\n");
  expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({
    name: "my-platform",
  });
  expect(await readFile(join(folder, "main.ts"), "utf8")).toContain(
    'new Platform(app, "platform", "https://storage.example");',
  );
});

test("npx finds the command by the name of our own package, also where no project is", () => {
  expect(Object.keys(bin)).toEqual([packageName]);
});

test("what init makes runs its app with Node alone, and has the compiler for it", async () => {
  const project = await start({ service: false });
  await project.tenancy(["init", "platform", ...answers]);
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(project.folder, "platform", name), "utf8"));
  expect(await read("cdktf.json")).toMatchObject({
    app: "node --require tenancy/register main.ts",
  });
  expect(await read("package.json")).toMatchObject({
    devDependencies: { "@swc/core": expect.any(String) as string },
  });
});

test("init declares a stack for each environment, in the order of promotion, and applies one after the other", async () => {
  const project = await start({ service: false });
  const environments = ["staging=https://staging.example/api", "production=https://storage.example:8443"];
  const { code, stderr } = await project.tenancy([
    "init",
    ...["--code-owners", "@acme/storage"],
    ...environments.flatMap((text) => ["--environment", text]),
  ]);
  expect(code).toBe(0);
  expect(await readFile(join(project.folder, "main.ts"), "utf8")).toContain(
    `new Platform(app, "staging", "https://staging.example");
new Platform(app, "production", "https://storage.example:8443");
`,
  );
  const workflow = await readFile(join(project.folder, ".github/workflows/tenancy.yml"), "utf8");
  expect(workflow).toContain(
    "{ max-parallel: 1, fail-fast: true, matrix: { stack: [staging, production] } }",
  );
  expect(stderr).toContain(
    "gh variable set TENANCY_ALLOWED_ORIGINS --env production --body https://storage.example:8443\n",
  );
  const owners = await readFile(join(project.folder, ".github/CODEOWNERS"), "utf8");
  for (const path of ["/approvals/", "/.gitattributes", "/cdktf.json", "/.github/", "/CODEOWNERS"])
    expect(owners).toContain(`\n${path} @acme/storage\n`);
  for (const setting of ["environments/staging-read", "required_status_checks", "dismiss_stale_reviews"])
    expect(stderr).toContain(setting);
  // Of several stacks, one has to be named.
  expect(stderr).toContain("npx tenancy plan staging\n");
  const readme = await readFile(join(project.folder, "README.md"), "utf8");
  for (const words of ["doctor staging", "plan staging", "apply staging", "output staging csi_token"])
    expect(readme).toContain(`\nnpx tenancy ${words}`);
});

test.each([
  [["--environment", "Staging=https://a.example"], '"Staging" is no name of an environment'],
  [["--environment", "staging"], '--environment "staging" has no address'],
  [["--environment", "a=https://a.example", "--environment", "a=https://b.example"], '"a" is given twice'],
  [["--environment", "a=https://a.example", "--base-url", "https://b.example"], "and so does --base-url"],
  [["--ci", "jenkins", "--base-url", "https://b.example"], '--ci "jenkins" is not known'],
])("init refuses %j", async (words, problem) => {
  const project = await start({ service: false });
  const { code, stderr } = await project.tenancy(["init", ...words]);
  expect(code).toBe(1);
  expect(stderr).toContain(problem);
  expect(await filesIn(project.folder)).toEqual([]);
});

test("init writes no pipeline where none is wanted", async () => {
  const project = await start({ service: false });
  await project.tenancy(["init", "a", ...answers, "--ci", "none"]);
  expect((await filesIn(join(project.folder, "a"))).filter((file) => file.startsWith(".git"))).toEqual([
    ".gitignore",
  ]);
  expect(await readFile(join(project.folder, "a", "README.md"), "utf8")).not.toContain("pipelines");
});

test("in a subfolder of a repository the workflows go to its top, and what other projects share is not overwritten", async () => {
  const project = await start({ service: false });
  await project.write(".git/HEAD", "ref: refs/heads/main\n");
  const first = await project.tenancy(["init", "teams/one", ...answers, "--code-owners", "@acme/one"]);
  const second = await project.tenancy(["init", "teams/two", ...answers, "--code-owners", "@acme/two"]);
  expect([first.code, second.code]).toEqual([0, 0]);
  const read = (path: string) => readFile(join(project.folder, path), "utf8");
  expect(await read("teams/two/main.ts")).toContain("new Platform");
  expect(await read(".github/workflows/teams-one-tenancy.yml")).toContain('working-directory: "teams/one" }');
  expect(await read(".github/CODEOWNERS")).toContain("/teams/one/approvals/ @acme/one\n");
  // Git takes attributes from each folder on the way to a file.
  for (const folder of ["/", "/teams/", "/teams/one/"])
    expect(await read(".github/CODEOWNERS")).toContain(`\n${folder}.gitattributes @acme/one\n`);
  // By any of these npm would install another tool.
  for (const name of ["package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc"])
    expect(await read(".github/CODEOWNERS")).toContain(`/teams/one/${name} @acme/one\n`);
  expect(second.stderr).toContain("Add to .github/CODEOWNERS, which exists:");
  expect(second.stderr).toContain("/teams/two/approvals/ @acme/two\n");
  expect(second.stderr).toContain("environments/teams-two-platform-read");
  expect(second.stderr).toContain('"context": "tenancy/teams-two", "app_id": 15368');
  const again = await project.tenancy(["init", "teams/one", ...answers]);
  expect(again.stderr).toContain("teams/one/package.json");
});

test.each(["CODEOWNERS", "docs/CODEOWNERS"])(
  "init writes no second list of code owners, which would switch off the one in %s",
  async (path) => {
    const project = await start({ service: false });
    await project.write(".git/HEAD", "ref: refs/heads/main\n");
    await project.write(path, "* @acme/all\n");
    const { code, stderr } = await project.tenancy(["init", "one", ...answers]);
    expect(code).toBe(0);
    expect(stderr).toContain(`Add to ${path}, which exists:`);
    expect(await filesIn(join(project.folder, ".github"))).not.toContain("CODEOWNERS");
  },
);

test("init refuses a place in the repository that pipelines would read as something else", async () => {
  const project = await start({ service: false });
  await project.write(".git/HEAD", "ref: refs/heads/main\n");
  const { code, stderr } = await project.tenancy(["init", "my teams/$one", ...answers]);
  expect(code).toBe(1);
  expect(stderr).toContain('"my teams/$one", has characters that pipelines read differently');
  expect((await project.tenancy(["init", "my teams/$one", ...answers, "--ci", "none"])).code).toBe(0);
});

test("init writes pipelines for GitLab, and prints what GitLab has to be told", async () => {
  const project = await start({ service: false });
  const words = ["init", "a", ...answers, "--ci", "gitlab", "--code-owners", "@acme/storage"];
  const { code, stderr } = await project.tenancy(words);
  expect(code).toBe(0);
  const files = (await filesIn(join(project.folder, "a"))).filter((file) => file.startsWith(".git"));
  expect(files.sort()).toEqual([".gitignore", ".gitlab-ci.yml", ".gitlab/CODEOWNERS", ".gitlab/tenancy.yml"]);
  const owned = await readFile(join(project.folder, "a", ".gitlab/CODEOWNERS"), "utf8");
  // GitLab would read a list at the top, or in docs, in place of this one.
  for (const path of ["/.gitlab-ci.yml", "/.gitlab/", "/CODEOWNERS", "/docs/CODEOWNERS"])
    expect(owned).toContain(`\n${path} @acme/storage\n`);
  for (const setting of ["no_one_allowed", "code_owner_approval_required", '--description "tenancy review"'])
    expect(stderr).toContain(setting);
  const commands = /newer .*?:\n([^]*)$/.exec(stderr)?.[1] ?? "";
  expect(spawnSync("bash", ["-n"], { input: commands, encoding: "utf8" })).toMatchObject({
    stderr: "",
    status: 0,
  });
});

test("init overwrites nothing", async () => {
  const project = await start({ service: false });
  await project.write("main.ts", "mine");
  const { code, stderr } = await project.tenancy(["init", ...answers]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_FILE_UNUSABLE: main.ts: already exists; nothing is overwritten");
  expect(await filesIn(project.folder)).toEqual(["main.ts"]);
});

test("at a terminal init asks for what is missing, and elsewhere refuses to guess it", async () => {
  const project = await start({ service: false });
  const refused = await project.tenancy(["init", "a"]);
  expect(refused.stderr).toContain("Error TENANCY_USAGE: init needs --base-url");
  const asked = await project.tenancy(["init", "b"], { answer: "https://asked.example" });
  expect(asked.code).toBe(0);
  expect(await readFile(join(project.folder, "b", "main.ts"), "utf8")).toContain("https://asked.example");
});

test.each([
  "storage.example",
  "ftp://storage.example",
  "https://user:s3cret@storage.example",
  "http://storage.example",
])("init refuses what plan would refuse: %s is not the address of a service", async (url) => {
  const project = await start({ service: false });
  const { code, stderr } = await project.tenancy(["init", "--base-url", url]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Error TENANCY_INVALID_SETTING: --base-url`);
  expect(stderr).not.toContain("s3cret");
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

test.each(["github", "gitlab"])(
  "the set-up for %s never deletes the only copy of the state's key",
  async (ci) => {
    const project = await start({ service: false });
    const words = ["init", "team", "--base-url", "https://storage.example", "--ci", ci];
    const { code, stderr } = await project.tenancy(words);
    expect(code).toBe(0);
    expect(stderr).toContain("> state-key-platform");
    expect(stderr.split("\n").filter((line) => /^\s*rm .*state-key/.test(line))).toEqual([]);
    expect(stderr).toContain("password manager");
    expect(stderr).toContain("state status");
  },
);

test("with several stacks, the proof that a key opens the state names one, since each has its own key", async () => {
  const project = await start({ service: false });
  const environments = ["staging", "prod"].flatMap((name) => [
    "--environment",
    `${name}=https://${name}.example`,
  ]);
  const { stderr } = await project.tenancy(["init", "team", ...environments]);
  expect(stderr).toContain("npx tenancy state status STACK\n");
});

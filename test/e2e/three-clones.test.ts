/** Two people and a pipeline with three clones of one bare repository, whose hook refuses, delays and loses pushes: the state of a team, walked as a story. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { FaultyRemote } from "../torture/team/remote";
import { built, type Ended, type ProcessOptions, tenancy } from "../support/built-command";
import { CommandProject, tokens } from "../support/command";
import { git } from "../support/git-remote";
import { until } from "../support/until";
import { stateKey } from "../support/state-key";

beforeAll(() => built(), 300_000);

const KEY = stateKey("a key of the team, long enough");
const remote = new FaultyRemote();
let service: Simulator;
let team: Readonly<Record<"jane" | "joe" | "pipeline", string>>;

beforeAll(async () => {
  service = await startSimulator();
  team = { jane: remote.clone(), joe: remote.clone(), pipeline: remote.clone() };
});

afterAll(async () => {
  await service.close();
  remote.remove();
});

type Member = keyof typeof team;

/** Runs the command in the clone of a member. */
function run(who: Member, words: string, options: Omit<ProcessOptions, "folder"> = {}): Promise<Ended> {
  const environment = {
    ...{ TENANCY_BASE_URL: service.baseUrl, TENANCY_OWNER: "acme-platform", TENANCY_STATE_KEY: KEY },
    ...{ TENANCY_USERNAME: service.username, TENANCY_PASSWORD: service.password },
    ...(who === "pipeline" && { CI: "true" }),
  };
  return tenancy(words.split(" "), { folder: team[who], environment, ...options });
}

/** @returns all that it printed */
async function done(who: Member, words: string, code = 0): Promise<string> {
  const ended = await run(who, words);
  expect([`${who}: ${words}`, ended.code, ended.stdout + ended.stderr]).toEqual([
    `${who}: ${words}`,
    code,
    expect.any(String),
  ]);
  return ended.stdout + ended.stderr;
}

/** A member declares these tokens, and everybody has the commit. */
async function declared(who: Member, names: Readonly<Record<string, string>>): Promise<void> {
  const project = new CommandProject(team[who]);
  await project.declare({ platform: tokens(names) });
  await project.write("cdktf.json", {
    ...{ language: "typescript", app: "sh app.sh", projectId: "acme-platform" },
    context: { state: "git:origin/tenancy-state" },
  });
  writeFileSync(join(team[who], ".gitignore"), "cdktf.out\n.tenancy\n");
  git(team[who], "add", "--all");
  git(team[who], "commit", "--quiet", "--message", Object.keys(names).join(" "));
  remote.setFaults([]);
  git(team[who], "push", "--quiet", "origin", "HEAD:main");
  for (const folder of Object.values(team)) git(folder, "pull", "--quiet", "--ff-only", "origin", "main");
}

const created = () =>
  service.requests.filter(({ method, path }) => method === "POST" && path.startsWith("/api/authorization"));

/** The tokens that a member finds in the state. */
async function known(who: Member): Promise<readonly { readonly name: string; readonly serial: string }[]> {
  const { stdout } = await run(who, "token list --json");
  const [kept] = JSON.parse(stdout) as { tokens: { name: string; serial: string }[] }[];
  return kept?.tokens ?? [];
}

test("a team's day", async () => {
  // Jane makes the state. Her apply holds though the host takes its time.
  await declared("jane", { csi: "csi-prod" });
  await done("pipeline", "state init", 1);
  expect(await done("jane", "state init")).toContain("tenancy-state/platform");
  remote.setFaults([{ at: 1, times: 2, kind: "delayed" }]);
  await done("jane", "apply --yes");
  expect(await done("joe", "plan")).toContain("No changes.");
  expect(await done("pipeline", "plan")).toContain("No changes.");

  // Joe's first push is refused, and the answer to another one is lost: he has the token all the same, and so have the others.
  await declared("joe", { csi: "csi-prod", backup: "csi-backup" });
  remote.setFaults([
    { at: 1, times: 1, kind: "refused" },
    { at: 3, times: 1, kind: "lost" },
  ]);
  await done("joe", "apply --yes");
  remote.setFaults([]);
  for (const who of ["jane", "joe", "pipeline"] as const)
    expect((await known(who)).map(({ name }) => name).toSorted()).toEqual(["csi-backup", "csi-prod"]);
  expect(await done("pipeline", "apply --yes")).toContain("No changes.");

  // The pipeline's runner dies while the service creates a token.
  await declared("jane", { csi: "csi-prod", backup: "csi-backup", audit: "csi-audit" });
  const hanging = service.fail({ method: "POST", path: /^\/api\/authorization/, when: "after", hang: true });
  let isKilled = false;
  const killed = await run("pipeline", "apply --yes", {
    onOutput: (_, child) => {
      if (isKilled) return;
      isKilled = true;
      void until(() => hanging.strikes > 0).then(() => child.kill("SIGKILL"));
    },
  });
  expect(killed.code).toBe(137);
  service.clearFaults();
  expect(await done("jane", "apply --yes --lock-timeout 0s", 1)).toContain("TENANCY_STATE_LOCKED");
  expect(await done("joe", "plan")).toContain("csi-audit");
  const [, holder = ""] = /held +by run ([\w-]+)/.exec(await done("jane", "state status")) ?? [];
  expect(holder).not.toBe("");
  await done("jane", `state unlock ${holder} --yes`);
  expect(await done("joe", "plan")).toContain("TENANCY_OPEN_INTENT");
  await done("joe", "apply --yes");

  // Of two applies at once the second waits, and finds nothing to do; one that may not wait is refused. Nothing is written twice.
  await declared("joe", { csi: "csi-prod", backup: "csi-backup", audit: "csi-audit", spare: "csi-spare" });
  const before = created().length;
  service.fail({ method: "POST", path: /^\/api\/authorization/, delay: 6_000 });
  let others: Promise<readonly [Ended, Ended]> | undefined;
  const first = await run("jane", "apply --yes", {
    onOutput: (printed) => {
      if (printed.includes("reading "))
        others ??= Promise.all([
          run("pipeline", "apply --yes --lock-timeout 5m"),
          run("joe", "apply --yes --lock-timeout 0s"),
        ]);
    },
  });
  const [waiting, refused] = (await others) ?? [];
  expect([first.code, first.stderr]).toEqual([0, expect.any(String)]);
  expect(waiting).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") as string });
  expect(waiting?.stderr).toMatch(/waiting up to 5m for another run/);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("TENANCY_STATE_LOCKED") as string,
  });
  expect(created()).toHaveLength(before + 1);

  // In the evening every live token is one that the state has, but for the one of the runner that died: of that one there is a note.
  const serials = new Set((await known("pipeline")).map(({ serial }) => serial));
  expect(serials.size).toBe(4);
  const unknown = service.records.authorizations.filter(({ serial }) => !serials.has(serial));
  expect(unknown).toHaveLength(1);
  expect(await done("joe", "plan")).toContain("TENANCY_OPEN_INTENT");
});

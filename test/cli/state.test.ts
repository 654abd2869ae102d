/** The team's state, as a colleague meets it: covers src/cli/verbs/state.ts with src/engine/state-care.ts, with real git. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apply, close, plan, stateStatus } from "../../src/engine";
import { stateReplayed } from "../../src/problems";
import type { Simulator } from "../../src/lib/simulator";
import { accounts, CommandProject, commandProjects, type Printed, tokens } from "../support/command";
import { git, type GitRemote, gitRemotes } from "../support/git-remote";
import { stateKey } from "../support/state-key";

jest.setTimeout(300_000);

const remotes = gitRemotes();
const start = commandProjects();
const KEY = stateKey("a key of the team, long enough");
const STATE = "refs/heads/tenancy-state/prod";

interface Team {
  readonly remote: GitRemote;
  /** A colleague with a fresh clone. */
  readonly join: (environment?: Readonly<Record<string, string>>) => CommandProject;
  readonly jane: CommandProject;
  readonly service: Simulator;
}

/** A project on a remote, whose state is on a branch; its stack declares a machine user with a token. */
async function team(config: object = {}): Promise<Team> {
  const remote = remotes();
  const service = await start();
  const first = new CommandProject(remote.clone(), {});
  await first.declare({ prod: tokens({ csi: "prod" }) });
  await first.write("cdktf.json", {
    language: "typescript",
    app: "sh app.sh",
    projectId: "acme-platform",
    context: { state: "git:origin/tenancy-state" },
    ...config,
  });
  writeFileSync(join(first.folder, ".gitignore"), "cdktf.out/\n");
  git(first.folder, "add", ".");
  git(first.folder, "commit", "-q", "-m", "project");
  git(first.folder, "push", "-q", "origin", "HEAD:main");
  const joining = (environment: Readonly<Record<string, string>> = { TENANCY_STATE_KEY: KEY }) =>
    new CommandProject(remote.clone(), { ...service.environment, ...environment });
  const jane = joining();
  if (!("context" in config)) expect(await jane.tenancy(["state", "init"])).toMatchObject({ code: 0 });
  return { remote, join: joining, jane, service: service.service };
}

function expectCode(printed: Printed, code: number): string {
  expect(printed).toMatchObject({ code });
  return `${printed.stdout}${printed.stderr}`;
}

test("a colleague clones, has the key, looks at the state, plans and applies", async () => {
  const { remote, join: joining, jane } = await team();
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  expect(remote.git("log", "--format=%s", STATE).replace(/ \w+/g, "").split("\n")).toEqual(
    expect.arrayContaining(["end", "intents", "begin"]) as string[],
  );

  const joe = joining();
  const status = expectCode(await joe.tenancy(["state", "status"]), 0);
  expect(status).toContain("git:origin/tenancy-state/prod");
  expect(status).toContain("opens it");
  expect(status).toMatch(/tokens +1/);
  expect(expectCode(await joe.tenancy(["plan", "--detailed-exitcode"]), 0)).toContain("No changes");
  expect(expectCode(await joe.tenancy(["token", "list"]), 0)).toContain("csi@acme");

  const another = joining({ TENANCY_STATE_KEY: stateKey("another key of the team") });
  expect(expectCode(await another.tenancy(["state", "status"]), 1)).toContain("TENANCY_STATE_KEY_WRONG");
  expect(expectCode(await another.tenancy(["apply", "--yes"]), 1)).toContain("TENANCY_STATE_KEY_WRONG");
});

test("the status of all states shows each state that opens, and the fault of each other one", async () => {
  const { remote, jane } = await team();
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  await jane.declare({ dev: tokens({ csi: "dev" }), prod: tokens({ csi: "prod" }) });
  await jane.write("cdktf.json", {
    ...{ language: "typescript", app: "sh app.sh", projectId: "acme-platform" },
    context: { state: "git:origin/tenancy-state" },
  });
  const status = await jane.tenancy(["state", "status"]);
  expect(status).toMatchObject({ code: 1 });
  expect(status.stdout).toMatch(/tenancy-state\/prod\n[^]*opens it/);
  expect(status.stderr).toContain("TENANCY_STATE_BRANCH_MISSING");
  expect(status.stderr).toContain("tenancy state init dev");

  const clone = remote.clone();
  git(clone, "fetch", "-q", "origin", STATE);
  git(clone, "checkout", "-q", "FETCH_HEAD");
  writeFileSync(join(clone, "head.json"), "");
  git(clone, "commit", "-q", "-a", "-m", "damage");
  git(clone, "push", "-q", "origin", `HEAD:${STATE}`);
  const damaged = expectCode(await jane.tenancy(["state", "status", "prod"]), 1);
  expect(damaged).toContain("TENANCY_STATE_CORRUPT");
  expect(damaged).toContain("accept it with: tenancy state accept prod");
});

test("an app that makes one stack in each run heeds the other one's state, and says where that does not open", async () => {
  const { jane, join: joining, service } = await team();
  const make = async (project: CommandProject, stack: string, name: string) => {
    await project.declare({ [stack]: accounts(name) });
    git(project.folder, "checkout", "-q", "cdktf.json");
    return project.tenancy(["state", "init"]);
  };
  const flags = ["--allow-account-deletion", "--allow-nonempty", "--max-deletes", "9"];
  const apply = (project: CommandProject) => project.tenancy(["apply", "--yes", ...flags]);
  const names = () => service.records.accounts.map(({ name }) => name);
  // The pipeline of production has no other key than its own.
  const pipeline = joining({ TENANCY_STATE_KEY__PRODUCTION: KEY });
  const snapshot = join(pipeline.folder, "snapshot.json");
  expectCode(await make(jane, "test", "globex"), 0);
  expectCode(await apply(jane), 0);
  // The state of production has recorded an account that the other stack has taken over.
  const { id } = service.records.account("globex");
  const importing = { ...accounts("acme", "globex"), import: [{ to: "tenancy_account.globex", id }] };
  await jane.declare({ production: importing });
  git(jane.folder, "checkout", "-q", "cdktf.json");
  expectCode(await jane.tenancy(["state", "init"]), 0);
  expectCode(await apply(jane), 0);
  expectCode(await make(pipeline, "production", "acme"), 0);
  expectCode(await make(jane, "production", "acme"), 0);
  const fromSnapshot = ["plan", ...flags, "--from-snapshot", snapshot];
  const unknown = "TENANCY_OTHER_STATE_CLOSED";
  const commands = [["plan", ...flags], ["plan", "--destroy", ...flags], fromSnapshot];
  for (const [project, isKnown] of [
    [jane, true],
    [pipeline, false],
  ] as const) {
    expectCode(await project.tenancy(["snapshot", "--out", snapshot]), 0);
    for (const command of commands) {
      const said = expectCode(await project.tenancy(command), 0);
      expect(said.includes('the stack "test" declares it')).toBe(isKnown);
      expect(said.includes(unknown)).toBe(!isKnown);
    }
    expect(expectCode(await project.tenancy(["plan", "--no-prune"]), 0)).not.toContain(unknown);
  }
  const withoutKey = joining({});
  await withoutKey.declare({ production: accounts("acme") });
  git(withoutKey.folder, "checkout", "-q", "cdktf.json");
  const blind = expectCode(await withoutKey.tenancy(["plan", ...flags]), 1);
  expect(blind).toContain("More changes are not known without the state");

  expect(expectCode(await apply(jane), 0)).toContain('the stack "test" declares it');
  expect(names()).toContain("globex");
  const remove = ["state", "rm", "--stack", "test"];
  expect(expectCode(await jane.tenancy(remove, { answer: "no" }), 1)).toContain("Nothing was done");
  const retired = expectCode(await jane.tenancy(remove, { answer: "yes" }), 0);
  expect(retired).toMatch(/Took the stack test out of[^]*tenancy-state\/test/);
  const warned = expectCode(await apply(pipeline), 0);
  expect(warned).toContain(unknown);
  expect(warned).toContain("TENANCY_STATE_KEY__TEST");
  expect(names()).not.toContain("globex");
});

test("a new branch keeps nothing for users who are live; the message does not say that it is missing", async () => {
  const { remote, join: joining, jane } = await team();
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  remote.git("update-ref", "-d", STATE);
  const joe = joining();
  expectCode(await joe.tenancy(["state", "init"]), 0);
  expectCode(await joe.tenancy(["recover", "--yes"]), 0);
  const refused = expectCode(await joe.tenancy(["plan"]), 1);
  expect(refused).toContain(
    "TENANCY_STATE_ABSENT: when the state git:origin/tenancy-state/prod was made, users of",
  );
});

test("a run that only revokes a token is written down before it does", async () => {
  const { remote, jane, service } = await team();
  const declare = async (names: Readonly<Record<string, string>>) => {
    await jane.declare({ prod: tokens(names) });
    git(jane.folder, "checkout", "-q", "cdktf.json");
  };
  await declare({ csi: "prod", spare: "spare" });
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  await declare({ csi: "prod" });
  const written: string[] = [];
  service.fail({
    method: "DELETE",
    // Only looks, and strikes nothing.
    where: () => written.push(remote.git("log", "-1", "--format=%s", STATE)) === 0,
  });
  expect(expectCode(await jane.tenancy(["apply", "--yes"]), 0)).toContain("1 deleted");
  expect(written).toEqual([expect.stringMatching(/^intents /)]);
});

test("without the key a plan and drift say what they do not know, and nothing is saved or applied", async () => {
  const { join: joining, jane } = await team();
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  const stranger = joining({ TENANCY_STATE_KEY: stateKey("another key of the team") });
  for (const verb of ["plan", "drift"])
    expect(expectCode(await stranger.tenancy([verb]), 1)).toContain("TENANCY_STATE_KEY_");
  for (const joe of [joining({})]) {
    const printed = await joe.tenancy(["plan", "--detailed-exitcode"]);
    const said = expectCode(printed, 1);
    expect(said).toContain("TENANCY_STATE_CLOSED");
    expect(said).toContain("Made without the state: imports, tokens");
    expect(said).toContain("More changes are not known without the state.");
    expect(said).toMatch(/Not known without the state: .*csi@acme\/prod/);
    expect(said).toContain("--from-snapshot");
    expect(said).not.toContain("init-state");
    expect(expectCode(await joe.tenancy(["plan", "--out", "plan.json"]), 1)).toContain("TENANCY_STATE_KEY_");
    expect(expectCode(await joe.tenancy(["apply", "--yes"]), 1)).toContain("TENANCY_STATE_KEY_");
    const looked = await joe.tenancy(["drift"]);
    expect(expectCode(looked, 1)).toContain("without the state");
    expect(looked.stdout).not.toContain("apply would undo");
  }
});

test("a run that died is shown, waited for, and ended by hand", async () => {
  const { remote, join: joining, jane } = await team();
  // The runner dies after its second push.
  remote.hook(`if [ "$(git rev-list --count ${STATE})" -ge 3 ]; then exit 1; fi`);
  const died = expectCode(await jane.tenancy(["apply", "--yes"]), 1);
  expect(died).toContain("TENANCY_STATE_GIT");
  remote.dropHook();

  const joe = joining();
  const { stdout } = await joe.tenancy(["state", "status", "--json"]);
  const [{ holder }] = JSON.parse(stdout) as [{ holder: { run: string } }];
  expect(expectCode(await joe.tenancy(["state", "unlock", "another", "--yes"]), 1)).toContain(
    "TENANCY_UNKNOWN_NAME",
  );
  expectCode(await joe.tenancy(["state", "unlock", holder.run, "--yes"]), 0);
  expect(expectCode(await joe.tenancy(["state", "status"]), 0)).not.toContain("held");
});

test("a new key opens what the old one did not write; exposed tokens are told until they are rotated", async () => {
  const { join: joining, jane } = await team();
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  const next = stateKey("the next key");
  const changing = joining({ TENANCY_STATE_KEY: next, TENANCY_PREVIOUS_STATE_KEY: KEY });
  expect(expectCode(await changing.tenancy(["state", "rekey"]), 0)).toContain("1 token exposed");

  expect(expectCode(await jane.tenancy(["apply", "--yes"]), 1)).toContain("TENANCY_STATE_KEY_WRONG");
  const joe = joining({ TENANCY_STATE_KEY: next });
  expect(expectCode(await joe.tenancy(["plan"]), 0)).toContain("TENANCY_TOKEN_EXPOSED");
  expect(expectCode(await joe.tenancy(["state", "status"]), 0)).toContain("exposed");
  const exposures = async () =>
    expectCode(await joe.tenancy(["report", "--json"]), 0).match(/"kind": ?"exposed_token"/g);
  expect(await exposures()).toHaveLength(1);
  expectCode(await joe.tenancy(["token", "rotate", "--exposed", "--yes"]), 0);
  expect(expectCode(await joe.tenancy(["plan"]), 0)).not.toContain("TENANCY_TOKEN_EXPOSED");
  expect(await exposures()).toBeNull();
  expect(expectCode(await joe.tenancy(["token", "rotate", "--exposed", "--yes"]), 0)).toContain(
    "no exposed token",
  );
});

test("a state in a file is copied to a branch, and a sealed one never to a plain file", async () => {
  const { jane, join: joining } = await team({ context: {} });
  const plain = new CommandProject(jane.folder, { ...jane.environment, TENANCY_STATE_KEY: "" });
  expectCode(await plain.tenancy(["apply", "--yes"]), 0);
  const copied = expectCode(
    await jane.tenancy(["state", "copy", ".tenancy/state.json", "git:origin/tenancy-state"]),
    1,
  );
  expect(copied).toContain("TENANCY_STATE_PLAIN");
  expectCode(await jane.tenancy(["apply", "--yes", "--encrypt-state"]), 0);
  expectCode(await jane.tenancy(["state", "copy", ".tenancy/state.json", "git:origin/tenancy-state"]), 0);
  const joe = joining();
  const state = ["--state", "git:origin/tenancy-state"];
  expect(expectCode(await joe.tenancy(["plan", ...state]), 0)).toContain("No changes");
  const leaking = new CommandProject(joe.folder, {
    ...joe.environment,
    TENANCY_STATE_KEY: "",
    TENANCY_STATE_KEY__PROD: KEY,
  });
  expect(
    expectCode(await leaking.tenancy(["state", "copy", "git:origin/tenancy-state", "plain.json"]), 1),
  ).toContain("TENANCY_STATE_KEY_MISSING");
  expectCode(await leaking.tenancy(["plan", ...state]), 0);
});

test("entries on branches are moved to another stack by hand, with the token", async () => {
  const { jane } = await team();
  const apps = {
    before: { prod: tokens({ csi: "prod" }), other: accounts() },
    after: { prod: accounts(), other: tokens({ csi: "prod" }) },
  };
  const declare = async (stacks: (typeof apps)["before" | "after"]) => {
    await jane.declare(stacks);
    await jane.write("cdktf.json", {
      ...{ language: "typescript", app: "sh app.sh", projectId: "acme-platform" },
      context: { state: "git:origin/tenancy-state" },
    });
  };
  await declare(apps.before);
  expectCode(await jane.tenancy(["state", "init"]), 0);
  expectCode(await jane.tenancy(["apply", "--yes", "prod", "other"]), 0);
  const moving = ["state", "mv", "csi@acme", "--from", "prod", "--to", "other"];
  await declare(apps.after);
  expect(expectCode(await jane.tenancy(moving), 1)).toContain("TENANCY_CONFIRMATION_NEEDED");
  expect(expectCode(await jane.tenancy([...moving, "--yes"]), 0)).toContain(
    "Moved to other: csi@acme, csi@acme/prod.",
  );
  expect(expectCode(await jane.tenancy([...moving, "--yes"]), 1)).toContain("TENANCY_USAGE");
  expect(expectCode(await jane.tenancy(["token", "list", "other"]), 0)).toContain("csi@acme/prod");
});

test("a person at a terminal accepts a version that was restored; a pipeline makes and accepts none", async () => {
  const { remote, jane } = await team();
  const before = remote.git("rev-parse", STATE);
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  remote.git("update-ref", STATE, before);
  expect(expectCode(await jane.tenancy(["apply", "--yes"]), 1)).toContain("TENANCY_STATE_REPLAYED");
  expectCode(await jane.tenancy(["state", "accept"]), 1);
  expectCode(await jane.tenancy(["state", "accept"], { answer: "no" }), 1);
  expectCode(await jane.tenancy(["state", "accept"], { answer: "yes" }), 0);
  expect(expectCode(await jane.tenancy(["plan"]), 1)).toContain("TENANCY_UNMANAGED");
  expectCode(await jane.tenancy(["recover", "--yes"]), 0);
  expect(expectCode(await jane.tenancy(["plan"]), 1)).toContain("TENANCY_STATE_ABSENT");
  const ci = new CommandProject(jane.folder, { ...jane.environment, CI: "true" });
  expectCode(await ci.tenancy(["state", "init"]), 1);
  expectCode(await ci.tenancy(["plan", "--encrypt-state"]), 1);
});

test("a pipeline, whose clone has seen nothing, knows by the newest snapshot that the state is an earlier one", async () => {
  const { remote, join: joining, jane } = await team();
  const before = remote.git("rev-parse", STATE);
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  expectCode(await jane.tenancy(["snapshot", "--out", "snapshot.json"]), 0);
  expectCode(await jane.tenancy(["synth"]), 0);
  const file = join(jane.folder, "snapshot.json");
  const stack = { name: "prod", outdir: join(jane.folder, "cdktf.out") };
  const optionsAt = ({ folder, environment }: CommandProject) => ({
    environment: { PATH: process.env["PATH"], ...environment },
    projectFolder: folder,
    state: { path: "git:origin/tenancy-state", project: "acme-platform", seenIn: { file }, commit: "c0ffee" },
  });
  const pipeline = optionsAt(joining());
  const status = await stateStatus(stack, pipeline);
  expect(status).toMatchObject({ commit: null, historySize: expect.any(Number) as number });
  expect(status.historySize).toBeGreaterThan(1_000);

  // What was applied last is noted, also where nothing had to be changed.
  const nothing = await plan(stack, { ...pipeline, lockState: true });
  expect(await apply(nothing)).toMatchObject({ ok: true, applied: [] });
  expect(await stateStatus(stack, pipeline)).toMatchObject({ commit: "c0ffee", holder: null });
  await close(
    await plan(stack, { ...pipeline, state: { ...pipeline.state, commit: "later" }, lockState: true }),
  );
  expect(await stateStatus(stack, pipeline)).toMatchObject({ commit: "c0ffee" });

  remote.git("update-ref", STATE, before);
  const code = stateReplayed.code;
  await expect(stateStatus(stack, optionsAt(joining()))).rejects.toMatchObject({ code });
  remote.git("update-ref", "-d", STATE);
  await expect(stateStatus(stack, optionsAt(joining()))).rejects.toMatchObject({ code });
});

test.each([
  ["helper:touch pwned", "must not choose a program"],
  ["git:--upload-pack=touch pwned/main", "remote"],
  ["git:origin/-d", "branch"],
  ["git:origin/main", "default branch"],
  ["git:ext::sh/main", "remote"],
])("cdktf.json may not say %s", async (state, words) => {
  const { jane } = await team();
  await jane.write("cdktf.json", {
    language: "typescript",
    app: "sh app.sh",
    projectId: "acme-platform",
    context: { state },
  });
  const said = expectCode(await jane.tenancy(["plan"]), 1);
  expect(said).toContain("TENANCY_INVALID_SETTING");
  expect(said).toContain(words);
});

test("a new key is long, random, and alone on standard output", async () => {
  const project = await start({ service: false });
  const [first, second] = [await project.tenancy(["key", "new"]), await project.tenancy(["key", "new"])];
  expect(first.stdout).toMatch(/^tenancy-key-[\w-]{49}\n$/);
  expect(first.stdout).not.toBe(second.stdout);
  expect(first.stderr).toBe("");
});

test("a privilege that is accepted by one colleague is accepted for all", async () => {
  const { remote, join: joining, jane, service } = await team();
  expectCode(await jane.tenancy(["apply", "--yes"]), 0);
  service.records.patchProfile("acme", { level: 70 });
  const accepted = await jane.tenancy(["drift", "--accept", "acme.level"]);
  expect(expectCode(accepted, 0)).toContain("Accepted: acme.level.");
  expect(expectCode(await joining().tenancy(["drift"]), 0)).toContain("No drift.");
  // The lock has ended.
  expect(remote.git("log", "-1", "--format=%s", STATE)).toContain("end");
});

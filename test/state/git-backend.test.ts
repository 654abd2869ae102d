/** The state on a branch: covers src/state/git.ts, git-branch.ts, git-backend.ts and split-document.ts, with real git. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { partName, openState, Sealer } from "../../src/state";
import {
  stateBranchMissing,
  stateGitFailed,
  stateLocked,
  stateMoved,
  stateReplayed,
  unfitStatePlace,
  wrongStateKey,
} from "../../src/problems";
import { git, gitRemotes, type GitRemote } from "../support/git-remote";
import { remember } from "../support/memories";
import { at, failure, keepToken, KEY, made, STATE, tipOf, tokensAt } from "./branch";
import { csiToken, intent, jane, ORIGIN, OWNER } from "./samples";
import { stateKey } from "../support/state-key";

jest.setTimeout(300_000);

const start = gitRemotes();
const messages = (remote: GitRemote) =>
  remote
    .git("log", "--format=%s", STATE)
    .split("\n")
    .map((line) => line.split(" ")[0]);

test("a branch is made once, by name, and never read as if it were there", async () => {
  const remote = start();
  const clone = remote.clone();
  expect(await failure(() => tokensAt(at(clone)))).toMatchObject({ code: stateBranchMissing.code });
  expect(await at(clone).initBranch()).toBe(true);
  expect(await at(clone).initBranch()).toBe(false);
  expect(await tokensAt(at(clone))).toEqual([]);
  expect(git(clone, "status", "--porcelain")).toBe("");
  expect(git(clone, "branch", "--list", "tenancy*")).toBe("");
});

test("what one clone keeps, the others find; the branch tells begin, intents and end", async () => {
  const { remote, clone } = await made(start());
  const state = at(clone);
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  part.intents.put(intent);
  remember(part, jane, (draft) => draft.noteValue(["sms"], "+41 79 123 45 67"));
  await state.save();
  part.intents.remove(intent);
  part.tokens.put(csiToken);
  await state.saveLast();
  await state.unlock();

  expect(messages(remote)).toEqual(["end", "intents", "begin", "end"]);
  const others = at(remote.clone());
  const found = await others.part(partName(ORIGIN, OWNER, "tenancy"));
  expect(found.tokens.list()).toEqual([csiToken]);
  expect(found.objects.isSameValue(jane, ["sms"], "+41 79 123 45 67")).toBe(true);
  expect(remote.git("ls-tree", "--name-only", STATE).split("\n")).toEqual([
    "head.json",
    "objects.json",
    "secrets.json",
  ]);
  for (const file of ["head.json", "objects.json", "secrets.json"])
    expect(remote.git("show", `${STATE}:${file}`)).not.toContain("csi@");
});

test("after a run that was killed, the next clone knows its intents and what it remembered", async () => {
  const { remote, clone } = await made(start());
  const killed = at(clone);
  await killed.lock();
  const part = await killed.part(partName(ORIGIN, OWNER, "tenancy"));
  part.intents.put(intent);
  remember(part, jane, (draft) => draft.noteValue(["sms"], "+41 79 123 45 67"));
  await killed.save();

  const other = at(remote.clone());
  const refused = await failure(() => other.lock({ timeout: 0 }));
  expect(refused).toMatchObject({ code: stateLocked.code });
  const { holder } = (refused as { facts: { holder: { run: string; host: string } } }).facts;
  expect((refused as Error).message).toContain(`run ${holder.run}`);
  expect(await other.endRun("another")).toMatchObject({ run: holder.run });
  expect(await other.endRun(holder.run)).toMatchObject({ run: holder.run });
  await other.lock({ timeout: 0 });
  const found = await other.part(partName(ORIGIN, OWNER, "tenancy"));
  expect(found.intents.list()).toEqual([intent]);
  expect(found.objects.isSameValue(jane, ["sms"], "+41 79 123 45 67")).toBe(true);
  await other.unlock();

  // The run that was believed to be dead wakes up: what it has is kept beside.
  part.tokens.put(csiToken);
  const woken = await failure(() => killed.saveLast());
  expect(woken).toMatchObject({ code: stateMoved.code });
  const conflict = `tenancy-state-conflict-${holder.run}`;
  expect((woken as Error).message).toContain(conflict);
  expect(remote.git("for-each-ref", "--format=%(refname:short)")).toContain(conflict);

  // The way on that the message names.
  remote.git("update-ref", STATE, `refs/heads/${conflict}`);
  expect(await failure(() => other.part(partName(ORIGIN, OWNER, "tenancy")))).toMatchObject({
    code: stateReplayed.code,
  });
  await at(remote.clone()).acceptBranch();
  for (const state of [other, at(clone)]) expect(await tokensAt(state)).toEqual([csiToken]);
});

test("of two runs at once one waits, and a plan waits for nobody", async () => {
  const { remote, clone } = await made(start());
  const [first, second, reader] = [at(clone), at(remote.clone()), at(remote.clone())];
  await first.lock();
  let isTold = false;
  const waiting = second.lock({ timeout: 30_000, onWait: () => (isTold = true) });
  expect(await tokensAt(reader)).toEqual([]);
  (await first.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await first.save();
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await first.unlock();
  await waiting;
  expect(isTold).toBe(true);
  expect(await tokensAt(second)).toEqual([csiToken]);
  await second.unlock();
  const both = await Promise.allSettled([
    at(clone).lock({ timeout: 0 }),
    at(remote.clone()).lock({ timeout: 0 }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

describe("pushes that fail", () => {
  test("before the first write, the run stops and nothing is held", async () => {
    const { remote, clone } = await made(start());
    remote.hook("exit 1");
    expect(await failure(() => at(clone).lock())).toMatchObject({ code: stateGitFailed.code });
    remote.dropHook();
    await keepToken(at(remote.clone()));
  });

  test("whose answer was lost count as done", async () => {
    const { remote, clone } = await made(start());
    remote.hook("kill -9 $PPID; sleep 1", "post-receive");
    await keepToken(at(clone));
    remote.dropHook("post-receive");
    expect(await tokensAt(at(remote.clone()))).toEqual([csiToken]);
  });

  test("in the middle, the run does not end as if all were kept", async () => {
    const { remote, clone } = await made(start());
    const state = at(clone);
    await state.lock();
    const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
    part.intents.put(intent);
    await state.save();
    remote.hook("exit 1");
    part.tokens.put(csiToken);
    expect(await failure(() => state.saveLast())).toMatchObject({ code: stateGitFailed.code });
    remote.dropHook();
    expect(await failure(() => state.unlock())).toMatchObject({ code: stateGitFailed.code });
    expect(await failure(() => at(remote.clone()).lock({ timeout: 0 }))).toMatchObject({
      code: stateLocked.code,
    });
    expect((await at(clone).part(partName(ORIGIN, OWNER, "tenancy"))).intents.list()).toEqual([intent]);
  });

  test("a branch that moved before the first write stops the run", async () => {
    const { remote, clone } = await made(start());
    const state = at(clone);
    await state.lock();
    await state.part(partName(ORIGIN, OWNER, "tenancy"));
    const { holder } = await at(remote.clone()).branchStatus();
    await at(remote.clone()).endRun(holder?.run ?? "");
    // Also a run that has nothing to note, because it only revokes.
    expect(await failure(() => state.saveFirst())).toMatchObject({
      code: stateMoved.code,
      message: expect.not.stringContaining("conflict") as string,
    });
    await state.unlock();
    expect(remote.git("for-each-ref", "--format=%(refname:short)")).not.toContain("conflict");
  });
});

test("the states of a clone may be looked at all at once, and each is noted", async () => {
  const { remote, clone } = await made(start());
  await at(clone, { stack: "staging" }).initBranch();
  const fresh = remote.clone();
  const stacks = ["production", "staging"];
  const looks = [...stacks, ...stacks, ...stacks].map((stack) => at(fresh, { stack }).branchStatus());
  await Promise.all(looks);
  for (const stack of stacks) {
    remote.git("update-ref", "-d", `refs/heads/tenancy-state/${stack}`);
    const refusal = { code: stateReplayed.code };
    expect(await failure(() => tokensAt(at(fresh, { stack })))).toMatchObject(refusal);
  }
});

test("a plan uses the copy where the remote cannot be asked, and says of when it is; a lock does not", async () => {
  const { clone } = await made(start());
  await keepToken(at(clone));
  git(clone, "remote", "set-url", "origin", "/nowhere");
  const times: string[] = [];
  expect(await tokensAt(at(clone, { onCopy: (time) => times.push(time) }))).toEqual([csiToken]);
  expect(Date.now() - Date.parse(times[0] ?? "")).toBeLessThan(60_000);
  expect(await failure(() => at(clone).lock())).toMatchObject({ code: stateGitFailed.code });
});

test("git's hooks do not run, and git sees no secret", async () => {
  const { remote, clone } = await made(start());
  const hooks = join(remote.folder, "hooks");
  mkdirSync(hooks);
  for (const name of ["pre-push", "reference-transaction", "post-checkout"]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\nenv > ${remote.folder}/leaked\nexit 1\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  git(clone, "config", "core.hooksPath", hooks);
  remote.hook(`env > ${remote.folder}/seen`);
  await keepToken(at(clone));
  expect(remote.git("--version")).toContain("git version");
  const seen = git(remote.folder, "-c", "alias.show-it=!cat seen", "show-it");
  expect(seen).not.toMatch(/TENANCY_|TF_VAR_|s3cret/);
  expect(() => git(remote.folder, "-c", "alias.show-it=!cat leaked", "show-it")).toThrow();
});

test.each([
  ["nowhere", "tenancy-state", "no remote"],
  ["origin", "main", "default branch"],
])("the place %s/%s is refused", async (name, branch, words) => {
  const remote = start();
  const folder = remote.clone();
  const state = openState({
    git: { remote: name, branch, stack: "production", folder, environment: process.env },
    key: KEY,
    project: "acme",
  });
  const error = await failure(() => state.initBranch());
  expect(error).toMatchObject({ code: unfitStatePlace.code });
  expect((error as Error).message).toContain(words);
});

test("a run without changes adds less than 10 kB, however large the state is", async () => {
  const { remote, clone } = await made(start());
  const state = at(clone);
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  for (let index = 0; index < 300; index++) part.tokens.put({ ...csiToken, name: `token-${index}` });
  for (let index = 0; index < 2_000; index++)
    remember(part, { key: `user_profile:user-${index}@acme`, uuid: jane.uuid }, (draft) =>
      draft.noteValue(["sms"], `${index}`),
    );
  await state.saveLast();
  const sizeOf = () => Number(remote.git("rev-list", "--objects", "--disk-usage", STATE));
  const before = sizeOf();
  const again = at(clone);
  await again.lock();
  expect(await tokensAt(again)).toHaveLength(300);
  await again.unlock();
  expect(sizeOf() - before).toBeLessThan(10_000);
});

test("after a new key the old one opens nothing that is written, and each of 500 tokens is told until it is rotated", async () => {
  const { remote, clone } = await made(start());
  const first = at(clone);
  await first.lock();
  const names = Array.from({ length: 500 }, (_, index) => `token-${index}`);
  const tokenOf = (name: string, serial: string) => ({
    ...csiToken,
    name,
    record: { ...csiToken.record, serial },
    previous: [],
  });
  const earlier = await first.part(partName(ORIGIN, OWNER, "tenancy"));
  for (const name of names) earlier.tokens.put(tokenOf(name, `old-${name}`));
  remember(earlier, jane, (draft) => draft.noteValue(["sms"], "1"));
  await first.saveLast();
  await first.unlock();
  const last = tipOf(remote);

  const next = stateKey("the next key");
  expect(await first.rekey(next)).toHaveLength(500);
  const renewed = at(remote.clone(), { key: next });
  for (let rotated = 0; rotated < 500; rotated += 250) {
    await renewed.lock();
    const part = await renewed.part(partName(ORIGIN, OWNER, "tenancy"));
    expect(part.exposed()).toHaveLength(500 - rotated);
    for (const name of names.slice(rotated, rotated + 250)) part.tokens.put(tokenOf(name, `new-${name}`));
    await renewed.saveLast();
    await renewed.unlock();
  }
  expect((await renewed.summary()).exposed).toEqual([]);

  // Every file of every version since, but for the note that a run has begun to change the key.
  const commits = remote.git("rev-list", "--reverse", `${last}..${STATE}`).split("\n").slice(1);
  expect(commits.length).toBeGreaterThan(2);
  const [old, present] = [new Sealer(KEY), new Sealer(next)];
  for (const commit of commits)
    for (const file of ["head.json", "secrets.json", "objects.json"]) {
      const document = remote.git("show", `${commit}:${file}`);
      expect(await old.open(document)).toBeUndefined();
      expect(await present.open(document)).toBeDefined();
    }
  expect(await failure(() => tokensAt(at(clone)))).toMatchObject({ code: wrongStateKey.code });
});

/** A person with push rights to the state's branch and without its key: covers git-branch.ts and bound-sealer.ts of src/state, with real git. */
import { execFileSync } from "node:child_process";
import { partName, openState, Sealer } from "../../src/state";
import {
  corruptState,
  stateBranchMissing,
  stateKeyMissing,
  stateNotOurs,
  stateReplayed,
  wrongStateKey,
} from "../../src/problems";
import { git, gitRemotes, type GitRemote } from "../support/git-remote";
import { remember } from "../support/memories";
import { at, failure, keepToken, KEY, made, STATE, tipOf, tokensAt } from "./branch";
import { csiToken, jane, ORIGIN, OWNER } from "./samples";
import { stateKey } from "../support/state-key";

jest.setTimeout(300_000);

const start = gitRemotes();
const FILES = ["head.json", "secrets.json", "objects.json"] as const;

/** What an attacker has: the sealed files of the branch, its commits, and whatever the attacker writes. */
class Attacker {
  constructor(
    readonly remote: GitRemote,
    /** The version before the last one. */
    readonly earlier: string,
    readonly last: string,
  ) {}

  /** A sealed file of a version. */
  sealed(name: string, commit = this.last): string {
    return `${this.remote.git("show", `${commit}:${name}`)}\n`;
  }

  /** Puts a version on the branch: some files of the last one are others, or are not there (null). */
  push(
    files: Readonly<Record<string, string | null>>,
    parents: readonly string[] = [this.last],
    { mode = "100644", message = "end" } = {},
  ): void {
    const entries = FILES.map((name) => [name, files[name] === undefined ? this.sealed(name) : files[name]]);
    const lines = entries.flatMap(([name = "", text = null]) =>
      text === null ? [] : [`${mode} blob ${this.#run(text, "hash-object", "-w", "--stdin")}\t${name}\n`],
    );
    const tree = this.#run(lines.join(""), "mktree");
    const lineage = parents.flatMap((parent) => ["-p", parent]);
    this.moveTo(this.remote.git("commit-tree", tree, ...lineage, "-m", message));
  }

  moveTo(commit: string): void {
    this.remote.git("update-ref", STATE, commit);
  }

  delete(): void {
    this.remote.git("update-ref", "-d", STATE);
  }

  #run(input: string, ...args: readonly string[]): string {
    return execFileSync("git", args, { cwd: this.remote.bare, input, encoding: "utf8" }).trim();
  }
}

/** A branch with two versions that have a token each, and a clone that has seen both. */
async function attacked(): Promise<{ readonly attacker: Attacker; readonly clone: string }> {
  const { remote, clone } = await made(start());
  await keepToken(at(clone));
  const earlier = tipOf(remote);
  const state = at(clone);
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  part.tokens.put({ ...csiToken, name: "second" });
  remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  await state.saveLast();
  return { attacker: new Attacker(remote, earlier, tipOf(remote)), clone };
}

const half = (text: string) => text.slice(0, text.length / 2);

/** A snapshot as `tenancy snapshot` writes it, sealed with the state's own key. */
const snapshot = () =>
  new Sealer(KEY).seal('{ "format": "tenancy-snapshot", "version": 3, "taken_at": "now" }');

/** One letter of an encrypted text is another one. */
const altered = (text: string) =>
  text.replace(/\w(?=[^\n]*\n-----END)/, (letter) => (letter === "A" ? "B" : "A"));

/** The earlier version has no entry. */
const filesOfEarlier = (attacker: Attacker) => ({
  "head.json": attacker.sealed("head.json", attacker.earlier),
  "secrets.json": attacker.sealed("secrets.json", attacker.earlier),
  "objects.json": null,
});

type Attack = (attacker: Attacker) => void | Promise<void>;

test("nothing is opened, and nothing is written", async () => {
  const { attacker, clone } = await attacked();
  const { remote, last } = attacker;
  const wrong = at(remote.clone(), { key: stateKey("another key of 16 letters") });
  expect(await failure(() => tokensAt(wrong))).toMatchObject({ code: wrongStateKey.code });
  expect(await failure(() => wrong.lock())).toMatchObject({ code: wrongStateKey.code });
  const place = { remote: "origin", branch: "tenancy-state", stack: "production" };
  const none = openState({
    git: { ...place, folder: clone, environment: process.env },
    project: "acme",
  });
  expect(await failure(() => none.part(partName(ORIGIN, OWNER, "tenancy")))).toMatchObject({
    code: stateKeyMissing.code,
  });
  expect(tipOf(remote)).toBe(last);
});

describe.each<[string, string, readonly (readonly [string, Attack])[]]>([
  [
    "truncated",
    corruptState.code,
    [
      ...FILES.map((name): readonly [string, Attack] => [
        `${name} is cut in half`,
        (attacker) => attacker.push({ [name]: half(attacker.sealed(name)) }),
      ]),
      ["head.json is empty", (attacker) => attacker.push({ "head.json": "" })],
      ...FILES.map((name): readonly [string, Attack] => [
        `${name} is left out`,
        (attacker) => attacker.push({ [name]: null }),
      ]),
    ],
  ],
  [
    "forged",
    wrongStateKey.code,
    [
      [
        "all is sealed with the attacker's key",
        async (attacker) => {
          const own = new Sealer(stateKey("the attacker's own key, also long"));
          const head = JSON.stringify({ run: { id: "r", phase: "end" }, secrets: null, objects: null });
          attacker.push({ "head.json": await own.seal(head) });
        },
      ],
      [
        "the commit claims a higher sequence for it",
        (attacker) =>
          attacker.push({ "head.json": altered(attacker.sealed("head.json")) }, undefined, {
            message: "end 1 9999",
          }),
      ],
      [
        "a byte of the head is another one",
        (attacker) => attacker.push({ "head.json": altered(attacker.sealed("head.json")) }),
      ],
    ],
  ],
  [
    "not the state's",
    corruptState.code,
    [
      [
        "a sealed snapshot stands in the place of the head",
        async (attacker) => attacker.push({ "head.json": await snapshot() }),
      ],
      [
        "a sealed snapshot stands in the place of the secrets",
        async (attacker) => attacker.push({ "secrets.json": await snapshot() }),
      ],
      [
        "a plain state stands in the place of the head",
        (attacker) =>
          attacker.push({ "head.json": '{ "format": "tenancy-state", "version": 3, "parts": [] }' }),
      ],
      [
        "a link leads to a file of the machine",
        (attacker) => attacker.push({ "head.json": "/etc/passwd" }, undefined, { mode: "120000" }),
      ],
      [
        "the objects stands in the place of the secrets",
        (attacker) => attacker.push({ "secrets.json": attacker.sealed("objects.json") }),
      ],
      [
        "the secrets are those of an earlier version",
        (attacker) => attacker.push({ "secrets.json": attacker.sealed("secrets.json", attacker.earlier) }),
      ],
    ],
  ],
  [
    "swapped",
    stateNotOurs.code,
    [
      [
        "the secrets stand in the place of the head",
        (attacker) => attacker.push({ "head.json": attacker.sealed("secrets.json") }),
      ],
      [
        "the branch is that of another stack",
        async ({ remote }) => {
          await at(remote.clone(), { stack: "staging" }).initBranch();
          remote.git("update-ref", STATE, "refs/heads/tenancy-state/staging");
        },
      ],
      [
        "the branch is that of another project, whose key is the same",
        async (attacker) => {
          const other = await made(start());
          other.remote.git("update-ref", "-d", STATE);
          await at(other.remote.clone(), { project: "globex" }).initBranch();
          attacker.remote.git("fetch", "-q", other.remote.bare, `+${STATE}:${STATE}`);
        },
      ],
    ],
  ],
  [
    "replayed",
    stateReplayed.code,
    [
      ["an earlier version is put back by force", (attacker) => attacker.moveTo(attacker.earlier)],
      ["an earlier version lies on top", (attacker) => attacker.push(filesOfEarlier(attacker))],
      ["an earlier version stands alone", (attacker) => attacker.push(filesOfEarlier(attacker), [])],
      ["the branch is deleted", (attacker) => attacker.delete()],
    ],
  ],
])("a state that was %s is refused with %s", (_what, code, attacks) => {
  test.each(attacks)("%s", async (_name, attack) => {
    const { attacker, clone } = await attacked();
    await attack(attacker);
    const { remote } = attacker;
    const tip = remote.git("for-each-ref", STATE);
    // Each message says which state it means.
    const state = expect.stringContaining("git:origin/tenancy-state/production") as string;
    expect(await failure(() => tokensAt(at(clone)))).toMatchObject({ code, message: state });
    expect(await failure(() => at(clone).lock({ timeout: 0 }))).toMatchObject({ code, message: state });
    expect(remote.git("for-each-ref", STATE)).toBe(tip);
    // The clone still has the good version, as the guide says, and the team goes on from there.
    git(clone, "push", "-q", "--force", "origin", `refs/tenancy/origin/tenancy-state/production:${STATE}`);
    await keepToken(at(clone), { ...csiToken, name: "third" });
    expect(await tokensAt(at(remote.clone()))).toHaveLength(3);
  });
});

test("a fresh clone, too, refuses an earlier version on top; a person takes it over", async () => {
  const { attacker, clone } = await attacked();
  const { remote, earlier } = attacker;
  attacker.push(filesOfEarlier(attacker));
  expect(await failure(() => tokensAt(at(remote.clone())))).toMatchObject({ code: stateReplayed.code });
  await at(remote.clone()).acceptBranch();
  expect(await tokensAt(at(clone))).toEqual([csiToken]);

  // A higher number in the history counts for nothing unless the key opens it: anybody can write a number.
  const present = new Attacker(remote, earlier, tipOf(remote));
  const head = present.sealed("head.json");
  const forged = { "head.json": altered(head), "objects.json": null };
  present.push(forged, undefined, { message: "end 1 9999" });
  expect(await failure(() => tokensAt(at(clone)))).toMatchObject({ code: wrongStateKey.code });
  present.push({ "objects.json": null }, [tipOf(remote)]);
  expect(await tokensAt(at(clone))).toEqual([csiToken]);
});

test("a fresh clone cannot know of a branch that was deleted, and makes none", async () => {
  const { attacker } = await attacked();
  attacker.delete();
  const fresh = at(attacker.remote.clone());
  const refusal = { code: stateBranchMissing.code };
  expect(await failure(() => tokensAt(fresh))).toMatchObject(refusal);
  expect(await failure(() => fresh.lock())).toMatchObject(refusal);
  expect(attacker.remote.git("for-each-ref", STATE)).toBe("");
});

/** A run whose branch moved on in its middle: its own versions, which are more, are on a conflict branch. */
async function withConflictBranch() {
  const { remote, clone } = await made(start());
  const [slow, other] = [at(clone), remote.clone()];
  await slow.lock();
  const part = await slow.part(partName(ORIGIN, OWNER, "tenancy"));
  part.tokens.put({ ...csiToken, name: "slow" });
  await slow.saveFirst();
  const holder = await at(other).endRun("");
  await at(other).endRun(holder?.run ?? "");
  await keepToken(at(other));
  for (const name of ["b", "c", "d", "e", "f", "g"]) {
    part.tokens.put({ ...csiToken, name });
    await slow.save();
  }
  await failure(() => slow.saveLast());
  const conflict = remote.git(
    "for-each-ref",
    "--format=%(objectname)",
    "refs/heads/tenancy-state-conflict-*",
  );
  const present = await at(other).published([partName(ORIGIN, OWNER, "tenancy")], {
    hasPlainKeepers: () => false,
    valueOf: () => undefined,
  });
  return { remote, conflict, other, knownVersion: async (state: string) => present.versions?.[state] };
}

test("a version of a conflict branch does not replace the state, though its number is higher", async () => {
  const { remote, conflict, other, knownVersion } = await withConflictBranch();
  const good = tipOf(remote);
  expect(conflict).toMatch(/^[0-9a-f]{40}$/);
  remote.git("update-ref", STATE, conflict);
  const refusal = { code: stateReplayed.code };
  expect(await failure(() => tokensAt(at(other)))).toMatchObject(refusal);
  // A clone of a pipeline is new. It knows the version that the newest snapshot has seen.
  expect(await failure(() => tokensAt(at(remote.clone(), { knownVersion })))).toMatchObject(refusal);
  remote.git("update-ref", STATE, good);
  expect(await tokensAt(at(remote.clone(), { knownVersion }))).toHaveLength(2);
  // A person may decide for it.
  remote.git("update-ref", STATE, conflict);
  await at(other).acceptBranch();
  expect(await tokensAt(at(remote.clone(), { knownVersion }))).toHaveLength(7);
});

test("a clone that is many versions behind follows the commits of the branch", async () => {
  const { remote, clone } = await made(start());
  await tokensAt(at(clone));
  const other = remote.clone();
  for (let run = 0; run < 35; run++) {
    const state = at(other);
    await state.lock();
    await state.unlock();
  }
  await keepToken(at(other));
  expect(await tokensAt(at(clone))).toEqual([csiToken]);
});

/**
 * A branch of a remote that holds one state, version by version. Without the key, no version can be written that counts. Each version names the versions
 * that it continues, so a version of another line, such as one from a conflict branch, is refused by each reader that knows a version of this line.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  corruptState,
  stateBranchMissing,
  stateGitFailed,
  stateReplayed,
  TenancyError,
  unfitStatePlace,
} from "../problems";
import { type ObjectValue, parseJson, shapes, stringifyJson } from "../lib/values";
import { type BoundSealer, digestOfText, type SealedFacts } from "./bound-sealer";
import { corruptWhereMisshapen, readHeader } from "./document";
import type { Git } from "./git";
import { Sealer } from "./sealer";

const HEAD = "head.json";
/** The files that a version may have in addition to its head. */
const CONTENTS = { secrets: "secrets.json", objects: "objects.json" } as const;
export type ContentName = keyof typeof CONTENTS;
const CONTENT_NAMES = Object.keys(CONTENTS) as readonly ContentName[];

const { text, nullable, optional, integer, listOf, objectOf } = shapes;

/** Versions that a chain names. An older clone follows the commits of the branch. */
const CHAIN_LENGTH = 64;
/** Characters of a hash in a chain: 16 bytes. */
const HASH_LENGTH = 32;

/** A run, as the head names it. Only the last one is named. */
const runShape = objectOf({
  id: text,
  /** `begin`: it holds the state. `intents`: it also writes to the service. `end`: it is over. */
  phase: text,
  host: text,
  pid: integer,
  since: text,
  pipeline: optional(text),
});

const headShape = objectOf({
  run: runShape,
  secrets: nullable(text),
  objects: nullable(text),
  /** Hashes of the heads of the versions before it, the newest first. */
  chain: listOf(text),
  /** Sequence of the newest version that a person restored: it replaces every version with a lower sequence. */
  restored: integer,
});

export type BranchHead = ReturnType<typeof headShape>;

/** A version of the state that has been opened and checked. */
export interface BranchVersion {
  readonly commit: string;
  /** The text of the head: the next version names its digest. */
  readonly headText: string;
  readonly facts: SealedFacts;
  readonly head: BranchHead;
}

/** The last version that this clone has seen, with the digest of its head, and the time when the remote was asked, ISO 8601. */
const seenShape = objectOf({ sequence: integer, digest: text, commit: text, at: text });

type SeenVersion = ReturnType<typeof seenShape> & { readonly sequence: number };

/** A version that a clone or a snapshot knows. */
export interface KnownVersion {
  readonly sequence: number;
  /** SHA-256 of the text of its head, in hex. */
  readonly digest: string;
}

/** New contents of a version; absent files stay as they are. */
export type NewContents = Partial<Readonly<Record<ContentName, ObjectValue>>>;

export interface BranchPlace {
  readonly remote: string;
  /** Without the stack. */
  readonly branch: string;
  readonly stack: string;
}

const IN_SNAPSHOT = "the snapshot has seen";

const PUSH_ATTEMPTS = 3;
const PUSH_PAUSE_MS = 300;

export class GitBranch {
  readonly description: string;
  /** The whole name of the branch. */
  readonly name: string;
  readonly #git: Git;
  readonly #place: BranchPlace;
  readonly #knownElsewhere: () => Promise<KnownVersion | undefined>;
  #isChecked = false;

  /** @param knownVersion the version that another program has seen, such as the one that took the newest snapshot */
  constructor(
    git: Git,
    place: BranchPlace,
    knownVersion: (place: string) => Promise<KnownVersion | undefined> = async () => undefined,
  ) {
    this.#git = git;
    this.#place = place;
    this.name = `${place.branch}/${place.stack}`;
    this.description = `git:${place.remote}/${this.name}`;
    this.#knownElsewhere = async () => knownVersion(this.description);
  }

  get remote(): string {
    return this.#place.remote;
  }

  /** Names of the stacks that have a branch next to this one. @throws stateGitFailed */
  async stacks(): Promise<readonly string[]> {
    return this.#git.branchesIn(this.#place.remote, this.#place.branch);
  }

  /** Name of the branch for a version that a run could not push here. */
  conflictBranch(run: string): string {
    return `${this.#place.branch}-conflict-${run}`;
  }

  /**
   * The commit at the tip of the remote's branch, fetched.
   * @returns undefined if the branch does not exist
   * @throws unfitStatePlace, stateGitFailed
   */
  async fetchTip(): Promise<string | undefined> {
    const { remote, branch } = this.#place;
    if (!this.#isChecked) await this.#git.checkPlace(remote, this.name);
    this.#isChecked = true;
    const { tip, defaultBranch } = await this.#git.remoteTips(remote, this.name);
    if (defaultBranch === branch || defaultBranch === this.name)
      throw unfitStatePlace.error({
        place: this.description,
        fault: `${defaultBranch} is the default branch`,
      });
    if (tip === undefined) return undefined;
    // The copy of the last good version stays until this one has been opened and checked.
    if ((await this.#git.commitOf(tip)) === undefined || (await this.#git.commitOf(this.#fetched)) !== tip)
      await this.#git.fetch(remote, this.name, this.#fetched);
    return (await this.#git.commitOf(this.#fetched)) ?? tip;
  }

  /**
   * The version at the tip of the remote's branch.
   * @throws stateBranchMissing, stateReplayed, wrongStateKey, stateNotOurs, corruptState, stateGitFailed
   */
  async look(sealer: BoundSealer): Promise<BranchVersion> {
    const tip = await this.fetchTip();
    const lastSeen = await this.#seen();
    const known = await this.#knownElsewhere();
    if (tip === undefined) {
      if (lastSeen === undefined && known !== undefined)
        throw this.#replayed(undefined, known.sequence, IN_SNAPSHOT);
      if (lastSeen === undefined)
        throw stateBranchMissing.error({ state: this.description, branch: this.name, remote: this.remote });
      throw this.#replayed(undefined, lastSeen.sequence, "this clone has seen");
    }
    const version = await this.open(tip, sealer);
    if (known !== undefined && !(await this.#continues(version, known, sealer)))
      throw this.#replayed(version.facts.sequence, known.sequence, IN_SNAPSHOT);
    await this.#refuseReplay(version, lastSeen, sealer);
    await this.noteSeen(version);
    return version;
  }

  /**
   * The version that was fetched last, where the remote cannot be asked.
   * @returns undefined if there is none
   */
  async copy(
    sealer: BoundSealer,
  ): Promise<{ readonly version: BranchVersion; readonly at: string } | undefined> {
    const [commit, lastSeen] = [await this.#git.commitOf(this.#copy), await this.#seen()];
    if (commit === undefined || lastSeen === undefined) return undefined;
    const version = await this.open(commit, sealer);
    await this.#refuseReplay(version, lastSeen, sealer);
    return { version, at: lastSeen.at };
  }

  /**
   * Opens a version without comparing it with seen versions. The head's digests must match all its files.
   * @throws wrongStateKey, stateNotOurs, corruptState
   */
  async open(commit: string, sealer: BoundSealer): Promise<BranchVersion> {
    const version = await this.#openHead(commit, sealer);
    for (const name of CONTENT_NAMES) await this.#sealedContents(version, name);
    return version;
  }

  async #openHead(commit: string, sealer: BoundSealer): Promise<BranchVersion> {
    const [headText] = await this.#git.files([commit], HEAD);
    const { facts, payload } = await this.#opened("head", headText, HEAD, sealer);
    try {
      return { commit, headText: headText ?? "", facts, head: headShape(payload, "") };
    } catch (error) {
      throw corruptWhereMisshapen(error, this.description);
    }
  }

  /** A file of a version; undefined if the version has none. @throws corruptState if the head names another one */
  async contents(
    version: BranchVersion,
    name: ContentName,
    sealer: BoundSealer,
  ): Promise<ObjectValue | undefined> {
    const sealed = await this.#sealedContents(version, name);
    if (sealed === undefined) return undefined;
    return (await this.#opened(name, sealed, CONTENTS[name], sealer)).payload;
  }

  async #sealedContents({ commit, head }: BranchVersion, name: ContentName): Promise<string | undefined> {
    const digest = head[name];
    if (digest === null) return undefined;
    const [sealed] = await this.#git.files([commit], CONTENTS[name]);
    if (sealed === undefined || digestOfText(sealed) !== digest)
      throw corruptState.error({
        state: this.description,
        fault: `${CONTENTS[name]} is not the file that belongs to its head`,
      });
    return sealed;
  }

  /**
   * Makes a commit of the next version. Nothing is pushed.
   * @param before undefined for the first version
   * @param restoredSequence of a version that a person restores: it replaces every version with a lower sequence
   */
  async next(
    before: BranchVersion | undefined,
    run: BranchHead["run"],
    contents: NewContents,
    sealer: BoundSealer,
    {
      commit = before?.facts.commit ?? null,
      restoredSequence,
    }: { readonly commit?: string | null; readonly restoredSequence?: number } = {},
  ): Promise<BranchVersion> {
    const sequence = restoredSequence ?? (before?.facts.sequence ?? 0) + 1;
    const version = { sequence, previous: before === undefined ? null : digestOfText(before.headText) };
    const tree = before === undefined ? new Map<string, string>() : await this.#git.tree(before.commit);
    const files = new Map<string, { readonly text: string } | { readonly blob: string }>();
    const digests: Record<ContentName, string | null> = { secrets: null, objects: null };
    for (const name of CONTENT_NAMES) {
      const [path, content] = [CONTENTS[name], contents[name]];
      const blob = tree.get(path);
      if (content !== undefined) {
        const sealed = await sealer.seal(name, content, version, commit, this.description);
        digests[name] = digestOfText(sealed);
        files.set(path, { text: sealed });
      } else if (before !== undefined && before.head[name] !== null && blob !== undefined) {
        digests[name] = before.head[name];
        files.set(path, { blob });
      }
    }
    const chain = before === undefined ? [] : [hashOf(before), ...before.head.chain].slice(0, CHAIN_LENGTH);
    const head: BranchHead = {
      run,
      ...digests,
      chain,
      restored: restoredSequence ?? before?.head.restored ?? 0,
    };
    const headText = await sealer.seal("head", head, version, commit, this.description);
    files.set(HEAD, { text: headText });
    const parents = before === undefined ? [] : [before.commit];
    const id = await this.#git.commit(files, parents, `${run.phase} ${run.id} ${sequence}\n`);
    const facts = { ...version, time: new Date().toISOString(), run: run.id, commit };
    return { commit: id, headText, facts, head };
  }

  /**
   * Pushes a version to the branch of the state, or to another one. A push whose answer was lost counts as done if the remote has it.
   * @returns false if the branch has moved
   * @throws stateGitFailed
   */
  async push(
    version: BranchVersion,
    before: BranchVersion | undefined,
    branch = this.name,
  ): Promise<boolean> {
    const { remote } = this.#place;
    for (let attempt = 1; ; attempt++) {
      const { ok, words } = await this.#git.push(remote, version.commit, branch);
      const tip = ok ? version.commit : (await this.#git.remoteTips(remote, branch)).tip;
      if (tip === version.commit) {
        if (branch === this.name) await this.noteSeen(version);
        return true;
      }
      if (tip !== before?.commit && branch === this.name) return false;
      if (attempt === PUSH_ATTEMPTS)
        throw stateGitFailed.error({ state: this.description, task: "push", words });
      await new Promise((resolve) => setTimeout(resolve, PUSH_PAUSE_MS * attempt));
    }
  }

  /** True if the branch at the remote still leads to the version. */
  async holds(version: BranchVersion): Promise<boolean> {
    const tip = await this.fetchTip();
    return tip !== undefined && (await this.#git.isAncestor(version.commit, tip));
  }

  /** Size of the branch's versions in the clone, in bytes; undefined if this git does not know it. */
  async historySize(version: BranchVersion): Promise<number | undefined> {
    return this.#git.historySize(version.commit);
  }

  /** The highest sequence that the clone or the branch knows of. */
  async highestSequence(version: BranchVersion | undefined): Promise<number> {
    const lastSeen = (await this.#seen())?.sequence ?? 0;
    if (version === undefined) return lastSeen;
    const sequences = (await this.#heads(version.commit, undefined)).map(({ sequence }) => sequence);
    return Math.max(lastSeen, version.facts.sequence, ...sequences);
  }

  /** Keeps a copy of the version, and notes in the clone that it was seen last. */
  async noteSeen({ facts: { sequence }, headText, commit }: BranchVersion): Promise<void> {
    if ((await this.#git.commitOf(this.#copy)) !== commit) await this.#git.keepRef(this.#copy, commit);
    const lastSeen: SeenVersion = {
      sequence,
      digest: digestOfText(headText),
      commit,
      at: new Date().toISOString(),
    };
    const file = await this.#noteFile();
    // Several runs, and several parts of one run, may look at the same time: each writes a draft of its own.
    const draft = `${file}.${randomUUID()}`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, `${stringifyJson({ state: this.description, ...lastSeen }, 2)}\n`);
    await rename(draft, file);
  }

  /** True if this clone has seen a version of the state. */
  async wasSeen(): Promise<boolean> {
    return (await this.#seen()) !== undefined;
  }

  /** The ref of the last good version. It keeps the version from garbage collection. */
  get #copy(): string {
    return `refs/tenancy/${this.remote}/${this.name}`;
  }

  /** The ref of the version that was fetched last, good or not. */
  get #fetched(): string {
    return `refs/tenancy-fetched/${this.remote}/${this.name}`;
  }

  async #opened(kind: "head" | ContentName, sealed: string | undefined, path: string, sealer: BoundSealer) {
    if (sealed === undefined)
      throw corruptState.error({ state: this.description, fault: `it has no file ${path}` });
    if (Sealer.isSealed(sealed)) return sealer.open(kind, sealed, this.description);
    readHeader(sealed, this.description);
    throw corruptState.error({ state: this.description, fault: `${path} is not sealed` });
  }

  /** @throws stateReplayed */
  async #refuseReplay(
    version: BranchVersion,
    lastSeen: SeenVersion | undefined,
    sealer: BoundSealer,
  ): Promise<void> {
    const { sequence } = version.facts;
    if (lastSeen !== undefined && !(await this.#continues(version, lastSeen, sealer)))
      throw this.#replayed(sequence, lastSeen.sequence, "this clone has seen");
    const isAhead = lastSeen !== undefined && (await this.#git.isAncestor(lastSeen.commit, version.commit));
    for (const one of await this.#heads(version.commit, isAhead ? lastSeen.commit : undefined)) {
      if (one.sequence < sequence || one.text === version.headText) continue;
      // A number alone can be forged. Only a version that opens counts.
      const isAuthentic = await this.#openHead(one.commit, sealer).then(
        () => true,
        (error: unknown) => {
          if (error instanceof TenancyError) return false;
          throw error;
        },
      );
      if (isAuthentic) throw this.#replayed(sequence, one.sequence, "the branch holds");
    }
  }

  /** True if a version continues a known one: it is this version, its chain leads there, or a person has restored it in place of the known one. */
  async #continues(version: BranchVersion, known: KnownVersion, sealer: BoundSealer): Promise<boolean> {
    if (known.sequence < Number(version.head.restored)) return true;
    const knownHash = known.digest.slice(0, HASH_LENGTH);
    for (let link = version; ;) {
      if (hashOf(link) === knownHash || link.head.chain.includes(knownHash)) return true;
      const heads = await this.#heads(link.commit, undefined);
      const oldest = link.head.chain.at(-1);
      const earlier = heads.find(({ text }) => oldest !== undefined && hashOf({ headText: text }) === oldest);
      if (earlier === undefined || earlier.sequence <= known.sequence) return false;
      link = await this.#openHead(earlier.commit, sealer);
    }
  }

  #replayed(sequence: number | undefined, highest: number, witness: string): TenancyError {
    return stateReplayed.error({ state: this.description, sequence, highest, witness });
  }

  /** The heads of the commits that lead to a tip, with the sequences that the commits' subjects claim: so that only suspicious ones need to be opened. */
  async #heads(tip: string, known: string | undefined) {
    const history = await this.#git.history(tip, known);
    const texts = await this.#git.files(
      history.map(({ commit }) => commit),
      HEAD,
    );
    return history.flatMap(({ commit, subject }, index) => {
      const [text, sequence] = [texts[index], Number(/ (\d+)$/.exec(subject)?.[1])];
      return text === undefined || !Number.isSafeInteger(sequence) ? [] : [{ commit, text, sequence }];
    });
  }

  /** A note that cannot be read counts as none. */
  async #seen(): Promise<SeenVersion | undefined> {
    const text = await readFile(await this.#noteFile(), "utf8").catch(() => "{}");
    try {
      const note = seenShape(parseJson(text), "");
      return { ...note, sequence: Number(note.sequence) };
    } catch {
      return undefined;
    }
  }

  async #noteFile(): Promise<string> {
    const name = digestOfText(this.description).slice(0, 32);
    return join(await this.#git.commonFolder(), "tenancy", "seen", `${name}.json`);
  }
}

function hashOf({ headText }: Pick<BranchVersion, "headText">): string {
  return digestOfText(headText).slice(0, HASH_LENGTH);
}

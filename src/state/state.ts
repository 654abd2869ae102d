/** Opens and saves the state: its parts are read on first use, and encrypted where a key is given. */
import { randomBytes } from "node:crypto";
import {
  type LockHolder,
  stateKeepsAlready,
  stateKeyMissing,
  statePlain,
  unfitStateKey,
  unfitStatePlace,
} from "../problems";
import { compareText, type Environment, normalForm, type ObjectValue } from "../lib/values";
import type { Backend, KeptText, LockWait } from "./backend";
import { BoundSealer, digestOfText, type SealedFacts, type Version } from "./bound-sealer";
import {
  checkedHeader,
  type DeclaredNames,
  type MovesFrom,
  partKey,
  type PartName,
  partName,
  readHeader,
  StateDocument,
} from "./document";
import { FileBackend } from "./file-backend";
import { Git } from "./git";
import { type BranchStatus, GitBackend } from "./git-backend";
import { type BranchPlace, GitBranch, type KnownVersion } from "./git-branch";
import { HelperBackend, type HelperOptions, HelperProgram } from "./helper";
import { NoBackend } from "./no-backend";
import type { ExposedToken } from "./entries";
import { StatePart } from "./state-part";
import { moveEntries } from "./moved-entries";
import { type DeclaredValues, publishedPart, type PublishedState } from "./published";
import { Sealer } from "./sealer";
import { SharedRun } from "./shared-run";
import { isStateKey } from "./state-key";

/** The state's file where none is named, relative to the project. */
export const DEFAULT_STATE_PATH = ".tenancy/state.json";

export interface OpenStateOptions {
  /** @default DEFAULT_STATE_PATH */
  readonly path?: string;
  /** Keeps nothing. @default false */
  readonly isNone?: boolean;
  /** A program that keeps the state instead of a file. */
  readonly helper?: HelperOptions;
  /** A branch that keeps the state instead of a file, and the clone whose remote has it. */
  readonly git?: BranchPlace & { readonly folder: string; readonly environment: Environment };
  /** Encrypts the state. @default plain; a state on a branch cannot be opened then */
  readonly key?: string;
  /** Id of the project, which is kept with the content. @default not known: then it is not compared */
  readonly project?: string;
  /** The commit that a successful apply notes. @default the one noted before */
  readonly commit?: string;
  /** The version of a state on a branch that another program has seen, by the state's place. @default none */
  readonly knownVersion?: (place: string) => Promise<KnownVersion | undefined>;
  /** Called where a branch cannot be fetched, with the time of the copy that is read in its place, ISO 8601. */
  readonly onCopy?: (at: string) => void;
  /** Accepts a state that is plain although there is a key: the next save encrypts it. @default false */
  readonly encryptPlain?: boolean;
}

/**
 * The state. Nothing is read, and no helper is started, before the first part is asked for.
 * @throws unfitStateKey, unfitHelperCommand
 */
export function openState(options: OpenStateOptions = {}): TenancyState {
  const { path = DEFAULT_STATE_PATH, helper, git, key, commit, encryptPlain = false } = options;
  if (options.isNone === true) return new TenancyState(new NoBackend());
  const run = randomBytes(6).toString("hex");
  const [project, stack] = [options.project ?? null, git?.stack ?? null];
  const sealerFor = (one: string | undefined) => {
    if (one === undefined) return undefined;
    if (!isStateKey(one)) throw unfitStateKey.error(one === "" ? "empty" : "foreign");
    return new BoundSealer(new Sealer(one), { project, stack }, run);
  };
  const sealer = sealerFor(key);
  if (git === undefined) {
    const backend =
      helper === undefined ? new FileBackend(path) : new HelperBackend(new HelperProgram(helper));
    return new TenancyState(backend, sealer, { project, encryptPlain, commit, sealerFor });
  }
  const place = new Git(git.folder, git.environment, `git:${git.remote}/${git.branch}`);
  const backend = new GitBackend({
    branch: new GitBranch(place, git, options.knownVersion),
    sealer: sealer ?? new BoundSealer(undefined, { project, stack }, run),
    run,
    environment: git.environment,
    onCopy: options.onCopy,
  });
  return new TenancyState(backend, sealer, { project, commit, sealerFor, branch: backend });
}

/** A document in memory. */
interface LoadedPart {
  /** One of the parts that are kept in it: the one that was asked for first. */
  readonly part: PartName;
  readonly document: StateDocument;
  /** The revision that is kept. */
  saved: number;
  /** The text that was read, byte for byte, to detect another run's write. Undefined if there was no state. */
  readonly text: string | undefined;
  version: {
    /** Facts that are sealed with it; undefined of a state that is plain or absent. */
    readonly facts: SealedFacts | undefined;
    /** The text's digest; null without a text. */
    readonly digest: string | null;
  };
}

interface StateSettings {
  /** Id of the project. @default not known */
  readonly project?: string | null;
  /** Accepts a state that is plain in spite of the sealer; the next save encrypts it. @default false */
  readonly encryptPlain?: boolean;
  readonly commit?: string | undefined;
  readonly sealerFor?: (key: string | undefined) => BoundSealer | undefined;
  /** The backend, where it keeps the state on a branch. */
  readonly branch?: GitBackend;
}

/** A place that keeps all parts together is read as a whole, for any part. */
const ANY_PART: PartName = { origin: "", stack: "", provider: "" };

export class TenancyState {
  readonly #backend: Backend;
  readonly #settings: StateSettings;
  #sealer: BoundSealer | undefined;
  readonly #saving = new SharedRun(() => this.#write());
  #loaded = new Map<string, Promise<LoadedPart>>();
  #reserved = false;
  #locked = false;
  #isPlainYet = false;

  #moment: "first" | "last" | undefined;
  #isApplied = false;

  /** @param sealer encrypts the content; undefined leaves it plain */
  constructor(backend: Backend, sealer?: BoundSealer, settings: StateSettings = {}) {
    this.#backend = backend;
    this.#sealer = sealer;
    this.#settings = settings;
  }

  /** True if something that was read is still to be encrypted. */
  get isToBeEncrypted(): boolean {
    return this.#isPlainYet;
  }

  /** True if nothing is kept: a run knows its objects again by their uuids alone. */
  get keepsNothing(): boolean {
    return this.#backend instanceof NoBackend;
  }

  /** Identifies the state in messages: its path, or "kept by" a helper. */
  get description(): string {
    return this.#backend.description;
  }

  /**
   * The entries of a provider configuration, with the entries that are moved into its part. They may be changed only while the state is locked; a part from before the lock stays
   * as it was, and cannot be changed.
   * @throws corruptState, newerState, stateExposed, statePlain, stateKeyMissing, wrongStateKey, unfitStateKey, stateUnusable, stateLocked,
   *   credentialHelperFailed
   */
  async part(name: PartName, moves?: (name: PartName) => Promise<MovesFrom | undefined>): Promise<StatePart> {
    const { document } = await this.#load(name);
    const isMoved = document.keptBeside(name).length > 0 ? await moves?.(name) : undefined;
    return new StatePart(document, name, false, isMoved);
  }

  /** The public parts of these names: they contain no secret. */
  async published(names: readonly PartName[], declaredValues: DeclaredValues): Promise<PublishedState> {
    const parts: ObjectValue[] = [];
    let exists = false;
    for (const name of names) {
      const { document } = await this.#load(name);
      exists ||= document.existed;
      if (document.has(name)) parts.push(publishedPart(document.part(name), declaredValues));
    }
    const known = await this.#settings.branch?.knownVersion();
    return {
      exists,
      ...(this.keepsNothing && { none: true }),
      parts,
      versions: known === undefined ? {} : { [this.description]: known },
    };
  }

  /** The names of all parts, or of those for a service. A helper shows one part at a time, so there are none to see. */
  async parts(url?: string): Promise<readonly PartName[]> {
    if (this.#backend.lockPart !== undefined) return [];
    const parts = [...(await this.#load(ANY_PART)).document.parts.values()];
    return url === undefined ? parts : parts.filter(({ origin }) => origin === new URL(url).origin);
  }

  /** The names of the objects that stacks of the app declared at the origin of `url` when they were synthesized last, by stack. */
  async declaredNames(url: string): Promise<ReadonlyMap<string, DeclaredNames>> {
    const { document } = await this.#load(partName(url, "", ""));
    const { origin } = new URL(url);
    return new Map(
      [...document.stacks].flatMap(([stack, { [origin]: names }]) => (names ? [[stack, names]] : [])),
    );
  }

  /** The same, each with the ids of object, user and account that applies have recorded: they stay when the service renames one. */
  async namesWithIds(url: string): Promise<ReadonlyMap<string, DeclaredNames>> {
    const names = await this.declaredNames(url);
    const { document } = await this.#load(partName(url, "", ""));
    const ids = document.recordedIds(new URL(url).origin);
    const idsOf = (one: readonly string[]) => one.flatMap((name) => ids.get(normalForm(name)) ?? []);
    return new Map(
      [...names].map(([stack, all]) => [stack, all.map((one) => [...new Set([...one, ...idsOf(one)])])]),
    );
  }

  /** Stacks whose states are on branches next to the one of this state; none for a state that all stacks share. */
  async stacksNearby(): Promise<readonly string[]> {
    return (await this.#settings.branch?.stacks()) ?? [];
  }

  /** Notes the objects that stacks declare now. Other runs need the names, too: a helper's lock for them ends at once. */
  async noteDeclaredNames(url: string, stacks: ReadonlyMap<string, DeclaredNames>): Promise<void> {
    const part = partName(url, "", "");
    const { document } = await this.#load(part);
    for (const [stack, names] of stacks) document.noteStack(stack, part.origin, names);
    if (this.#backend.unlockPart === undefined) return;
    await this.save();
    this.#loaded.delete(this.#backend.slotOf(part));
    await this.#backend.unlockPart(part);
  }

  /**
   * Locks the state against other runs, and leaves it as it is, for the plan of an apply. The state is read again.
   * @param parts known parts that the run needs: they are locked in the order of their names, so that no two runs wait for each other
   * @throws stateLocked, stateUnusable, credentialHelperFailed, cancelled
   */
  async reserve(wait: LockWait = {}, parts: readonly PartName[] = []): Promise<void> {
    this.#reserved = true;
    this.#loaded = new Map();
    try {
      await this.#backend.lock(wait);
      for (const part of [...parts].sort((a, b) => compareText(partKey(a), partKey(b))))
        await this.#backend.lockPart?.(part);
    } catch (error) {
      await this.unlock().catch(() => undefined);
      throw error;
    }
  }

  /** True from {@link reserve} or {@link lock} to {@link unlock}. */
  get isReserved(): boolean {
    return this.#reserved;
  }

  /**
   * Begins to change the state, which is locked against other runs unless it is already. The state is read again.
   * @throws stateLocked, stateUnusable, credentialHelperFailed, cancelled
   */
  async lock(wait: LockWait = {}): Promise<void> {
    if (!this.#reserved) await this.reserve(wait);
    this.#locked = true;
    this.#loaded = new Map();
  }

  /** Ends the lock, after any save under way. Changes that were not saved are lost; its parts take no more of them. */
  async unlock(): Promise<void> {
    await this.#saving.idle();
    for (const end of await Promise.allSettled(this.#loaded.values()))
      if (end.status === "fulfilled") end.value.document.writable = false;
    this.#locked = false;
    this.#reserved = false;
    this.#loaded = new Map();
    await this.#backend.unlock();
  }

  /**
   * Keeps all changes made so far: they are durable when it resolves. Calls at the same time share one write.
   * @throws stateLockLost, stateUnusable, credentialHelperFailed; the changes then wait for the next save.
   */
  save(): Promise<void> {
    return this.#saving.run();
  }

  /** As {@link save}, before the first write to the service. A branch gets a version in any case: if it has moved, the run must stop. */
  saveFirst(): Promise<void> {
    return this.#saveAs("first");
  }

  /** As {@link save}, for the last time under this lock. A state on a branch then writes the entries of objects, and ends the lock. */
  saveLast(): Promise<void> {
    return this.#saveAs("last");
  }

  async #saveAs(moment: "first" | "last"): Promise<void> {
    this.#moment = moment;
    try {
      await this.#saving.run();
    } finally {
      this.#moment = undefined;
    }
  }

  /** Has the next version note the commit as applied. */
  noteApplied(): void {
    const { branch, commit } = this.#settings;
    this.#isApplied = true;
    if (branch !== undefined) branch.commit = commit;
  }

  /**
   * True if another run has replaced the text that was read. Reads it once more, and takes no lock.
   * @throws stateExposed, stateUnusable, credentialHelperFailed
   */
  async isReplaced(): Promise<boolean> {
    const loaded = await Promise.all(this.#loaded.values());
    const now = await Promise.all(loaded.map(({ part }) => this.#backend.read(part)));
    return loaded.some(({ text }, index) => now[index]?.text !== text);
  }

  /** Removes all entries of a provider configuration: in memory now, for good at the next save. */
  async erase(name: PartName): Promise<void> {
    const { document } = await this.#load(name);
    document.changed();
    document.remove(name);
  }

  // By hand.

  /** The branch of the state. @throws unfitStatePlace if the state is not on a branch */
  get #branch(): GitBackend {
    const { branch } = this.#settings;
    if (branch !== undefined) return branch;
    throw unfitStatePlace.error({ place: this.description, fault: "it is not on a branch" });
  }

  /** Makes the branch. @returns false if it exists already */
  async initBranch(): Promise<boolean> {
    return this.#branch.init();
  }

  /** Takes over the version that is there, though it is an earlier one. */
  async acceptBranch(): Promise<{ readonly accepted: number; readonly sequence: number }> {
    return this.#branch.accept();
  }

  /** Ends a run that died. @returns the run that holds the state; undefined if none does */
  async endRun(run: string): Promise<LockHolder | undefined> {
    return this.#branch.endRun(run);
  }

  async branchStatus(): Promise<BranchStatus> {
    return this.#branch.status();
  }

  /** Numbers of entries. Not for a state that a helper keeps: it shows one part at a time. */
  async summary() {
    const { document, version } = await this.#load(ANY_PART);
    const parts = [...document.parts.values()].map((part) => new StatePart(document, part, true));
    return {
      exists: document.existed,
      isSealed: version.facts !== undefined || this.#backend.seals === true,
      facts: version.facts,
      tokens: parts.reduce((sum, { tokens }) => sum + tokens.list().length, 0),
      exposed: parts.flatMap((part) => part.exposed()),
    };
  }

  /**
   * Seals everything with another key, and notes every token as exposed.
   * @returns the exposed tokens
   * @throws stateKeyMissing if the state is plain; unfitStateKey
   */
  async rekey(key: string, wait: LockWait = {}): Promise<readonly ExposedToken[]> {
    const sealer = this.#settings.sealerFor?.(key);
    await this.lock(wait);
    try {
      const { document, version } = await this.#load(ANY_PART);
      if (sealer === undefined || (version.facts === undefined && this.#backend.seals !== true))
        throw stateKeyMissing.error(this.description);
      document.expose(new Date());
      this.#sealer = sealer;
      this.#settings.branch?.changeSealer(sealer);
      await this.saveLast();
      return [...document.parts.values()].flatMap((part) => new StatePart(document, part, true).exposed());
    } finally {
      await this.unlock();
    }
  }

  /**
   * Copies parts of this state into another one, which must not keep any of them.
   * @param isMeant chooses the parts
   * @returns how many parts were copied
   * @throws stateKeyMissing if this state is sealed, and the other one would be plain
   */
  async copyTo(
    target: TenancyState,
    isMeant: (part: PartName) => boolean,
    wait: LockWait = {},
  ): Promise<number> {
    const { document, version } = await this.#load(ANY_PART);
    if ((version.facts !== undefined || this.#backend.seals === true) && target.#sealer === undefined)
      throw stateKeyMissing.error(target.description);
    const parts = [...document.parts.values()].filter(isMeant);
    await target.lock(wait);
    try {
      const { document: copy } = await target.#load(ANY_PART);
      for (const part of parts) {
        if (copy.has(part)) throw stateKeepsAlready.error({ state: target.description, ...part });
        copy.put(part);
      }
      for (const [stack, line] of document.stacks)
        for (const [origin, names] of Object.entries(line)) copy.noteStack(stack, origin, names);
      await target.saveLast();
    } finally {
      await target.unlock();
    }
    return parts.length;
  }

  /** Moves entries into a part of a locked state. Save the target first: then a killed move loses nothing. @returns the moved keys */
  async moveTo(
    target: TenancyState,
    { from, to }: { readonly from: PartName; readonly to: PartName },
    isMoved: (key: string) => boolean,
  ): Promise<readonly string[]> {
    const { document } = await target.#load(to);
    const { document: source } = await this.#load(from);
    const movedKeys = moveEntries(source.part(from), document.part(to), isMoved);
    if (movedKeys.length > 0) [document, source].forEach((one) => one.changed());
    return movedKeys;
  }

  async #write(): Promise<void> {
    const isMarked = this.#moment !== undefined && this.#backend.seals === true;
    for (const loaded of await Promise.all(this.#loaded.values())) {
      const { revision, writable } = loaded.document;
      if (!writable || (revision === loaded.saved && !isMarked)) continue;
      await this.#keep(loaded);
      loaded.saved = revision;
    }
  }

  async #keep(loaded: LoadedPart): Promise<void> {
    const { part, document, version } = loaded;
    if (document.parts.size + document.stacks.size === 0 && this.#backend.erase !== undefined)
      return this.#backend.erase(part);
    if (this.#sealer === undefined || this.#backend.seals === true)
      return this.#backend.write(part, document.toText(), this.#moment);
    const { facts, digest } = version;
    const next: Version = { sequence: (facts?.sequence ?? 0) + 1, previous: digest };
    const commit = (this.#isApplied ? this.#settings.commit : undefined) ?? facts?.commit ?? null;
    const text = await this.#sealer.seal("file", document.toValue(), next, commit, this.description);
    await this.#backend.write(part, text);
    const nextFacts = { ...next, time: facts?.time ?? "", run: facts?.run ?? "", commit };
    loaded.version = { facts: nextFacts, digest: digestOfText(text) };
  }

  #load(part: PartName): Promise<LoadedPart> {
    const slot = this.#backend.slotOf(part);
    const loaded = this.#loaded.get(slot);
    if (loaded !== undefined) return loaded;
    const all = this.#loaded;
    const loading = this.#read(part, this.#locked).then((read) => ({ part, ...read, saved: 0 }));
    all.set(slot, loading);
    // A state that could not be read may be readable the next time: with other rights, or without a lock.
    loading.catch(() => all.delete(slot));
    return loading;
  }

  async #read(part: PartName, locked: boolean): Promise<Pick<LoadedPart, "document" | "text" | "version">> {
    if (locked) await this.#backend.lockPart?.(part);
    const keptText = await this.#backend.read(part);
    const { document, facts } = await this.#documentOf(keptText, locked);
    const text = keptText?.text;
    return { document, text, version: { facts, digest: text === undefined ? null : digestOfText(text) } };
  }

  async #documentOf(keptText: KeptText | undefined, locked: boolean) {
    const { project } = this.#settings;
    if (keptText === undefined) return { document: StateDocument.empty(locked, project), facts: undefined };
    if (Sealer.isSealed(keptText.text)) {
      if (this.#sealer === undefined) throw stateKeyMissing.error(this.description);
      const { facts, payload } = await this.#sealer.open("file", keptText.text, this.description);
      const header = checkedHeader(payload, this.description);
      return { document: StateDocument.read(header, this.description, locked, project), facts };
    }
    const header = readHeader(keptText.text, this.description);
    keptText.demandPrivate();
    const document = StateDocument.read(header, this.description, locked, project);
    if (this.#sealer === undefined || this.#backend.seals === true) return { document, facts: undefined };
    if (this.#settings.encryptPlain !== true) throw statePlain.error(this.description);
    this.#isPlainYet = true;
    if (locked) document.changed();
    return { document, facts: undefined };
  }
}

/** Opens and saves the credential store: its parts are read on first use, and encrypted where a key is given. */
import { storeKeyMissing, storePlain, unfitStoreKey, wrongStoreKey } from "../problems";
import { compareText, type ObjectValue } from "../lib/values";
import type { Backend, KeptText, LockWait } from "./backend";
import {
  corruptWhereMisshapen,
  partKey,
  type PartName,
  partName,
  readHeader,
  StoreDocument,
} from "./document";
import { FileBackend } from "./file-backend";
import { HelperBackend, type HelperOptions, HelperProgram } from "./helper";
import { type Ledger, ledgerIn } from "./ledger";
import { type DeclaredValues, publishedPart, type PublishedStore } from "./published";
import { Sealer } from "./sealer";

/** The store's file where none is named, relative to the project. */
export const DEFAULT_STORE_PATH = ".tenancy/credentials.json";

export interface OpenStoreOptions {
  /** @default DEFAULT_STORE_PATH */
  readonly path?: string;
  /** A program that keeps the store instead of a file. */
  readonly helper?: HelperOptions;
  /** Encrypts what is kept. @default plain */
  readonly key?: string;
  /** Accepts a store that is plain although there is a key: the next save encrypts it. @default false */
  readonly encryptPlain?: boolean;
}

/**
 * The credential store. Nothing is read, and no helper is started, before the first ledger is asked for.
 * @throws unfitStoreKey, unfitHelperCommand
 */
export function openStore({
  path = DEFAULT_STORE_PATH,
  helper,
  key,
  encryptPlain = false,
}: OpenStoreOptions = {}): CredentialStore {
  if (key === "") throw unfitStoreKey.error("empty");
  const backend: Backend =
    helper === undefined ? new FileBackend(path) : new HelperBackend(new HelperProgram(helper));
  return new CredentialStore(backend, key === undefined ? undefined : new Sealer(key), encryptPlain);
}

/** A document in memory. */
interface Loaded {
  /** One of the parts that are kept in it: the one that was asked for first. */
  readonly part: PartName;
  readonly document: StoreDocument;
  /** The revision that is kept. */
  saved: number;
  /** The text that was read, byte for byte: it tells whether another run has replaced it since. Undefined where nothing was stored. */
  readonly text: string | undefined;
}

export class CredentialStore {
  readonly #backend: Backend;
  readonly #sealer: Sealer | undefined;
  readonly #saving = new SharedRun(() => this.#write());
  #loaded = new Map<string, Promise<Loaded>>();
  readonly #encryptPlain: boolean;
  #reserved = false;
  #locked = false;
  #isPlainYet = false;

  /**
   * @param sealer encrypts what is kept; undefined leaves it plain
   * @param encryptPlain whether a store that is plain in spite of the sealer is accepted, and encrypted by the next save
   */
  constructor(backend: Backend, sealer?: Sealer, encryptPlain = false) {
    this.#backend = backend;
    this.#sealer = sealer;
    this.#encryptPlain = encryptPlain;
  }

  /** True if something that was read is still to be encrypted. */
  get isToBeEncrypted(): boolean {
    return this.#isPlainYet;
  }

  /** Which store, for messages: its path, or "kept by" a helper. */
  get description(): string {
    return this.#backend.description;
  }

  /**
   * The entries of `owner` for the origin of `url`. They may be changed only while the store is locked; a ledger from before the
   * lock stays as it was, and cannot be changed.
   * @param previousOwners former names of the owner: what was kept under them is in the ledger, and passes to it when saved
   * @throws corruptStore, newerStore, storeExposed, storePlain, storeKeyMissing, wrongStoreKey, unfitStoreKey, storeUnusable,
   *   storeLocked, credentialHelperFailed
   */
  async ledger(url: string, owner: string, previousOwners: readonly string[] = []): Promise<Ledger> {
    const documentOf = async (name: PartName) => (await this.#load(name)).document;
    return ledgerIn(documentOf, url, owner, previousOwners);
  }

  /** The public part of what these owners keep for the origin of `url`: nothing of it is secret. */
  async published(
    url: string,
    owners: readonly string[],
    declaredValues: DeclaredValues,
  ): Promise<PublishedStore> {
    const parts: ObjectValue[] = [];
    let exists = false;
    for (const owner of owners) {
      const name = partName(url, owner);
      const { document } = await this.#load(name);
      exists ||= document.existed;
      if (document.has(name)) parts.push(publishedPart(document.part(name), declaredValues));
    }
    return { exists, parts };
  }

  /**
   * Locks the store against other runs, and leaves it as it is: the plan of an apply is made so. What was read before is read anew.
   * @param parts those that the run needs, as far as it knows them: they are locked in the order of their names, so that no two runs wait for
   *   each other
   * @throws storeLocked, storeUnusable, credentialHelperFailed, cancelled
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
   * Begins to change the store, which is locked against other runs unless it is already. What was read before is read anew.
   * @throws storeLocked, storeUnusable, credentialHelperFailed, cancelled
   */
  async lock(wait: LockWait = {}): Promise<void> {
    if (!this.#reserved) await this.reserve(wait);
    this.#locked = true;
    this.#loaded = new Map();
  }

  /** Ends the lock, after any save under way. Changes that were not saved are lost; its ledgers take no more of them. */
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
   * @throws storeLockLost, storeUnusable, credentialHelperFailed; the changes then wait for the next save.
   */
  save(): Promise<void> {
    return this.#saving.run();
  }

  /**
   * True if another run has replaced the text that was read. Reads it once more, and takes no lock.
   * @throws storeExposed, storeUnusable, credentialHelperFailed
   */
  async isReplaced(): Promise<boolean> {
    const loaded = await Promise.all(this.#loaded.values());
    const now = await Promise.all(loaded.map(({ part }) => this.#backend.read(part)));
    return loaded.some(({ text }, index) => now[index]?.text !== text);
  }

  /** Removes all entries of `owner` for the origin: from memory now, for good at the next save. */
  async erase(url: string, owner: string): Promise<void> {
    const name = partName(url, owner);
    const { document } = await this.#load(name);
    document.changed();
    document.remove(name);
  }

  async #write(): Promise<void> {
    for (const loaded of await Promise.all(this.#loaded.values())) {
      const { revision, writable } = loaded.document;
      if (!writable || revision === loaded.saved) continue;
      await this.#keep(loaded);
      loaded.saved = revision;
    }
  }

  async #keep({ part, document }: Loaded): Promise<void> {
    if (document.parts.size === 0 && this.#backend.erase !== undefined) return this.#backend.erase(part);
    const text = document.toText();
    return this.#backend.write(part, this.#sealer === undefined ? text : await this.#sealer.seal(text));
  }

  #load(part: PartName): Promise<Loaded> {
    const slot = this.#backend.slotOf(part);
    const loaded = this.#loaded.get(slot);
    if (loaded !== undefined) return loaded;
    const all = this.#loaded;
    const loading = this.#read(part, this.#locked).then((read) => ({ part, ...read, saved: 0 }));
    all.set(slot, loading);
    // A store that could not be read may be readable the next time: with other rights, or without a lock.
    loading.catch(() => all.delete(slot));
    return loading;
  }

  async #read(part: PartName, locked: boolean): Promise<Pick<Loaded, "document" | "text">> {
    if (locked) await this.#backend.lockPart?.(part);
    const keptText = await this.#backend.read(part);
    return { document: await this.#documentOf(keptText, locked), text: keptText?.text };
  }

  async #documentOf(keptText: KeptText | undefined, locked: boolean): Promise<StoreDocument> {
    if (keptText === undefined) {
      this.#sealer?.demandStrongKey();
      return StoreDocument.empty(locked);
    }
    const header = readHeader(keptText.text, this.description);
    if (Sealer.isSealed(header))
      return StoreDocument.read(await this.#open(header), this.description, locked);
    keptText.demandPrivate();
    const document = StoreDocument.read(header, this.description, locked);
    if (this.#sealer === undefined) return document;
    if (!this.#encryptPlain) throw storePlain.error(this.description);
    this.#sealer.demandStrongKey();
    this.#isPlainYet = true;
    if (locked) document.changed();
    return document;
  }

  async #open(header: ObjectValue): Promise<ObjectValue> {
    if (this.#sealer === undefined) throw storeKeyMissing.error(this.description);
    try {
      const text = await this.#sealer.open(header);
      if (text === undefined) throw wrongStoreKey.error(this.description);
      return readHeader(text, this.description);
    } catch (error) {
      throw corruptWhereMisshapen(error, this.description);
    }
  }
}

/** Runs a task never twice at the same time. Calls that come while it runs share one further run. */
export class SharedRun {
  readonly #task: () => Promise<void>;
  #last = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Resolves after a run that began later than this call: what the caller did before is in it. */
  run(): Promise<void> {
    return (this.#next ??= this.#last =
      this.idle().then(() => {
        this.#next = undefined;
        return this.#task();
      }));
  }

  /** Resolves when all runs asked for so far have ended, well or not. */
  idle(): Promise<void> {
    return this.#last.catch(() => undefined);
  }
}

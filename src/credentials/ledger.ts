/** What one owner keeps for one origin: read and changed in memory, durable once the store is saved. */
import { deriveKey } from "./digest";
import type { StoreDocument } from "./document";
import {
  failedRevocationKind,
  intentKind,
  tokenKind,
  type FailedRevocation,
  type Intent,
  type TokenEntry,
  type TokenIdentity,
} from "./entries";
import { EntryList } from "./entry-list";
import { ObjectMemories } from "./object-memories";
import type { PartName } from "./part";

export class Ledger {
  readonly origin: string;
  readonly owner: string;
  /**
   * Whether the store was there before this run. Absent while the user of a declared token is live, it takes the user's word
   * (`--init-store`) before anything is minted.
   */
  readonly exists: boolean;

  /** Tokens with their secrets, and the previous ones that are still good. */
  readonly tokens: EntryList<TokenIdentity, TokenEntry>;
  /** Tokens being minted, or whose minting was cut short. */
  readonly intents: EntryList<Pick<Intent, "id">, Intent>;
  /** Tokens that should be revoked and are not yet. */
  readonly failedRevocations: EntryList<Pick<FailedRevocation, "serial">, FailedRevocation>;
  /** What is remembered of live objects: versions of write-only values, digests of what is masked or absent. */
  readonly objects: ObjectMemories;

  readonly #key: Buffer | undefined;
  readonly #changed: () => void;

  /** @param existed see {@link exists} */
  constructor(document: StoreDocument, name: PartName, existed: boolean) {
    const lasting = document.writable || document.has(name);
    const part = document.part(name);
    this.origin = part.origin;
    this.owner = part.owner;
    this.exists = existed;
    this.#key = lasting ? part.key : undefined;
    this.#changed = () => document.changed();
    this.tokens = new EntryList(part.tokens, tokenKind, this.#changed);
    this.intents = new EntryList(part.intents, intentKind, this.#changed);
    this.failedRevocations = new EntryList(part.failedRevocations, failedRevocationKind, this.#changed);
    this.objects = new ObjectMemories(part.objects, deriveKey(part.key, "masked values"), this.#changed);
  }

  /**
   * A key for digests that are kept elsewhere, such as those in a saved plan: another one for each purpose.
   * @returns 32 bytes; undefined where this owner keeps nothing yet, so that there is no key that would last
   */
  digestKey(purpose: string): Buffer | undefined {
    return this.#key && deriveKey(this.#key, purpose);
  }
}

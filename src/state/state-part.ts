/** Holds the entries of one provider configuration of a stack. Changes are made in memory, and are durable once the state is saved. */
import { hkdfSync } from "node:crypto";
import { normalForm } from "../lib/values";
import { type MovedEntry, type MovesFrom, type Part, type PartName, StateDocument } from "./document";
import {
  type PossiblyIssuedToken,
  possiblyIssuedKind,
  type ExposedToken,
  exposedTokenKind,
  EntryList,
  type TemporaryPassword,
  temporaryPasswordKind,
  type FailedRevocation,
  failedRevocationKind,
  type Intent,
  intentKind,
  type TokenEntry,
  type TokenIdentity,
  tokenKind,
} from "./entries";
import { ObjectEntries } from "./object-entries";

/** Entries of the state for another origin, stack or provider configuration, as far as the same document shows them. */
interface Neighbour extends PartName {
  /** Logins of tokens, and of user profiles of which something is remembered. */
  readonly logins: ReadonlySet<string>;
  readonly tokens: readonly TokenIdentity[];
}

const PROFILE_PREFIX = "user_profile:";

export class StatePart {
  readonly name: PartName;
  /**
   * True if the state had anything for this provider configuration before this run. If it did not, and the user of a declared token is live,
   * it takes the user's word (`--init-state`) before the token is created.
   */
  readonly exists: boolean;
  /** Objects and tokens that were another part's until now: this part declares them. */
  readonly moved: readonly MovedEntry[];
  /** True if there was a state at all, perhaps with other parts alone. */
  readonly isStateThere: boolean;

  /** Tokens with their secrets, and the previous ones that are still valid. */
  readonly tokens: EntryList<TokenIdentity, TokenEntry>;
  /** Tokens that are being created, and tokens whose creation was interrupted. */
  readonly intents: EntryList<Pick<Intent, "id">, Intent>;
  /** Tokens that should be revoked and are not yet. */
  readonly failedRevocations: EntryList<Pick<FailedRevocation, "serial">, FailedRevocation>;
  /** Declared tokens whose users were live before {@link make}: an earlier state, since lost, may know them. */
  readonly possiblyIssued: EntryList<Pick<PossiblyIssuedToken, "login" | "name">, PossiblyIssuedToken>;
  /** Passwords that users got to create tokens, and that are not proven to be gone again. */
  readonly temporaryPasswords: EntryList<Pick<TemporaryPassword, "user_id">, TemporaryPassword>;
  /** Tokens that holders of an earlier key of the state may know, ended ones included: see {@link exposed}. */
  readonly exposedTokens: EntryList<Pick<ExposedToken, "serial">, ExposedToken>;
  readonly objects: ObjectEntries;

  readonly #key: Buffer | undefined;
  readonly #changed: () => void;
  readonly #neighbours: () => readonly Neighbour[];

  /**
   * @param isClosed true if there is a state that this run cannot open: its content is unknown
   * @param isMoved chooses the entries of other parts that are moved into this part
   */
  constructor(
    document: StateDocument,
    name: PartName,
    readonly isClosed = false,
    isMoved: MovesFrom = () => false,
  ) {
    this.moved = document.move(name, isMoved);
    const lasting = document.writable || document.wasKept(name);
    const part = document.part(name);
    this.name = name;
    this.exists = isClosed || document.wasKept(name);
    this.isStateThere = document.existed;
    this.#neighbours = () => document.keptBeside(name).map(neighbourOf);
    this.#key = lasting ? (part.digestKey ?? part.key) : undefined;
    this.#changed = () => document.changed();
    const { entries, objects } = part;
    this.tokens = new EntryList(entries.tokens, tokenKind, this.#changed);
    this.intents = new EntryList(entries.intents, intentKind, this.#changed);
    this.failedRevocations = new EntryList(entries.failedRevocations, failedRevocationKind, this.#changed);
    this.possiblyIssued = new EntryList(entries.possiblyIssued, possiblyIssuedKind, this.#changed);
    this.temporaryPasswords = new EntryList(entries.temporaryPasswords, temporaryPasswordKind, this.#changed);
    this.exposedTokens = new EntryList(entries.exposedTokens, exposedTokenKind, this.#changed);
    this.objects = new ObjectEntries(objects, this.#changed, isClosed);
  }

  /** Exposed tokens that are still valid, as far as the state knows. */
  exposed(): readonly ExposedToken[] {
    const good = new Set([
      ...this.tokens
        .list()
        .flatMap(({ record, previous }) => [record.serial, ...previous.map(({ serial }) => serial)]),
      ...this.failedRevocations.list().map(({ serial }) => serial),
    ]);
    return this.exposedTokens.list().filter(({ serial }) => good.has(serial));
  }

  /** The state's other entries. A helper shows one part at a time, so there nothing is known of others. */
  get neighbours(): readonly Neighbour[] {
    return this.#neighbours();
  }

  /**
   * Makes sure that the next save keeps this part, be it empty: later runs then see that it was made.
   * @param tokens declared tokens whose users are live
   */
  make(tokens: readonly PossiblyIssuedToken[]): void {
    this.#changed();
    for (const token of tokens)
      if (this.tokens.get({ ...token, name: token.name ?? "" }) === undefined) this.possiblyIssued.put(token);
  }

  /**
   * A key for digests that are kept elsewhere, such as those in a saved plan: another one for each purpose.
   * @returns 32 bytes; undefined if nothing is kept yet, so that there is no key that would last
   */
  digestKey(purpose: string): Buffer | undefined {
    return this.#key && Buffer.from(hkdfSync("sha256", this.#key, "", `tenancy ${purpose}`, 32));
  }
}

function neighbourOf({ origin, stack, provider, entries, objects }: Part): Neighbour {
  const profiles = [...objects.objects].flatMap(([key, { uuid }]) =>
    uuid !== "" && key.startsWith(PROFILE_PREFIX) ? [key] : [],
  );
  const identities = [...entries.tokens.values()].map(({ login, name }) => ({ login, name }));
  return {
    origin,
    stack,
    provider,
    tokens: identities,
    logins: new Set([
      ...identities.map(({ login }) => normalForm(login)),
      ...profiles.map((key) => key.slice(PROFILE_PREFIX.length)),
    ]),
  };
}

/** The part of a state that the run cannot open. It is empty, and takes no changes. */
export function closedPart(name: PartName): StatePart {
  return new StatePart(StateDocument.empty(false), name, true);
}

/** The entry of one object while it is changed. */
import { equal, formatPath, type ObjectValue, type Path, type Value } from "../lib/values";
import {
  isEmpty,
  type ManagedRecord,
  type ObjectEntry,
  RECORD_MEMBERS,
  type SentVersion,
} from "./object-document";
import { saltedHash } from "./secret-hash";

/** The ends of an object's access, as an apply leaves them. */
export interface RememberedEnds {
  /** Last days of rights, and of `access`. */
  readonly days: Readonly<Record<string, string>>;
  /** True if rights may be granted without being declared. */
  readonly areRightsOpen: boolean;
}

/** The values of an object after an apply. */
export interface LeftValues {
  /** The values that the service shows, by attribute path. */
  readonly left: ObjectValue;
  /** Null if the object is not declared; undefined if the declaration is not wholly known. */
  readonly declaration: ObjectValue | null | undefined;
  /** Paths of the declared values that came from sensitive variables. @default none */
  readonly sensitive?: readonly Path[];
}

/** The entry of one object while it is changed. */
export class ObjectDraft {
  readonly #entry: { -readonly [Name in keyof ObjectEntry]?: ObjectEntry[Name] | undefined };
  readonly #put: (entry: ObjectEntry) => void;
  readonly #secrets: Record<string, SentVersion>;
  readonly #sent: Record<string, Value>;
  readonly #pending: Set<string>;
  readonly #onlyRecorded: Set<string>;

  /** @param putEntry called by {@link keep} */
  constructor(entry: ObjectEntry, putEntry: (entry: ObjectEntry) => void) {
    this.#entry = { ...entry };
    this.#put = putEntry;
    this.#secrets = { ...entry.secrets };
    this.#sent = { ...entry.sent };
    this.#pending = new Set(entry.pending);
    this.#onlyRecorded = new Set(entry.only_recorded);
  }

  /** @param secret the value itself, of which only a salted hash is kept; left out where it is not at hand */
  async noteVersion(path: Path, version: SentVersion["version"], secret?: string): Promise<void> {
    const hash = secret === undefined ? null : await saltedHash(secret);
    this.#secrets[this.#known(path)] = { version, hash };
  }

  noteValue(path: Path, value: Value): void {
    this.#sent[this.#known(path)] = value;
  }

  #known(path: Path): string {
    const name = formatPath(path);
    this.#pending.delete(name);
    this.#onlyRecorded.delete(name);
    return name;
  }

  /** @returns undefined if no value is remembered */
  isSameValue(path: Path, value: Value): boolean | undefined {
    const name = formatPath(path);
    if (this.#pending.has(name)) return false;
    return this.#sent[name] === undefined ? undefined : equal(this.#sent[name], value);
  }

  isOnlyRecorded(path: Path): boolean {
    return this.#onlyRecorded.has(formatPath(path));
  }

  /** Notes that a version or a value, which is remembered already, was never sent. */
  markOnlyRecorded(path: Path): void {
    this.#onlyRecorded.add(formatPath(path));
  }

  noteSuspended(isSuspended: boolean): void {
    this.#entry.suspended = isSuspended || undefined;
  }

  noteRetained(isRetained: boolean): void {
    this.#entry.retained = isRetained || undefined;
  }

  noteRecord(record: ManagedRecord): void {
    const names = RECORD_MEMBERS.filter((name) => record[name] !== undefined);
    this.#entry.record = Object.fromEntries(names.map((name) => [name, record[name]]));
  }

  noteEnds({ days, areRightsOpen }: RememberedEnds): void {
    this.#entry.until = days;
    this.#entry.rights_open = areRightsOpen || undefined;
  }

  notePrivileges(privileges: ObjectValue): void {
    this.#entry.accepted = privileges;
  }

  /** Notes the values after the apply, so that no run counts as writing the object any longer. */
  noteLeft({ left, declaration, sensitive = [] }: LeftValues): void {
    this.#entry.shown = left;
    this.#entry.applied = declaration;
    this.#entry.sensitive = sensitive.map(formatPath);
    this.#entry.writing = undefined;
  }

  keep(): void {
    const members = {
      ...this.#entry,
      sent: this.#sent,
      secrets: this.#secrets,
      pending: [...this.#pending],
      only_recorded: [...this.#onlyRecorded],
    };
    // A member that says nothing is not there.
    const entry = Object.entries(members).filter(
      ([name, value]) => value !== undefined && (EMPTY_MEMBERS.has(name) || !isEmpty(value)),
    );
    this.#put(Object.fromEntries(entry) as unknown as ObjectEntry);
  }
}

/** Members that say that there was no value, where they are empty. */
const EMPTY_MEMBERS: ReadonlySet<string> = new Set(["applied", "shown", "accepted"]);

/** The memory of one object while it is changed. */
import { createHash } from "node:crypto";
import {
  type AppliedValues,
  formatPath,
  type Layout,
  type ObjectValue,
  type Path,
  sortedJson,
  type Value,
} from "../lib/values";
import type { ObjectDigests } from "./memory-digests";
import { type ManagedRecord, type ObjectEntry, RECORD_MEMBERS, type SentVersion } from "./memory-document";
import { saltedHash } from "./secret-hash";

/** The ends of an object's access, as an apply leaves them. */
export interface RememberedEnds {
  /** Last days of rights, and of `access`. */
  readonly days: Readonly<Record<string, string>>;
  /** True if rights may be granted without being declared. */
  readonly areRightsOpen: boolean;
}

/** The name under which a suspension is remembered. No attribute has it. */
export const SUSPENDED: Path = ["suspended"];

/** Puts a changed entry in, with the tables' rows that it names. */
type PutEntry = (
  rows: { readonly layout: Layout | undefined; readonly privileges: ObjectValue | undefined },
  entry: ObjectEntry,
) => void;

/** The memory of one object while it is changed. */
export class ObjectDraft {
  readonly #entry: ObjectEntry;
  readonly #versions: Record<string, SentVersion>;
  readonly #sent: Record<string, string>;
  readonly #onlyRecorded: Set<string>;
  readonly #digests: ObjectDigests;
  readonly #put: PutEntry;
  #record: ManagedRecord | undefined;
  #ends: RememberedEnds | undefined;
  #privileges: ObjectValue | undefined;
  #isRetained: boolean;
  #left: { readonly text: string; readonly layout: Layout } | undefined;

  /** @param putEntry called by {@link keep} */
  constructor(entry: ObjectEntry, digests: ObjectDigests, putEntry: PutEntry) {
    this.#entry = entry;
    this.#versions = { ...entry.write_only };
    this.#sent = { ...entry.digests };
    this.#onlyRecorded = new Set(entry.only_recorded);
    this.#isRetained = entry.retained === true;
    this.#digests = digests;
    this.#put = putEntry;
  }

  /** @param secret the value itself, of which only a salted hash is kept; left out where it is not at hand */
  async noteVersion(path: Path, version: SentVersion["version"], secret?: string): Promise<void> {
    const name = formatPath(path);
    this.#versions[name] = { version, hash: secret === undefined ? null : await saltedHash(secret) };
    this.#onlyRecorded.delete(name);
  }

  noteValue(path: Path, value: Value): void {
    const name = formatPath(path);
    this.#sent[name] = this.#digests.sent(name, value);
    this.#onlyRecorded.delete(name);
  }

  /** @returns undefined if no value is remembered */
  isSameValue(path: Path, value: Value): boolean | undefined {
    const name = formatPath(path);
    const digest = this.#sent[name];
    return digest === undefined ? undefined : digest === this.#digests.sent(name, value);
  }

  isOnlyRecorded(path: Path): boolean {
    return this.#onlyRecorded.has(formatPath(path));
  }

  /** Notes that a version or a value, which is remembered already, was never sent. */
  markOnlyRecorded(path: Path): void {
    this.#onlyRecorded.add(formatPath(path));
  }

  noteSuspended(isSuspended: boolean): void {
    if (isSuspended) this.noteValue(SUSPENDED, true);
    else delete this.#sent[formatPath(SUSPENDED)];
  }

  noteRetained(isRetained: boolean): void {
    this.#isRetained = isRetained;
  }

  noteRecord(record: ManagedRecord): void {
    const names = RECORD_MEMBERS.filter((name) => record[name] !== undefined);
    this.#record = Object.fromEntries(names.map((name) => [name, record[name]]));
  }

  noteEnds(ends: RememberedEnds): void {
    this.#ends = ends;
  }

  notePrivileges(privileges: ObjectValue): void {
    this.#privileges = privileges;
  }

  /** Notes the values after the apply, so that the object is pending no longer. */
  noteLeft(appliedValues: AppliedValues, declaration: Value | undefined): void {
    this.#left = { text: this.#digests.pack(appliedValues, declaration), layout: appliedValues.layout };
  }

  keep(): void {
    const members = {
      ...this.#entry,
      write_only: this.#versions,
      digests: this.#sent,
      only_recorded: [...this.#onlyRecorded],
      left: this.#left?.text ?? this.#entry.left,
      record: this.#record ?? this.#entry.record,
      ends: this.#ends?.days ?? this.#entry.ends,
      rights_open:
        (this.#ends === undefined ? this.#entry.rights_open : this.#ends.areRightsOpen) || undefined,
      privileges:
        this.#privileges === undefined
          ? this.#entry.privileges
          : createHash("sha256").update(sortedJson(this.#privileges)).digest("base64url").slice(0, 16),
      retained: this.#isRetained || undefined,
      pending: this.#left === undefined ? this.#entry.pending : undefined,
    };
    // A member that says nothing is not there.
    const entry = Object.entries(members).filter(
      ([, value]) => value !== undefined && (typeof value !== "object" || Object.keys(value).length > 0),
    );
    const rows = { layout: this.#left?.layout, privileges: this.#privileges };
    this.#put(rows, Object.fromEntries(entry) as unknown as ObjectEntry);
  }
}

/** One list of the service, with an index for each way in which records are looked up. */
import type { CommonRecord } from "../../api";
import { familyOf, uuidVersion } from "../../ownership";
import { normalForm } from "../../values";

/** Indexes are made when first asked for: a plan in which nothing changes needs few of them. */
export class Register<T extends CommonRecord> {
  readonly #indexes = new Map<string, ReadonlyMap<string, T>>();
  readonly #groups = new Map<string, ReadonlyMap<string, readonly T[]>>();

  constructor(readonly records: readonly T[]) {}

  /** The record whose member has this value; of several, the last. */
  find(member: string, value: string): T | undefined {
    let index = this.#indexes.get(member);
    if (index === undefined) {
      const made = new Map<string, T>();
      for (const record of this.records) {
        const key = record[member];
        if (typeof key === "string") made.set(comparable(member, key), record);
      }
      index = made;
      this.#indexes.set(member, index);
    }
    return index.get(comparable(member, value));
  }

  /** The record with this id or serial. */
  findById(idOrSerial: string): T | undefined {
    return this.find("id", idOrSerial) ?? this.find("serial", idOrSerial);
  }

  /** Every record whose member has this value. */
  all(member: string, value: string): readonly T[] {
    return this.#grouped(member, (record) => record[member]).get(value) ?? [];
  }

  /** Records whose uuid is of this family, whatever the generation (see `ownership`). */
  ofFamily(family: string): readonly T[] {
    return this.#grouped("family", familyOfRecord).get(family) ?? [];
  }

  #grouped(name: string, keyOf: (record: T) => unknown): ReadonlyMap<string, readonly T[]> {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const groups = new Map<string, T[]>();
    for (const record of this.records) {
      const key = keyOf(record);
      if (typeof key !== "string") continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
    this.#groups.set(name, groups);
    return groups;
  }
}

function familyOfRecord({ uuid }: CommonRecord): string | undefined {
  if (typeof uuid !== "string") return undefined;
  const version = uuidVersion(uuid);
  return version === 5 || version === 8 ? familyOf(uuid) : undefined;
}

/** Uuids are the same in either case, names in any Unicode form. */
function comparable(member: string, value: string): string {
  return member === "uuid" ? value.toLowerCase() : normalForm(value);
}

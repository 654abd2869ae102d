/** Encodes values for Terraform. */
import {
  isList,
  isNumber,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ObjectValue,
  type Unknown,
  type Value,
} from "../../values";
import { REFINED } from "./decode";
import { MsgpackWriter } from "./msgpack";
import {
  type Bound,
  fits,
  formatType,
  impliedType,
  Nonconformity,
  normalForm,
  normalString,
  type WireDetails,
  RefinedUnknown,
  refinementKeys,
  type Refinements,
  refinementsOf,
  type Type,
} from "./values";

export interface EncodeOptions {
  /** Whether a part of the value may be unknown. */
  readonly unknowns: boolean;
  /** Whether an attribute that an object lacks is null, instead of a mistake. */
  readonly lacking?: "null" | "refused";
}

/**
 * Encodes a value as MessagePack, and checks it against its type on the way.
 * @throws Nonconformity where the value is of another type, an object has other attributes than its type, or a part is
 * unknown that must not be.
 */
export function encodeValue(value: Value, type: Type, details: WireDetails, options: EncodeOptions): Buffer {
  const writer = new MsgpackWriter();
  new Encoder(writer, details, options).value(value, type);
  return writer.finish();
}

class Encoder {
  readonly #writer: MsgpackWriter;
  readonly #details: WireDetails;
  readonly #options: EncodeOptions;
  /** Where the value stands that is being encoded. */
  readonly #path: (string | number)[] = [];

  constructor(writer: MsgpackWriter, details: WireDetails, options: EncodeOptions) {
    this.#writer = writer;
    this.#details = details;
    this.#options = options;
  }

  value(value: Value | undefined, type: Type): void {
    if (type === "dynamic") return this.#dynamic(value);
    if (value === null) return this.#writer.nil();
    if (isUnknown(value)) return this.#unknown(value, type);
    if (type === "string") {
      if (typeof value !== "string") throw this.#mismatch(type, value);
      return this.#writer.string(normalString(value));
    }
    if (type === "bool") {
      if (typeof value !== "boolean") throw this.#mismatch(type, value);
      return this.#writer.bool(value);
    }
    if (type === "number") {
      if (!isNumber(value) || Number.isNaN(value)) throw this.#mismatch(type, value);
      return writeNumber(this.#writer, value, this.#details);
    }
    if (type[0] === "list" || type[0] === "set" || type[0] === "tuple") {
      if (!isList(value)) throw this.#mismatch(type, value);
      if (type[0] === "list") return this.#list(value, type[1]);
      if (type[0] === "set") return this.#set(value, type[1]);
      return this.#tuple(value, type[1]);
    }
    if (!isObject(value)) throw this.#mismatch(type, value);
    if (type[0] === "map") return this.#map(value, type[1]);
    return this.#object(value, type[1]);
  }

  #part(step: string | number, value: Value | undefined, type: Type): void {
    this.#path.push(step);
    this.value(value, type);
    this.#path.pop();
  }

  #list(list: readonly Value[], type: Type): void {
    this.#writer.array(list.length);
    for (let index = 0; index < list.length; index++) this.#part(index, list[index], type);
  }

  /** Equal elements of a set are one. */
  #set(set: readonly Value[], type: Type): void {
    const close = this.#writer.openArray();
    const seen = new Set<string>();
    let count = 0;
    for (let index = 0; index < set.length; index++) {
      const start = this.#writer.length;
      this.#part(index, set[index], type);
      const written = this.#writer.since(start);
      // Two unknown elements may yet turn out to be different.
      if (seen.has(written) && isWhollyKnown(set[index] as Value)) this.#writer.rewind(start);
      else count++;
      seen.add(written);
    }
    close(count);
  }

  #tuple(tuple: readonly Value[], types: readonly Type[]): void {
    if (tuple.length !== types.length) {
      throw new Nonconformity([...this.#path], `a tuple of ${types.length}`, `one of ${tuple.length}`);
    }
    this.#writer.array(types.length);
    types.forEach((type, index) => this.#part(index, tuple[index], type));
  }

  #map(map: ObjectValue, type: Type): void {
    const keys = Object.keys(map);
    this.#writer.map(keys.length);
    for (const key of keys) {
      this.#writer.string(normalString(key));
      this.#part(key, map[key], type);
    }
  }

  #object(object: ObjectValue, types: Readonly<Record<string, Type>>): void {
    for (const name of Object.keys(object)) {
      if (Object.hasOwn(types, name)) continue;
      throw new Nonconformity([...this.#path, name], "absent", "an attribute that the schema lacks");
    }
    const names = Object.keys(types);
    this.#writer.map(names.length);
    for (const name of names) {
      this.#writer.string(name);
      const member = Object.hasOwn(object, name) ? object[name] : undefined;
      const value = member === undefined && this.#options.lacking === "null" ? null : member;
      this.#part(name, value, types[name] as Type);
    }
  }

  #dynamic(given: Value | undefined): void {
    if (given === undefined) throw this.#mismatch("dynamic", given);
    const value = normalForm(given);
    const type = this.#typeOfDynamic(value);
    if (type === undefined) {
      if (isUnknown(value)) return this.#unknown(value, "dynamic");
      return this.#writer.nil();
    }
    this.#writer.array(2);
    this.#writer.binary(Buffer.from(JSON.stringify(type)));
    this.value(value, type);
  }

  /** The type to send along: that which a like value brought here in the same call, else that which the value implies. */
  #typeOfDynamic(value: Value): Type | undefined {
    if (isUnknown(value)) return value instanceof RefinedUnknown ? value.type : undefined;
    const brought = this.#details.typeAt(JSON.stringify(this.#path), value === null);
    if (brought !== undefined && fits(value, brought)) return brought;
    const implied = impliedType(value);
    return implied === "dynamic" ? undefined : implied;
  }

  #unknown(value: Unknown, type: Type): void {
    if (!this.#options.unknowns)
      throw new Nonconformity([...this.#path], `a known ${formatType(type)}`, "unknown");
    encodeUnknown(this.#writer, value, type, this.#details);
  }

  #mismatch(type: Type, value: unknown): Nonconformity {
    return new Nonconformity([...this.#path], `a ${formatType(type)} or null`, describe(value));
  }
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (Number.isNaN(value)) return "not a number";
  if (typeof value === "boolean") return "a bool";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * Writes a number so that Terraform, which counts in 512 bits, reads the number that is meant: whole ones as integers or
 * digits, fractions as decimal digits. As binary floating point 0.1 would be a little more than 0.1, and even a number that
 * is exact in it would not equal itself: Terraform compares digits, and writes fewer of them for a number of 53 bits.
 */
function writeNumber(writer: MsgpackWriter, value: number | bigint, details: WireDetails): void {
  if (typeof value === "bigint") return writeInteger(writer, value);
  if (Number.isSafeInteger(value)) return writer.integer(value === 0 ? 0 : value);
  if (!Number.isFinite(value)) return writer.float(value);
  if (Number.isInteger(value)) return writeInteger(writer, BigInt(value));
  writer.string(details.writeNumeral(value));
}

function writeInteger(writer: MsgpackWriter, value: bigint): void {
  if (BigInt.asIntN(64, value) === value) writer.integer(value);
  else writer.string(value.toString());
}

const BARE_UNKNOWN = new Uint8Array(1);

/** Writes an unknown value with what is certain of it, as far as it applies to the type. */
function encodeUnknown(writer: MsgpackWriter, value: Unknown, type: Type, details: WireDetails): void {
  const entries = type === "dynamic" ? [] : refinementEntries(refinementsOf(value), type, details);
  if (entries.length === 0) return writer.extension(0, BARE_UNKNOWN);
  const body = new MsgpackWriter();
  body.map(entries.length);
  for (const [key, write] of entries) {
    body.integer(key);
    write(body);
  }
  writer.extension(REFINED, body.finish());
}

type Entry = readonly [key: number, write: (writer: MsgpackWriter) => void];

function refinementEntries(refinements: Refinements, type: Type, details: WireDetails): readonly Entry[] {
  const { notNull, prefix, atLeast, atMost, minLength, maxLength } = refinements;
  const isCollection = typeof type !== "string" && type[0] !== "object" && type[0] !== "tuple";
  const entries: Entry[] = [];
  const bound = (key: number, { value, inclusive }: Bound): Entry => [
    key,
    (writer) => {
      writer.array(2);
      writeNumber(writer, value, details);
      writer.bool(inclusive);
    },
  ];
  if (notNull === true) entries.push([refinementKeys.nullness, (writer) => writer.bool(false)]);
  if (type === "string" && prefix) entries.push([refinementKeys.prefix, (writer) => writer.string(prefix)]);
  if (type === "number" && atLeast) entries.push(bound(refinementKeys.atLeast, atLeast));
  if (type === "number" && atMost) entries.push(bound(refinementKeys.atMost, atMost));
  if (isCollection && minLength)
    entries.push([refinementKeys.minLength, (writer) => writer.integer(minLength)]);
  if (isCollection && maxLength !== undefined) {
    entries.push([refinementKeys.maxLength, (writer) => writer.integer(maxLength)]);
  }
  return entries;
}

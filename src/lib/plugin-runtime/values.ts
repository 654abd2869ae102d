/** Values on their way: in MessagePack, as Terraform sends and takes them, and in the JSON of stored states. Both go by a type. */
import { decode, Encoder, ExtData } from "@msgpack/msgpack";
import {
  emptyObject,
  formatPath,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  normalForm,
  normalNumber,
  type ObjectValue,
  parseNumber,
  type Path,
  type TerraformType,
  Unknown,
  UNKNOWN,
  type Value,
} from "../values";

/** Bytes or a stored value that break the protocol. */
export class Malformed extends Error {
  constructor(what: string) {
    super(what);
    this.name = "Malformed";
  }
}

/**
 * An unknown with known properties: that it is not null, its prefix, its bounds. Core compares the applied value with these promises, so
 * they are passed on unchanged.
 */
export class RefinedUnknown extends Unknown {
  readonly refinements: Uint8Array;

  constructor(refinements: Uint8Array) {
    super();
    this.refinements = refinements;
  }
}

/** Extensions of MessagePack: an unknown value, and one with refinements. */
const BARE = new ExtData(0, new Uint8Array(1));
const REFINED = 12;

/** A value that its schema doesn't allow. The message names only kinds, never contents: these may be secret. */
export class Nonconformity extends Error {
  readonly path: Path;

  constructor(path: Path, expectation: string, actual: string) {
    super(`${path.length === 0 ? "the value" : formatPath(path)} must be ${expectation}, but is ${actual}`);
    this.name = "Nonconformity";
    this.path = path;
  }
}

/**
 * Decodes one value of the given type from MessagePack.
 * @throws Malformed if the bytes hold no such value.
 */
export function decodeValue(bytes: Uint8Array, type: TerraformType): Value {
  return valueOfType(fromMsgpack(bytes), type);
}

function fromMsgpack(bytes: Uint8Array): unknown {
  // Each element takes a byte at least, so nothing greater is allocated on the word of a header alone.
  const most = { maxArrayLength: bytes.length, maxMapLength: bytes.length };
  try {
    return decode(bytes, { ...most, useBigInt64: true, keyDecoder });
  } catch (error) {
    throw new Malformed(error instanceof Error ? error.message : String(error));
  }
}

/** No person writes a numeral of this length, and parsing it would delay every other call. */
const LONGEST_NUMERAL = 10_000;

/**
 * Reads a decimal numeral: an integer exactly, a fraction as the nearest double.
 * @throws Malformed if the text is no number, or a fraction so close to an integer that it would be taken for one.
 */
function readNumeral(text: string): number | bigint {
  const number = text.length > LONGEST_NUMERAL ? undefined : parseNumber(text);
  if (number === undefined) throw new Malformed("a numeral has other characters than digits, or too many");
  const isExact = typeof number === "bigint" || (Number.isFinite(number) && !Number.isInteger(number));
  if (!isExact && !/^-?\d+$/.test(text)) throw new Malformed("a fraction has more digits than can be held");
  return number;
}

/** Replaces the key `__proto__`, which the MessagePack library refuses. No text of Terraform's has half a character. */
const PROTO_KEY = "\ud800";

const keyDecoder = {
  canBeCached: (length: number) => length === "__proto__".length,
  decode(bytes: Uint8Array, start: number, length: number): string {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString();
    return key === "__proto__" ? PROTO_KEY : key;
  },
};

/**
 * Reads a value of the given type, from MessagePack or from the JSON in which states are stored. If an object has other attributes than its
 * type, as after a change of the schema that needed no new version, the missing ones are null and the others are dropped.
 * @throws Malformed if a value is of another type.
 */
export function valueOfType(value: unknown, type: TerraformType): Value {
  if (value === null || value === undefined) return null;
  if (value instanceof ExtData) return unknownOf(value);
  if (type === "number" && typeof value === "string") return readNumeral(value);
  if (type === "number" && isFiniteNumber(value)) return normalNumber(value);
  if (type === "string" && typeof value === "string") return value;
  if (type === "bool" && typeof value === "boolean") return value;
  if (typeof type === "string") throw new Malformed(`a value is not of the type ${type}`);
  if (isMap(value) && type[0] === "object") {
    const member = (name: string) => (Object.hasOwn(value, name) ? value[name] : null);
    return mapMembers(type[1], (of, name) => valueOfType(member(name), of));
  }
  if (isMap(value) && type[0] === "map") return mapMembers(value, (element) => valueOfType(element, type[1]));
  if (Array.isArray(value) && (type[0] === "list" || type[0] === "set"))
    return value.map((element) => valueOfType(element, type[1]));
  throw new Malformed(`a value is not of the type ${type[0]}`);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function unknownOf({ type, data }: ExtData): Unknown {
  const body = typeof data === "function" ? data(0) : data;
  if (body.length <= 1) return UNKNOWN;
  if (type !== REFINED) throw new Malformed(`extension ${type} is none of Terraform's`);
  return new RefinedUnknown(body);
}

function mapMembers<T>(
  members: Readonly<Record<string, T>>,
  map: (member: T, name: string) => Value,
): ObjectValue {
  const object = emptyObject();
  for (const [name, member] of Object.entries(members))
    object[name === PROTO_KEY ? "__proto__" : name] = map(member, name);
  return object;
}

export interface EncodeOptions {
  /** True if a part of the value may be unknown. */
  readonly unknowns: boolean;
  /** An attribute that an object lacks is null, or a mistake. @default "refused" */
  readonly lacking?: "null" | "refused";
}

const encoder = new Encoder({ useBigInt64: true });

/**
 * Encodes a value as MessagePack, and checks it against its type on the way.
 * @throws Nonconformity if the value is of another type, an object has other attributes than its type, or a part is unknown that must
 * not be.
 */
export function encodeValue(value: Value, type: TerraformType, options: EncodeOptions): Buffer {
  return Buffer.from(encoder.encodeSharedRef(new Checker(options).wireValue(value, type)));
}

/** Makes values of what the MessagePack library writes as Terraform reads it. */
class Checker {
  readonly #options: EncodeOptions;
  /** Path of the value that is being checked. */
  readonly #path: (string | number)[] = [];

  constructor(options: EncodeOptions) {
    this.#options = options;
  }

  wireValue(value: Value | undefined, type: TerraformType): unknown {
    if (value === null) return null;
    if (isUnknown(value)) return this.#unknown(value, type);
    if (type === "string" && typeof value === "string") return wireText(value);
    if (type === "bool" && typeof value === "boolean") return value;
    if (type === "number" && isFiniteNumber(value)) return wireNumber(value);
    if (typeof type !== "string" && isList(value)) {
      if (type[0] === "list") return this.#elements(value, type[1]);
      if (type[0] === "set") return this.#set(value, type[1]);
    }
    if (typeof type !== "string" && isObject(value)) {
      if (type[0] === "map") return this.#map(value, type[1]);
      if (type[0] === "object") return this.#object(value, type[1]);
    }
    throw new Nonconformity([...this.#path], `a ${formatType(type)} or null`, describeKind(value));
  }

  #part(step: string | number, value: Value | undefined, type: TerraformType): unknown {
    this.#path.push(step);
    const part = this.wireValue(value, type);
    this.#path.pop();
    return part;
  }

  #elements(list: readonly Value[], type: TerraformType): readonly unknown[] {
    return Array.from(list, (element, index) => this.#part(index, element, type));
  }

  /** Equal elements of a set are one. */
  #set(set: readonly Value[], type: TerraformType): readonly unknown[] {
    const elements = new Set<string>();
    return this.#elements(set, type).filter((element, index) => {
      // Two unknown elements may yet turn out to be different.
      if (!isWhollyKnown(set[index] as Value)) return true;
      const bytes = Buffer.from(encoder.encodeSharedRef(element)).toString("latin1");
      return elements.size < elements.add(bytes).size;
    });
  }

  #map(map: ObjectValue, type: TerraformType): object {
    const members = Object.create(null) as Record<string, unknown>;
    for (const key of Object.keys(map)) members[wireText(key)] = this.#part(key, map[key], type);
    return members;
  }

  #object(object: ObjectValue, types: Readonly<Record<string, TerraformType>>): object {
    for (const name of Object.keys(object)) {
      if (Object.hasOwn(types, name)) continue;
      throw new Nonconformity([...this.#path, name], "absent", "an attribute that the schema lacks");
    }
    const members = Object.create(null) as Record<string, unknown>;
    for (const name of Object.keys(types)) {
      const member = Object.hasOwn(object, name) ? object[name] : undefined;
      const value = member === undefined && this.#options.lacking === "null" ? null : member;
      members[name] = this.#part(name, value, types[name] as TerraformType);
    }
    return members;
  }

  #unknown(value: Unknown, type: TerraformType): ExtData {
    if (!this.#options.unknowns)
      throw new Nonconformity([...this.#path], `a known ${formatType(type)}`, "unknown");
    return value instanceof RefinedUnknown ? new ExtData(REFINED, value.refinements) : BARE;
  }
}

/** Half a character would break the whole message. */
const wireText = (text: string): string => normalForm(text.toWellFormed());

function isFiniteNumber(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isFinite(value);
}

/**
 * A number so that Terraform, which counts in 512 bits, reads the number that is meant: whole ones as integers or digits, fractions as
 * decimal digits. As binary floating point 0.1 would be a little more than 0.1, and even a number that is exact in it would not equal
 * itself: Terraform compares digits, and writes fewer of them for a number of 53 bits.
 */
function wireNumber(value: number | bigint): number | bigint | string {
  if (typeof value === "number" && !Number.isInteger(value)) return String(value);
  const integer = BigInt(value);
  // The library writes a longer `number` as binary floating point.
  if (BigInt.asIntN(32, integer) === integer) return Number(integer);
  return BigInt.asIntN(64, integer) === integer ? integer : integer.toString();
}

/** A type as a reader would say it, for messages. */
function formatType(type: TerraformType): string {
  if (typeof type === "string") return type;
  return type[0] === "object" ? "object" : `${type[0]} of ${formatType(type[1])}`;
}

function describeKind(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" && !Number.isFinite(value)) return "not finite";
  if (typeof value === "boolean") return "a bool";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

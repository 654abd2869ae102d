/** Values on their way: in MessagePack, as Terraform sends and takes them, and in the JSON of stored states. Both go by a type. */
import {
  emptyObject,
  formatPath,
  isList,
  isNumber,
  isObject,
  isUnknown,
  isWhollyKnown,
  normalForm,
  type ObjectValue,
  parseNumber,
  type Path,
  type TerraformType,
  Unknown,
  UNKNOWN,
  type Value,
} from "../values";
import { Malformed, MsgpackReader, MsgpackWriter } from "./msgpack";

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
const BARE = 0;
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
  const reader = new MsgpackReader(bytes);
  const value = decode(reader, type);
  if (!reader.done) throw new Malformed("bytes are left over after the value");
  return value;
}

function decode(reader: MsgpackReader, type: TerraformType): Value {
  const kind = reader.peek();
  if (kind === "extension") return decodeUnknown(reader);
  if (kind === "nil") return reader.nil();
  if (type === "string") return reader.string();
  if (type === "bool") return reader.bool();
  if (type === "number") return kind === "string" ? readNumeral(reader.string()) : reader.number();
  if (type[0] === "object") return decodeObject(reader, type[1]);
  if (type[0] === "map") return decodeMap(reader, type[1]);
  const elements: Value[] = [];
  for (let count = reader.array(); count > 0; count--) elements.push(decode(reader, type[1]));
  return elements;
}

function decodeMap(reader: MsgpackReader, type: TerraformType): ObjectValue {
  const map = emptyObject();
  for (let count = reader.map(); count > 0; count--) {
    const key = reader.string();
    map[key] = decode(reader, type);
  }
  return map;
}

function decodeObject(reader: MsgpackReader, types: Readonly<Record<string, TerraformType>>): ObjectValue {
  const object = emptyObject();
  for (let count = reader.map(); count > 0; count--) {
    const name = reader.string();
    if (!Object.hasOwn(types, name)) throw new Malformed("an object has an attribute that its type lacks");
    object[name] = decode(reader, types[name] as TerraformType);
  }
  for (const name of Object.keys(types)) {
    if (!(name in object)) throw new Malformed("an object lacks an attribute of its type");
  }
  return object;
}

function decodeUnknown(reader: MsgpackReader): Unknown {
  const { type, body } = reader.extension();
  if (body.length <= 1) return UNKNOWN;
  if (type !== REFINED) throw new Malformed(`extension ${type} is none of Terraform's`);
  return new RefinedUnknown(body);
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

/**
 * Reads a value of the given type from its JSON, which is how states are stored. If an object has other attributes than its type, as after a
 * change of the schema that needed no new version, the missing ones are null and the others are dropped.
 * @throws Malformed if a value is of another type.
 */
export function valueFromJson(json: Value | undefined, type: TerraformType): Value {
  if (json === null || json === undefined) return null;
  if (type === "number" && typeof json === "string") return readNumeral(json);
  if (type === "number" && isNumber(json)) return json;
  if (type === "string" && typeof json === "string") return json;
  if (type === "bool" && typeof json === "boolean") return json;
  if (typeof type === "string") throw new Malformed(`a stored value is not of the type ${type}`);
  if (isObject(json) && type[0] === "object") {
    const member = (name: string) => (Object.hasOwn(json, name) ? json[name] : null);
    return mapMembers(type[1], (of, name) => valueFromJson(member(name), of));
  }
  if (isObject(json) && type[0] === "map")
    return mapMembers(json, (element) => valueFromJson(element, type[1]));
  if (isList(json) && (type[0] === "list" || type[0] === "set"))
    return json.map((element) => valueFromJson(element, type[1]));
  throw new Malformed(`a stored value is not of the type ${type[0]}`);
}

function mapMembers<T>(members: Readonly<Record<string, T>>, map: (member: T, name: string) => Value) {
  const object = emptyObject();
  for (const [name, member] of Object.entries(members)) object[name] = map(member, name);
  return object;
}

export interface EncodeOptions {
  /** True if a part of the value may be unknown. */
  readonly unknowns: boolean;
  /** An attribute that an object lacks is null, or a mistake. @default "refused" */
  readonly lacking?: "null" | "refused";
}

/**
 * Encodes a value as MessagePack, and checks it against its type on the way.
 * @throws Nonconformity if the value is of another type, an object has other attributes than its type, or a part is unknown that must
 * not be.
 */
export function encodeValue(value: Value, type: TerraformType, options: EncodeOptions): Buffer {
  const writer = new MsgpackWriter();
  new Encoder(writer, options).value(value, type);
  return writer.finish();
}

class Encoder {
  readonly #writer: MsgpackWriter;
  readonly #options: EncodeOptions;
  /** Path of the value that is being encoded. */
  readonly #path: (string | number)[] = [];

  constructor(writer: MsgpackWriter, options: EncodeOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  value(value: Value | undefined, type: TerraformType): void {
    if (value === null) return this.#writer.nil();
    if (isUnknown(value)) return this.#unknown(value, type);
    if (type === "string" && typeof value === "string") return this.#writer.string(normalForm(value));
    if (type === "bool" && typeof value === "boolean") return this.#writer.bool(value);
    if (type === "number" && isFiniteNumber(value)) return writeNumber(this.#writer, value);
    if (typeof type !== "string" && isList(value)) {
      if (type[0] === "list") return this.#list(value, type[1]);
      if (type[0] === "set") return this.#set(value, type[1]);
    }
    if (typeof type !== "string" && isObject(value)) {
      if (type[0] === "map") return this.#map(value, type[1]);
      if (type[0] === "object") return this.#object(value, type[1]);
    }
    throw new Nonconformity([...this.#path], `a ${formatType(type)} or null`, describeKind(value));
  }

  #part(step: string | number, value: Value | undefined, type: TerraformType): void {
    this.#path.push(step);
    this.value(value, type);
    this.#path.pop();
  }

  #list(list: readonly Value[], type: TerraformType): void {
    this.#writer.array(list.length);
    for (let index = 0; index < list.length; index++) this.#part(index, list[index], type);
  }

  /** Equal elements of a set are one. */
  #set(set: readonly Value[], type: TerraformType): void {
    const close = this.#writer.openArray();
    const elements = new Set<string>();
    let count = 0;
    for (let index = 0; index < set.length; index++) {
      const start = this.#writer.length;
      this.#part(index, set[index], type);
      const element = this.#writer.since(start);
      // Two unknown elements may yet turn out to be different.
      if (elements.has(element) && isWhollyKnown(set[index] as Value)) this.#writer.rewind(start);
      else count++;
      elements.add(element);
    }
    close(count);
  }

  #map(map: ObjectValue, type: TerraformType): void {
    const keys = Object.keys(map);
    this.#writer.map(keys.length);
    for (const key of keys) {
      this.#writer.string(normalForm(key));
      this.#part(key, map[key], type);
    }
  }

  #object(object: ObjectValue, types: Readonly<Record<string, TerraformType>>): void {
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
      this.#part(name, value, types[name] as TerraformType);
    }
  }

  #unknown(value: Unknown, type: TerraformType): void {
    if (!this.#options.unknowns)
      throw new Nonconformity([...this.#path], `a known ${formatType(type)}`, "unknown");
    if (value instanceof RefinedUnknown) this.#writer.extension(REFINED, value.refinements);
    else this.#writer.extension(BARE, BARE_BODY);
  }
}

const BARE_BODY = new Uint8Array(1);

function isFiniteNumber(value: Value | undefined): value is number | bigint {
  return typeof value === "bigint" || Number.isFinite(value);
}

/**
 * Writes a number so that Terraform, which counts in 512 bits, reads the number that is meant: whole ones as integers or digits, fractions as
 * decimal digits. As binary floating point 0.1 would be a little more than 0.1, and even a number that is exact in it would not equal
 * itself: Terraform compares digits, and writes fewer of them for a number of 53 bits.
 */
function writeNumber(writer: MsgpackWriter, value: number | bigint): void {
  if (Number.isSafeInteger(value)) return writer.integer(value === 0 ? 0 : value);
  if (typeof value === "number" && !Number.isInteger(value)) return writer.string(String(value));
  const integer = BigInt(value);
  if (BigInt.asIntN(64, integer) === integer) writer.integer(integer);
  else writer.string(integer.toString());
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

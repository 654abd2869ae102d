/** Decodes values from Terraform. */
import { parse as parseLossless } from "lossless-json";
import {
  emptyObject,
  isList,
  isNumber,
  isObject,
  isUnknown,
  type Path,
  type Unknown,
  UNKNOWN,
  type Value,
} from "../../values";
import { type Kind, Malformed, MsgpackReader } from "./msgpack";
import {
  type Bound,
  parseType,
  type WireDetails,
  RefinedUnknown,
  refinementKeys,
  type Refinements,
  refinementsOf,
  type Type,
} from "./values";

/**
 * Decodes one value of the given type from MessagePack. What a `Value` cannot hold goes to the details.
 * @throws Malformed where the bytes hold no such value.
 */
export function decodeValue(bytes: Uint8Array, type: Type, details: WireDetails, path: Path = []): Value {
  const reader = new MsgpackReader(bytes);
  const value = new Decoder(reader, details, path).value(type);
  if (!reader.done) throw new Malformed("bytes are left over after the value");
  return value;
}

class Decoder {
  readonly #reader: MsgpackReader;
  readonly #details: WireDetails;
  /** Where the value stands that is being decoded. */
  readonly #path: (string | number)[];
  readonly #onFloat: (float: number) => number;

  constructor(reader: MsgpackReader, details: WireDetails, path: Path) {
    this.#reader = reader;
    this.#details = details;
    this.#path = [...path];
    this.#onFloat = (float) => details.readFloat(float);
  }

  value(type: Type): Value {
    if (type === "dynamic") return this.#dynamic();
    const kind = this.#reader.peek();
    if (kind === "extension") return this.#unknown(type);
    if (kind === "nil") return this.#nil();
    if (type === "string") return this.#reader.string();
    if (type === "bool") return this.#reader.bool();
    if (type === "number") return this.#number(kind);
    switch (type[0]) {
      case "list":
      case "set":
        return this.#elements(this.#reader.array(), () => type[1]);
      case "tuple":
        return this.#tuple(type[1]);
      case "map":
        return this.#map(type[1]);
      case "object":
        return this.#object(type[1]);
    }
  }

  #part(step: string | number, type: Type): Value {
    this.#path.push(step);
    const value = this.value(type);
    this.#path.pop();
    return value;
  }

  #nil(): null {
    this.#reader.nil();
    return null;
  }

  #number(kind: Kind): number | bigint {
    if (kind === "string") return this.#details.readNumeral(this.#reader.string());
    return this.#reader.number(this.#onFloat);
  }

  #elements(length: number, typeOf: (index: number) => Type): readonly Value[] {
    const elements: Value[] = [];
    for (let index = 0; index < length; index++) elements.push(this.#part(index, typeOf(index)));
    return elements;
  }

  #tuple(types: readonly Type[]): readonly Value[] {
    const length = this.#reader.array();
    if (length !== types.length)
      throw new Malformed(`a tuple has ${length} members instead of ${types.length}`);
    return this.#elements(length, (index) => types[index] as Type);
  }

  #map(type: Type): Value {
    const map = emptyObject();
    for (let left = this.#reader.map(); left > 0; left--) {
      const key = this.#reader.string();
      map[key] = this.#part(key, type);
    }
    return map;
  }

  #object(types: Readonly<Record<string, Type>>): Value {
    const object = emptyObject();
    for (let left = this.#reader.map(); left > 0; left--) {
      const name = this.#reader.string();
      if (!Object.hasOwn(types, name)) throw new Malformed("an object has an attribute that its type lacks");
      object[name] = this.#part(name, types[name] as Type);
    }
    for (const name of Object.keys(types)) {
      if (!(name in object)) throw new Malformed("an object lacks an attribute of its type");
    }
    return object;
  }

  /** A value with its type: `[type as JSON, value]`; or null or unknown without one. */
  #dynamic(): Value {
    const place = JSON.stringify(this.#path);
    const kind = this.#reader.peek();
    if (kind !== "array") {
      this.#details.noteType(place, undefined);
      return kind === "extension" ? this.#unknown("dynamic") : this.#nil();
    }
    if (this.#reader.array() !== 2) throw new Malformed("a value of dynamic type is not a pair");
    const type = parseType(this.#reader.binary().toString());
    if (type === "dynamic") throw new Malformed("a value of dynamic type brings no type");
    this.#details.noteType(place, { type, isNull: this.#reader.peek() === "nil" });
    const value = this.value(type);
    return isUnknown(value) ? new RefinedUnknown(refinementsOf(value), type) : value;
  }

  #unknown(type: Type): Unknown {
    const { type: code, body } = this.#reader.extension();
    return body.length <= 1 ? UNKNOWN : decodeUnknown(code, body, type, this.#details);
  }
}

/** Extension code of an unknown value with refinements. */
export const REFINED = 12;

/** A longer description of an unknown value can only be an attack on our memory. */
const LONGEST_REFINEMENTS = 1024;

/** Reads what the body of an extension says of an unknown value. */
function decodeUnknown(code: number, body: Uint8Array, type: Type, details: WireDetails): Unknown {
  if (code !== REFINED) throw new Malformed(`extension ${code} is none of Terraform's`);
  if (body.length > LONGEST_REFINEMENTS)
    throw new Malformed("the refinements of an unknown value are too long");
  // Nothing is certain of a value of unknown type.
  if (type === "dynamic") return UNKNOWN;
  const reader = new MsgpackReader(body);
  let refinements: Refinements = {};
  for (let left = reader.map(); left > 0; left--) {
    const key = reader.number(refuseFraction);
    refinements = { ...refinements, ...readRefinement(Number(key), reader, details) };
  }
  return new RefinedUnknown(refinements);
}

function readRefinement(key: number, reader: MsgpackReader, details: WireDetails): Refinements {
  switch (key) {
    case refinementKeys.nullness:
      return { notNull: !reader.bool() };
    case refinementKeys.prefix:
      return { prefix: reader.string() };
    case refinementKeys.atLeast:
      return { atLeast: readBound(reader, details) };
    case refinementKeys.atMost:
      return { atMost: readBound(reader, details) };
    case refinementKeys.minLength:
      return { minLength: Number(reader.number(refuseFraction)) };
    case refinementKeys.maxLength:
      return { maxLength: Number(reader.number(refuseFraction)) };
    default:
      // Later versions of Terraform may be certain of more. Knowing less is safe.
      reader.skip();
      return {};
  }
}

function readBound(reader: MsgpackReader, details: WireDetails): Bound {
  if (reader.array() !== 2) throw new Malformed("a bound is not a pair");
  const value =
    reader.peek() === "string"
      ? details.readNumeral(reader.string())
      : reader.number((float) => details.readFloat(float));
  return { value, inclusive: reader.bool() };
}

function refuseFraction(): never {
  throw new Malformed("a whole number was expected");
}

/** Only a numeral of sixteen digits or more can lose something in `JSON.parse`. */
const LONG_NUMERAL = /\d[\d.]{15}/;

/** Parses JSON with every number exact: what a double cannot hold goes to the details. */
export function parseExact(text: string, details: WireDetails): Value {
  try {
    if (!LONG_NUMERAL.test(text)) return JSON.parse(text) as Value;
    return parseLossless(text, undefined, (numeral) => details.readNumeral(numeral)) as Value;
  } catch (error) {
    throw new Malformed(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Reads a value of the given type from its JSON form, which is how states are stored. Where an object has other attributes
 * than its type, as after a change of the schema that needed no new version, the missing ones are null and the others
 * are dropped.
 * @throws Malformed where a value is of another type.
 */
export function valueFromJson(
  json: Value | undefined,
  type: Type,
  details: WireDetails,
  path: Path = [],
): Value {
  if (json === null || json === undefined) {
    if (type === "dynamic") details.noteType(JSON.stringify(path), undefined);
    return null;
  }
  if (type === "dynamic") return dynamicFromJson(json, details, path);
  if (type === "number") return numberFromJson(json, details);
  if (type === "string" && typeof json === "string") return json;
  if (type === "bool" && typeof json === "boolean") return json;
  if (typeof type === "string") throw new Malformed(`a stored value is not of the type ${type}`);
  const part = (of: Type, step: string | number, member: Value | undefined): Value =>
    valueFromJson(member, of, details, [...path, step]);
  if (isList(json)) {
    if (type[0] === "list" || type[0] === "set")
      return json.map((element, index) => part(type[1], index, element));
    if (type[0] === "tuple") return type[1].map((member, index) => part(member, index, json[index]));
  }
  if (isObject(json) && (type[0] === "map" || type[0] === "object")) {
    const object = emptyObject();
    for (const name of Object.keys(type[0] === "map" ? json : type[1])) {
      const of = type[0] === "map" ? type[1] : (type[1][name] as Type);
      object[name] = part(of, name, Object.hasOwn(json, name) ? json[name] : null);
    }
    return object;
  }
  throw new Malformed(`a stored value is not of the type ${type[0]}`);
}

/** `{ "value": …, "type": … }` */
function dynamicFromJson(json: Value, details: WireDetails, path: Path): Value {
  if (!isObject(json) || !Object.hasOwn(json, "type"))
    throw new Malformed("a stored value of any type lacks its type");
  const type = parseType(JSON.stringify(json["type"]));
  const value = valueFromJson(json["value"], type, details, path);
  if (type !== "dynamic") details.noteType(JSON.stringify(path), { type, isNull: value === null });
  return value;
}

function numberFromJson(json: Value, details: WireDetails): Value {
  if (typeof json === "string") return details.readNumeral(json);
  if (!isNumber(json)) throw new Malformed("a stored value is not a number");
  return json;
}

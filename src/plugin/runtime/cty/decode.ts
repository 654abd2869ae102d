import { emptyObject, isUnknown, UNKNOWN, type Path, type Unknown, type Value } from "../../../values";
import { decodeUnknown } from "./decode-unknown";
import { Malformed } from "./malformed";
import { MsgpackReader } from "./msgpack-reader";
import { type Recollection } from "./recollection";
import { RefinedUnknown, refinementsOf } from "./refinement";
import { parseType, type Type } from "./type";

/**
 * Decodes one value of the given type from MessagePack. What a `Value` cannot hold goes to the recollection.
 * @throws Malformed where the bytes hold no such value.
 */
export function decodeValue(
  bytes: Uint8Array,
  type: Type,
  recollection: Recollection,
  path: Path = [],
): Value {
  const reader = new MsgpackReader(bytes);
  const value = new Decoder(reader, recollection).value(type, path);
  if (!reader.done) throw new Malformed("bytes are left over after the value");
  return value;
}

class Decoder {
  readonly #reader: MsgpackReader;
  readonly #recollection: Recollection;

  constructor(reader: MsgpackReader, recollection: Recollection) {
    this.#reader = reader;
    this.#recollection = recollection;
  }

  value(type: Type, path: Path): Value {
    if (type === "dynamic") return this.#dynamic(path);
    const kind = this.#reader.peek();
    if (kind === "extension") return this.#unknown(type);
    if (kind === "nil") {
      this.#reader.nil();
      return null;
    }
    if (type === "string") return this.#reader.string();
    if (type === "bool") return this.#reader.bool();
    if (type === "number") return this.#number(kind);
    switch (type[0]) {
      case "list":
      case "set":
        return this.#elements(this.#reader.array(), () => type[1], path);
      case "tuple":
        return this.#tuple(type[1], path);
      case "map":
        return this.#map(type[1], path);
      case "object":
        return this.#object(type[1], path);
    }
  }

  #number(kind: string): number | bigint {
    if (kind === "string") return this.#recollection.readNumeral(this.#reader.string());
    return this.#reader.number((float) => this.#recollection.readFloat(float));
  }

  #elements(length: number, typeOf: (index: number) => Type, path: Path): readonly Value[] {
    const elements: Value[] = [];
    for (let index = 0; index < length; index++) elements.push(this.value(typeOf(index), [...path, index]));
    return elements;
  }

  #tuple(types: readonly Type[], path: Path): readonly Value[] {
    const length = this.#reader.array();
    if (length !== types.length)
      throw new Malformed(`a tuple has ${length} members instead of ${types.length}`);
    return this.#elements(length, (index) => types[index] as Type, path);
  }

  #map(type: Type, path: Path): Value {
    const map = emptyObject();
    for (let left = this.#reader.map(); left > 0; left--) {
      const key = this.#reader.string();
      map[key] = this.value(type, [...path, key]);
    }
    return map;
  }

  #object(types: Readonly<Record<string, Type>>, path: Path): Value {
    const object = emptyObject();
    const length = this.#reader.map();
    for (let left = length; left > 0; left--) {
      const name = this.#reader.string();
      if (!Object.hasOwn(types, name)) throw new Malformed("an object has an attribute that its type lacks");
      object[name] = this.value(types[name] as Type, [...path, name]);
    }
    const names = Object.keys(types);
    if (names.length !== Object.keys(object).length)
      throw new Malformed("an object lacks an attribute of its type");
    return object;
  }

  /** A value with its type: `[type as JSON, value]`; or null or unknown without one. */
  #dynamic(path: Path): Value {
    const place = JSON.stringify(path);
    const kind = this.#reader.peek();
    if (kind !== "array") {
      this.#recollection.noteType(place, undefined);
      if (kind === "extension") return this.#unknown("dynamic");
      this.#reader.nil();
      return null;
    }
    if (this.#reader.array() !== 2) throw new Malformed("a value of dynamic type is not a pair");
    const type = parseType(this.#reader.binary().toString());
    if (type === "dynamic") throw new Malformed("a value of dynamic type brings no type");
    this.#recollection.noteType(place, { type, isNull: this.#reader.peek() === "nil" });
    const value = this.value(type, path);
    return isUnknown(value) ? new RefinedUnknown(refinementsOf(value), type) : value;
  }

  #unknown(type: Type): Unknown {
    const { type: code, body } = this.#reader.extension();
    return body.length <= 1 ? UNKNOWN : decodeUnknown(code, body, type, this.#recollection);
  }
}

import { emptyObject, isUnknown, UNKNOWN, type Path, type Unknown, type Value } from "../../../values";
import { decodeUnknown } from "./decode-unknown";
import { Malformed } from "./malformed";
import { type Kind } from "./msgpack-kind";
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
  const value = new Decoder(reader, recollection, path).value(type);
  if (!reader.done) throw new Malformed("bytes are left over after the value");
  return value;
}

class Decoder {
  readonly #reader: MsgpackReader;
  readonly #recollection: Recollection;
  /** Where the value stands that is being decoded. */
  readonly #path: (string | number)[];
  readonly #onFloat: (float: number) => number;

  constructor(reader: MsgpackReader, recollection: Recollection, path: Path) {
    this.#reader = reader;
    this.#recollection = recollection;
    this.#path = [...path];
    this.#onFloat = (float) => recollection.readFloat(float);
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
    if (kind === "string") return this.#recollection.readNumeral(this.#reader.string());
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
      this.#recollection.noteType(place, undefined);
      return kind === "extension" ? this.#unknown("dynamic") : this.#nil();
    }
    if (this.#reader.array() !== 2) throw new Malformed("a value of dynamic type is not a pair");
    const type = parseType(this.#reader.binary().toString());
    if (type === "dynamic") throw new Malformed("a value of dynamic type brings no type");
    this.#recollection.noteType(place, { type, isNull: this.#reader.peek() === "nil" });
    const value = this.value(type);
    return isUnknown(value) ? new RefinedUnknown(refinementsOf(value), type) : value;
  }

  #unknown(type: Type): Unknown {
    const { type: code, body } = this.#reader.extension();
    return body.length <= 1 ? UNKNOWN : decodeUnknown(code, body, type, this.#recollection);
  }
}

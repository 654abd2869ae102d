import {
  isList,
  isNumber,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  type Unknown,
  type Value,
} from "../../../values";
import { encodeUnknown } from "./encode-unknown";
import { writeNumber } from "./encode-number";
import { fits } from "./fits";
import { impliedType } from "./implied-type";
import { MsgpackWriter } from "./msgpack-writer";
import { Nonconformity } from "./nonconformity";
import { normalForm, normalString } from "./normal-form";
import { type Recollection } from "./recollection";
import { RefinedUnknown } from "./refinement";
import { formatType, type Type } from "./type";

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
export function encodeValue(
  value: Value,
  type: Type,
  recollection: Recollection,
  options: EncodeOptions,
): Buffer {
  const writer = new MsgpackWriter();
  new Encoder(writer, recollection, options).value(value, type, []);
  return writer.finish();
}

class Encoder {
  readonly #writer: MsgpackWriter;
  readonly #recollection: Recollection;
  readonly #options: EncodeOptions;

  constructor(writer: MsgpackWriter, recollection: Recollection, options: EncodeOptions) {
    this.#writer = writer;
    this.#recollection = recollection;
    this.#options = options;
  }

  value(value: Value | undefined, type: Type, path: Path): void {
    if (type === "dynamic") return this.#dynamic(value, path);
    if (value === null) return this.#writer.nil();
    if (isUnknown(value)) return this.#unknown(value, type, path);
    if (type === "string") {
      if (typeof value !== "string") throw mismatch(path, type, value);
      return this.#writer.string(normalString(value));
    }
    if (type === "bool") {
      if (typeof value !== "boolean") throw mismatch(path, type, value);
      return this.#writer.bool(value);
    }
    if (type === "number") {
      if (!isNumber(value) || Number.isNaN(value)) throw mismatch(path, type, value);
      return writeNumber(this.#writer, value, this.#recollection);
    }
    if (type[0] === "list" || type[0] === "set" || type[0] === "tuple") {
      if (!isList(value)) throw mismatch(path, type, value);
      if (type[0] === "list") return this.#list(value, type[1], path);
      if (type[0] === "set") return this.#set(value, type[1], path);
      return this.#tuple(value, type[1], path);
    }
    if (!isObject(value)) throw mismatch(path, type, value);
    if (type[0] === "map") return this.#map(value, type[1], path);
    return this.#object(value, type[1], path);
  }

  #list(list: readonly Value[], type: Type, path: Path): void {
    this.#writer.array(list.length);
    list.forEach((element, index) => this.value(element, type, [...path, index]));
  }

  /** Equal elements of a set are one. */
  #set(set: readonly Value[], type: Type, path: Path): void {
    const close = this.#writer.openArray();
    const seen = new Set<string>();
    set.forEach((element, index) => {
      const start = this.#writer.length;
      this.value(element, type, [...path, index]);
      const written = this.#writer.since(start);
      // Two unknown elements may yet turn out to be different.
      if (seen.has(written) && !containsUnknown(element)) this.#writer.rewind(start);
      else seen.add(written);
    });
    close(seen.size);
  }

  #tuple(tuple: readonly Value[], types: readonly Type[], path: Path): void {
    if (tuple.length !== types.length) {
      throw new Nonconformity(path, `a tuple of ${types.length}`, `one of ${tuple.length}`);
    }
    this.#writer.array(types.length);
    types.forEach((type, index) => this.value(tuple[index], type, [...path, index]));
  }

  #map(map: ObjectValue, type: Type, path: Path): void {
    const keys = Object.keys(map);
    this.#writer.map(keys.length);
    for (const key of keys) {
      this.#writer.string(normalString(key));
      this.value(map[key], type, [...path, key]);
    }
  }

  #object(object: ObjectValue, types: Readonly<Record<string, Type>>, path: Path): void {
    const names = Object.keys(types);
    const foreign = Object.keys(object).find((name) => !Object.hasOwn(types, name));
    if (foreign !== undefined)
      throw new Nonconformity([...path, foreign], "absent", "an attribute that the schema lacks");
    this.#writer.map(names.length);
    for (const name of names) {
      this.#writer.string(name);
      const member = Object.hasOwn(object, name) ? object[name] : undefined;
      this.value(
        member === undefined && this.#options.lacking === "null" ? null : member,
        types[name] as Type,
        [...path, name],
      );
    }
  }

  #dynamic(given: Value | undefined, path: Path): void {
    if (given === undefined) throw mismatch(path, "dynamic", given);
    const value = normalForm(given);
    const type = this.#typeOfDynamic(value, path);
    if (type === undefined) {
      if (isUnknown(value)) return this.#unknown(value, "dynamic", path);
      return this.#writer.nil();
    }
    this.#writer.array(2);
    this.#writer.binary(Buffer.from(JSON.stringify(type)));
    this.value(value, type, path);
  }

  /** The type to send along: that which a like value brought here in the same call, else that which the value implies. */
  #typeOfDynamic(value: Value, path: Path): Type | undefined {
    if (isUnknown(value)) return value instanceof RefinedUnknown ? value.type : undefined;
    const brought = this.#recollection.typeAt(JSON.stringify(path), value === null);
    if (brought !== undefined && fits(value, brought)) return brought;
    const implied = impliedType(value);
    return implied === "dynamic" ? undefined : implied;
  }

  #unknown(value: Unknown, type: Type, path: Path): void {
    if (!this.#options.unknowns) throw new Nonconformity(path, `a known ${formatType(type)}`, "unknown");
    encodeUnknown(this.#writer, value, type, this.#recollection);
  }
}

function containsUnknown(value: Value): boolean {
  if (isUnknown(value)) return true;
  if (isList(value)) return value.some(containsUnknown);
  return isObject(value) && Object.values(value).some(containsUnknown);
}

function mismatch(path: Path, type: Type, value: unknown): Nonconformity {
  return new Nonconformity(path, `a ${formatType(type)} or null`, describe(value));
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (Number.isNaN(value)) return "not a number";
  if (typeof value === "boolean") return "a bool";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Reads JSON from any source: every member has the expected type, or a {@link Misshapen} names the wrong one. */
import { isList, isObject, type ObjectValue, type Value } from "../lib/values";

/** A member of the wrong type. The error says where it is and what was expected, but never shows the value. */
export class Misshapen extends TypeError {
  constructor(place: string, expected: string) {
    super(`${place} is not ${expected}`);
  }
}

/** The members of one JSON object. Those that nobody asks for are its {@link unknown} ones. */
export class Shape {
  readonly #members: ObjectValue;
  readonly #asked = new Set<string>();

  /** @param place where the value stands, as in `parts[0].tokens[2]` */
  constructor(
    value: Value | undefined,
    readonly place: string,
  ) {
    if (!isObject(value)) throw new Misshapen(place, "an object");
    this.#members = value;
  }

  member(name: string): Value | undefined {
    this.#asked.add(name);
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  text(name: string): string {
    return asText(this.member(name), this.at(name));
  }

  texts(name: string): string[] {
    return this.list(name, asText);
  }

  list<T>(name: string, read: (value: Value, place: string) => T): T[] {
    const value = this.member(name);
    if (!isList(value)) throw new Misshapen(this.at(name), "a list");
    return value.map((element, index) => read(element, `${this.at(name)}[${index}]`));
  }

  map<T>(name: string, read: (value: Value, place: string) => T): Map<string, T> {
    const value = this.member(name);
    if (!isObject(value)) throw new Misshapen(this.at(name), "an object");
    return new Map(
      Object.entries(value).map(([key, member], index) => [key, read(member, `${this.at(name)}{${index}}`)]),
    );
  }

  /** Members that a later release or the service has added. They are kept, so that writing loses nothing. */
  unknown(): ObjectValue {
    return Object.fromEntries(Object.entries(this.#members).filter(([name]) => !this.#asked.has(name)));
  }

  at(name: string): string {
    return this.place === "" ? name : `${this.place}.${name}`;
  }
}

export function asText(value: Value | undefined, place: string): string {
  if (typeof value !== "string") throw new Misshapen(place, "a string");
  return value;
}

/** Decodes base64 that is written in its one proper form; undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

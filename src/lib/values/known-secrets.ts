/** Finds the secrets of a run in values of records, from any source. */
import { isList, isObject, type Path, type Value } from "./value";

/** Members that hold secrets: those of the API, and write-only attributes. */
const SECRET_MEMBER = /^(password|token|otp|totp_secret|secret|private_id|access_token)$|_wo$/;

/** A text of this length is no word or name that a record could hold by chance. */
const LONG_LENGTH = 16;

/** Many words contain a shorter text: it counts only if it is the whole value. */
const DISTINCT = 8;

/** Looks secrets up by their lengths, so that it does not matter how many there are. */
export class KnownSecrets {
  readonly #texts = new Set<string>();
  #lengths: readonly number[] = [];

  add(secret: string | undefined): void {
    if (secret === undefined || secret === "" || this.#texts.has(secret)) return;
    const bytes = Buffer.from(secret);
    const inBase64 = bytes.toString("base64");
    for (const text of [
      secret,
      secret.trim(),
      inBase64,
      inBase64.replace(/=+$/, ""),
      bytes.toString("base64url"),
    ]) {
      this.#texts.add(text);
      if (!this.#lengths.includes(text.length)) this.#lengths = [...this.#lengths, text.length];
    }
  }

  /** Adds the secrets of a configuration, a state or a record, by the names of its members. */
  addFrom(value: Value): void {
    if (isList(value)) for (const element of value) this.addFrom(element);
    if (!isObject(value)) return;
    for (const name in value) {
      const member = value[name] ?? null;
      if (typeof member === "string") {
        if (SECRET_MEMBER.test(name)) this.add(member);
      } else if (typeof member === "object" && member !== null) this.addFrom(member);
    }
  }

  /** Adds every text of a value. */
  addAll(value: Value): void {
    if (typeof value === "string") this.add(value);
    else if (isList(value) || isObject(value))
      for (const member of Object.values<Value>(value)) this.addAll(member);
  }

  /** True if the text is a secret, or repeats one. */
  isIn(text: string): boolean {
    return this.#texts.has(text) || this.#isInside(text, DISTINCT);
  }

  /** Outermost paths of the texts in a value that are secrets, or repeat one. */
  pathsIn(value: Value, path: Path = []): readonly Path[] {
    return pathsOf(value, path, (text) => this.isIn(text));
  }

  /** The same for long secrets alone: who reads a path learns nothing of a short secret. */
  longPathsIn(value: Value, path: Path = []): readonly Path[] {
    return pathsOf(value, path, (text) => this.#isInside(text, LONG_LENGTH));
  }

  #isInside(text: string, least: number): boolean {
    return this.#lengths.some((length) => {
      if (length < least || length > text.length) return false;
      for (let start = 0; start + length <= text.length; start++)
        if (this.#texts.has(text.slice(start, start + length))) return true;
      return false;
    });
  }
}

function pathsOf(value: Value, path: Path, isSecret: (text: string) => boolean): readonly Path[] {
  if (typeof value === "string") return isSecret(value) ? [path] : NO_PATHS;
  if (isList(value)) return value.flatMap((element, index) => pathsOf(element, [...path, index], isSecret));
  if (!isObject(value)) return NO_PATHS;
  return Object.entries(value).flatMap(([name, member]) =>
    isSecret(name) ? [path] : pathsOf(member, [...path, name], isSecret),
  );
}

const NO_PATHS: readonly Path[] = [];

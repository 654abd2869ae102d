/** Removes secrets from everything that is shown, in all spellings in which a service or a library may repeat them. */
import { htmlEscaped, strippedText } from "../lib/values";

const PLACEHOLDER = "(secret)";

/** Members of requests and answers that hold secrets. */
const SECRET_MEMBERS = new Set(["password", "otp", "secret", "private_id", "access_token"]);

/** A secret shorter than this could be part of any word, so it is removed only as a separate word. */
const DISTINCT_LENGTH = 4;

/** JavaScript does not accept much longer regular expressions. */
const LONGEST_IN_PATTERN = 4096;

/** Shorter pieces of base64 occur in innocent text. */
const DISTINCT_BASE64_LENGTH = 8;

export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #spellings = new Set<string>();
  #mask: ((text: string) => string) | undefined;

  /** From now on this text is shown nowhere. */
  learn(secret: string | undefined): void {
    if (secret === undefined || secret === "" || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    for (const spelling of spellings(secret)) if (spelling !== "") this.#spellings.add(spelling);
    this.#mask = undefined;
  }

  /** Name and password also travel as one, in base64. */
  learnBasic(username: string, password: string): void {
    this.learn(password);
    if (password !== "") this.learn(`${username}:${password}`);
  }

  /** Learns the secrets of a request's or an answer's body. */
  learnFrom(body: unknown): void {
    if (typeof body !== "object" || body === null) return;
    // This runs for every body, and each has dozens of rights: a list of its entries would be made every time.
    for (const name in body) {
      const member = (body as Readonly<Record<string, unknown>>)[name];
      if (typeof member === "string" && SECRET_MEMBERS.has(name)) this.learn(member);
      else this.learnFrom(member);
    }
  }

  /** The text without any secret that was learnt. */
  redact(text: string): string {
    if (this.#spellings.size === 0) return text;
    this.#mask ??= maskOf(this.#spellings);
    return this.#mask(text);
  }

  /** One line from outside: plain, without secrets, and cut afterwards, since a cut secret would not be recognised. */
  plain(text: string, limit = 300): string {
    return strippedText(this.redact(strippedText(this.redact(text))), limit);
  }
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    strippedText(secret),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    ...base64Inside(bytes, "base64"),
    ...base64Inside(bytes, "base64url"),
    ...inUrl(bytes.toString()),
    ...inUrl(inJson),
    inJson,
    inJson.replaceAll("/", "\\/"),
    htmlEscaped(secret),
  ];
}

/** A whole body may be escaped like this, including its JSON. @param text well-formed */
function inUrl(text: string): string[] {
  const encoded = encodeURIComponent(text);
  return [
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    encoded.replaceAll("%20", "+"),
  ];
}

/**
 * The part of a text in base64 that comes from the secret alone, if the text holds the secret after other bytes (a name and a
 * colon, say): one for each way in which the bytes can fall into groups of three.
 */
function base64Inside(bytes: Buffer, encoding: "base64" | "base64url"): string[] {
  return [1, 2]
    .map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(encoding)
        .replace(/=+$/, "");
      const bytesOfOthers = (before + bytes.length) % 3 === 0 ? 0 : 1;
      return text.slice(before + 1, text.length - bytesOfOthers);
    })
    .concat(bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(encoding))
    .filter((text) => text.length >= DISTINCT_BASE64_LENGTH);
}

/** Longest first: a spelling may be the beginning of another. */
function maskOf(spellings: Iterable<string>): (text: string) => string {
  const texts = [...spellings].sort((a, b) => b.length - a.length);
  const long = texts.filter(({ length }) => length > LONGEST_IN_PATTERN);
  const pattern = patternOf(texts.slice(long.length));
  return (text) =>
    long
      .reduce((rest, spelling) => rest.replaceAll(spelling, PLACEHOLDER), text)
      .replace(pattern, PLACEHOLDER);
}

function patternOf(texts: readonly string[]): RegExp {
  const alternatives = texts.map((text) => {
    const literal = text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
    return text.length < DISTINCT_LENGTH ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal;
  });
  // An empty pattern would be found everywhere.
  return new RegExp(alternatives.join("|") || "(?!)", "gu");
}

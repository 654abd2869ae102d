/** Walks through the text of an expression, a character at a time. */
import { type ExpressionError, invalidExpression } from "../../problems";
import { parseDecimal, toNumber } from "../values";
import { MAX_DEPTH } from "./limits";
import type { Literal } from "./node";

const IDENTIFIER_PATTERN = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const BLANKS = /(?:[ \t\r]|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const BLANKS_AND_LINES = /(?:[ \t\r\n]|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;

export interface CursorOptions {
  /** Every root name is a variable of the template, as in a template file. */
  readonly free?: boolean;
}

export class Cursor {
  at = 0;
  readonly free: boolean;
  private depth = 0;
  private multiline = true;
  private readonly bound: string[] = [];

  constructor(
    readonly text: string,
    options: CursorOptions = {},
  ) {
    this.free = options.free ?? false;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  /** Skips white space and comments; line ends only where they mean nothing. */
  skip(): void {
    this.match(this.multiline ? BLANKS_AND_LINES : BLANKS);
  }

  looksAt(token: string): boolean {
    return this.text.startsWith(token, this.at);
  }

  /** Skips white space, then takes the token if it is there. */
  take(token: string): boolean {
    this.skip();
    if (!this.looksAt(token)) return false;
    this.at += token.length;
    return true;
  }

  /** @throws invalidExpression if the text continues differently */
  expect(token: string, purpose: string): void {
    if (!this.take(token)) throw this.unexpectedPart(`"${token}" ${purpose}`);
  }

  /** Takes the text that a sticky pattern matches here; the empty string if it does not match. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.text)?.[0] ?? "";
    this.at += token.length;
    return token;
  }

  /** Takes an identifier; undefined if there is none here. */
  identifier(): string | undefined {
    this.skip();
    return this.match(IDENTIFIER_PATTERN) || undefined;
  }

  expectIdentifier(purpose: string): string {
    const name = this.identifier();
    if (name === undefined) throw this.unexpectedPart(purpose);
    return name;
  }

  /** Takes a word, unless it only begins a longer one. */
  takeWord(word: string): boolean {
    this.skip();
    const start = this.at;
    if (this.match(IDENTIFIER_PATTERN) === word) return true;
    this.at = start;
    return false;
  }

  /** Reads a part that may contain parts of its own kind. */
  readNested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) {
      throw this.error(`the expression is nested more than ${MAX_DEPTH} levels deep`);
    }
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  /** Reads a part inside which line ends do or do not mean nothing. */
  withLines<T>(multiline: boolean, read: () => T): T {
    const before = this.multiline;
    this.multiline = multiline;
    try {
      return read();
    } finally {
      this.multiline = before;
    }
  }

  /** Reads a part in which further names are bound. */
  binding<T>(names: readonly (string | undefined)[], read: () => T): T {
    const before = this.bound.length;
    this.bound.push(...names.filter((name) => name !== undefined));
    try {
      return read();
    } finally {
      this.bound.length = before;
    }
  }

  binds(name: string): boolean {
    return this.free || this.bound.includes(name);
  }

  /** A cursor over a part of the text that was written differently there; it knows the same names. */
  inner(text: string): Cursor {
    const cursor = new Cursor(text, { free: this.free });
    cursor.bound.push(...this.bound);
    cursor.depth = this.depth;
    return cursor;
  }

  error(problem: string, at = this.at, advice?: string): ExpressionError {
    return invalidExpression.error(problem, {
      place: { text: this.text, at },
      ...(advice !== undefined && { advice }),
    });
  }

  unexpectedPart(expectedPart: string): ExpressionError {
    if (this.ended) return this.error(`the expression ends where ${expectedPart} is expected`);
    const token = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    return this.error(`unexpected ${JSON.stringify(token)} where ${expectedPart} is expected`);
  }
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** The character of an escape in a quoted text: `\n`, `\"`, `\u00e9`, `\U0001f600`. */
export function readEscape(cursor: Cursor): string {
  const at = cursor.at;
  cursor.at++;
  const simple = SIMPLE.get(cursor.text[cursor.at] ?? "");
  if (simple !== undefined) {
    cursor.at++;
    return simple;
  }
  const digits = cursor.match(/u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y);
  const codePoint = digits === "" ? NaN : parseInt(digits.slice(1), 16);
  if (!(codePoint <= 0x10ffff)) throw cursor.error("there is no such escape sequence in a quoted string", at);
  return String.fromCodePoint(codePoint);
}

const NUMERAL_PATTERN = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** `12`, `1.5`, `1e3`; undefined if there is no digit here. */
export function readNumber(cursor: Cursor): Literal | undefined {
  const at = cursor.at;
  const numeral = cursor.match(NUMERAL_PATTERN);
  if (numeral === "") return undefined;
  const decimal = parseDecimal(numeral);
  if (decimal === undefined) throw cursor.error("the number is too large", at);
  return { kind: "literal", at, value: toNumber(decimal) };
}

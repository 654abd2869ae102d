/**
 * Lays out TypeScript as Prettier does with its defaults, as far as exported code needs it: objects with a member on each line, lists, calls and
 * chains of calls on one line where that is short enough, and one text on a line of its own where it is not.
 */
import { textLiteral, widthOf } from "./quoted";

const LINE_LENGTH = 80;

/** Lines of code, and the comments before them. */
export type Lines = readonly string[];

/** Something that is written behind a name, `name: value`, or by itself. */
export type Code =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "object"; readonly members: readonly Member[]; readonly comments?: readonly string[] }
  | { readonly kind: "call"; readonly callee: string; readonly args: readonly string[] }
  /** A chain: `Permissions.none()`, and the calls that follow. */
  | { readonly kind: "chain"; readonly head: string; readonly calls: readonly ChainedCall[] };

export interface ChainedCall {
  /** As in `.allow`. */
  readonly name: string;
  readonly args: readonly string[] | Extract<Code, { kind: "object" }>;
}

export interface Member {
  /** A name, or `...service` with no code. */
  readonly name: string;
  readonly code?: Code;
}

export const plainCode = (text: string): Code => ({ kind: "plain", text });

/**
 * A value between the text before it and the text after it.
 * @param before the line so far, with its indentation
 */
export function laidOut(before: string, code: Code, after: string): Lines {
  const indent = /^ */.exec(before)?.[0] ?? "";
  switch (code.kind) {
    case "plain":
      return [before + code.text + after];
    case "text":
      return textLines(before, textLiteral(code.text), after, indent);
    case "texts":
      return listLines(before, "[", code.texts.map(textLiteral), "]", after, indent);
    case "object":
      return objectLiteralLines(before, code, after, indent);
    case "call":
      return listLines(before, `${code.callee}(`, code.args, ")", after, indent);
    case "chain":
      return chainLines(before, code, after, indent);
  }
}

/** Names of fewer columns leave no room to gain by a line break. */
const SHORTEST_NAME = 5;

function textLines(before: string, literal: string, after: string, indent: string): Lines {
  const whole = before + literal + after;
  const name = before.slice(indent.length).replace(/: $/, "");
  if (fits(whole) || widthOf(name) < SHORTEST_NAME) return [whole];
  return [before.trimEnd(), `${indent}  ${literal}${after}`];
}

/** @param open `[`, or the call as far as its parenthesis */
export function listLines(
  before: string,
  open: string,
  elements: readonly string[],
  close: string,
  after: string,
  indent: string,
): Lines {
  const whole = before + open + elements.join(", ") + close + after;
  if (fits(whole) || elements.length === 0) return [whole];
  return [before + open, ...elements.map((element) => `${indent}  ${element},`), indent + close + after];
}

function objectLiteralLines(
  before: string,
  { members, comments = [] }: Extract<Code, { kind: "object" }>,
  after: string,
  indent: string,
): Lines {
  const isEmpty = members.length === 0 && comments.length === 0;
  const inner = `${indent}  `;
  const first = before + (isEmpty ? `{}${after}` : "{");
  if (!fits(first) && first.includes(": "))
    return [
      before.trimEnd(),
      ...objectLiteralLines(inner, { kind: "object", members, comments }, after, inner),
    ];
  if (isEmpty) return [first];
  return [
    first,
    ...comments.map((comment) => `${inner}// ${comment}`),
    ...members.flatMap(({ name, code }) =>
      code === undefined ? [`${inner}${name},`] : laidOut(`${inner}${name}: `, code, ","),
    ),
    `${indent}}${after}`,
  ];
}

/**
 * A chain stays on the line as far as its last call's arguments, where there is room for it. A chain of one call then breaks inside that call, a
 * longer one before each of them; and so does one with an object that holds a list with anything in it.
 */
function chainLines(
  before: string,
  { head, calls }: Extract<Code, { kind: "chain" }>,
  after: string,
  indent: string,
): Lines {
  const last = calls.at(-1);
  if (last === undefined) return [before + head + after];
  const others = calls
    .slice(0, -1)
    .map((call) => (isFlat(call) ? `.${call.name}(${call.args.join(", ")})` : ""));
  const start = before + head + others.join("");
  const rest = isFlat(last) ? `.${last.name}(${last.args.join(", ")})${after}` : `.${last.name}({`;
  if (calls.length === 1 || (!holdsList(last) && fits(start + rest)))
    return callLines(start, last, after, indent);
  const inner = `${indent}  `;
  return [
    before + head,
    ...calls.flatMap((call) => callLines(inner, call, call === last ? after : "", inner)),
  ];
}

function holdsList({ args }: ChainedCall): boolean {
  if (!("members" in args)) return false;
  return args.members.some(({ code }) => code?.kind === "texts" && code.texts.length > 0);
}

function isFlat(call: ChainedCall): call is ChainedCall & { readonly args: readonly string[] } {
  return Array.isArray(call.args);
}

function callLines(before: string, call: ChainedCall, after: string, indent: string): Lines {
  const open = `.${call.name}(`;
  if (isFlat(call)) return listLines(before, open, call.args, ")", after, indent);
  return objectLiteralLines(
    before + open,
    call.args as Extract<Code, { kind: "object" }>,
    `)${after}`,
    indent,
  );
}

export function fits(line: string): boolean {
  return widthOf(line) <= LINE_LENGTH;
}

// Names of members.

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A name as the key of an object. A name that is no plain identifier is quoted. An ordinary key `__proto__` would create no member. */
export function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  if (IDENTIFIER.test(name)) return name;
  // Prettier removes the quotation marks of a name with other letters if it is an identifier; brackets stay.
  const isAscii = /^[ -~]*$/.test(name);
  return isAscii ? textLiteral(name) : `[${textLiteral(name)}]`;
}

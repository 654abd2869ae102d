/** Parses an expression or a template into its syntax tree. One file, since the rules of the grammar call each other. */
import { parseNumber, type Path } from "../values";
import { Cursor, type CursorOptions, readEscape, readNumber } from "./cursor";
import {
  type BinaryOperator,
  calls,
  type FunctionCall,
  type Chain,
  type Expression,
  type For,
  NAMED_KINDS,
  type NamedReference,
  type Node,
  type ObjectNode,
  type Reference,
  references,
  type Step,
  type Unary,
} from "./node";
import { readType } from "./type-constraint";

// The entry: the text of an expression or a template.

/**
 * Reads a template, such as any string of a synthesized stack.
 * @throws invalidExpression
 */
export function parseTemplate(text: string, options: CursorOptions = {}): Expression {
  if (!mayBeTemplate(text)) return { text, root: { kind: "literal", at: 0, value: text } };
  return { text, root: readWholeTemplate(new Cursor(text, options)) };
}

/**
 * Reads a complete expression.
 * @throws invalidExpression
 */
export function parseExpression(text: string): Expression {
  const cursor = new Cursor(text);
  const root = readExpression(cursor);
  cursor.skip();
  if (!cursor.ended) throw cursor.unexpectedPart("the end of the expression");
  return { text, root };
}

/** True if a text may hold template sequences or their escapes. Most texts hold none, and need not be read. */
export function mayBeTemplate(text: string): boolean {
  return text.includes("{") && /[$%]\{/.test(text);
}

// Operators, by precedence.

/** Weakest first. Within a row, a token that begins another one comes after it. */
const PRECEDENCE: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];

export function readExpression(cursor: Cursor): Node {
  return cursor.readNested(() => {
    const condition = readChain(cursor, 0);
    const at = cursor.at;
    if (!cursor.take("?")) return condition;
    const yes = readExpression(cursor);
    cursor.expect(":", "of the conditional");
    return { kind: "conditional", at, condition, yes, no: readExpression(cursor) };
  });
}

function readChain(cursor: Cursor, level: number): Node {
  const operators = PRECEDENCE[level];
  if (operators === undefined) return readUnary(cursor);
  const first = readChain(cursor, level + 1);
  const rest: Chain["rest"][number][] = [];
  const at = cursor.at;
  for (;;) {
    const operator = operators.find((candidate) => cursor.take(candidate));
    if (operator === undefined) return rest.length === 0 ? first : { kind: "chain", at, first, rest };
    rest.push({ operator, operand: readChain(cursor, level + 1) });
  }
}

function readUnary(cursor: Cursor): Node {
  cursor.skip();
  const at = cursor.at;
  const operator = (["-", "!"] as const).find((candidate) => cursor.take(candidate));
  if (operator === undefined) return readPrimary(cursor);
  return cursor.readNested((): Unary => ({ kind: "unary", at, operator, operand: readUnary(cursor) }));
}

// Operands: literals, references, calls, brackets, and the steps behind them.

const KEYWORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function readPrimary(cursor: Cursor): Node {
  cursor.skip();
  const at = cursor.at;
  const name = cursor.identifier();
  if (name !== undefined && !KEYWORDS.has(name)) {
    const call = readCall(cursor, name, at);
    return call ? withSteps(cursor, call) : readRoot(cursor, name, at);
  }
  const node =
    name === undefined
      ? readBracketed(cursor)
      : ({ kind: "literal", at, value: KEYWORDS.get(name) ?? null } as const);
  return withSteps(cursor, node);
}

function withSteps(cursor: Cursor, from: Node): Node {
  const at = cursor.at;
  const steps = readSteps(cursor);
  return steps.length === 0 ? from : { kind: "traverse", at, from, steps };
}

function readBracketed(cursor: Cursor): Node {
  if (cursor.looksAt('"')) return readQuoted(cursor);
  if (cursor.looksAt("[")) return readBrackets(cursor);
  if (cursor.looksAt("{")) return readBraces(cursor);
  if (cursor.looksAt("<<")) return readHeredoc(cursor);
  if (cursor.take("(")) {
    const inner = cursor.withLines(true, () => {
      const node = readExpression(cursor);
      cursor.expect(")", "after the expression in parentheses");
      return node;
    });
    return inner;
  }
  const number = readNumber(cursor);
  if (number === undefined) throw cursor.unexpectedPart("an expression");
  return number;
}

/** Reads the steps behind a value: `.name`, `.0`, `["key"]`, `[*]`, `.*`. */
function readSteps(cursor: Cursor): Step[] {
  const steps: Step[] = [];
  for (;;) {
    cursor.skip();
    const step = readSplat(cursor) ?? readDotStep(cursor) ?? readIndex(cursor);
    if (step === undefined) return steps;
    steps.push(step);
  }
}

/** `[*]` takes all steps behind it from each element; the older `.*` takes only those written with a dot. */
function readSplat(cursor: Cursor): Step | undefined {
  const start = cursor.at;
  if (cursor.take("[") && cursor.take("*") && cursor.take("]")) {
    return cursor.readNested(() => ({ kind: "splat", steps: readSteps(cursor) }));
  }
  cursor.at = start;
  if (cursor.looksAt(".*") && cursor.take(".*")) return { kind: "splat", steps: readDotSteps(cursor) };
  return undefined;
}

function readDotSteps(cursor: Cursor): Step[] {
  const steps: Step[] = [];
  for (;;) {
    const step = cursor.looksAt(".*") ? undefined : readDotStep(cursor);
    if (step === undefined) return steps;
    steps.push(step);
  }
}

function readDotStep(cursor: Cursor): Step | undefined {
  if (!cursor.looksAt(".") || cursor.looksAt("...")) return undefined;
  cursor.at++;
  cursor.skip();
  const at = cursor.at;
  const digits = cursor.match(/\d+/y);
  if (digits !== "") return { kind: "index", key: { kind: "literal", at, value: parseNumber(digits) ?? 0 } };
  return { kind: "attribute", name: cursor.expectIdentifier("the name of an attribute") };
}

function readIndex(cursor: Cursor): Step | undefined {
  if (!cursor.looksAt("[")) return undefined;
  cursor.at++;
  return cursor.withLines(true, () => {
    const key = readExpression(cursor);
    cursor.expect("]", "after the index");
    return { kind: "index", key };
  });
}

/** The leading steps that are certain before evaluation. */
function staticPath(steps: readonly Step[]): Path {
  const path: (string | number)[] = [];
  for (const step of steps) {
    const certain =
      step.kind === "attribute" ? step.name : step.kind === "index" ? literalKey(step.key) : undefined;
    if (certain === undefined) break;
    path.push(certain);
  }
  return path;
}

function literalKey(key: Node): string | number | undefined {
  if (key.kind !== "literal") return undefined;
  return typeof key.value === "string" || typeof key.value === "number" ? key.value : undefined;
}

// Lists, objects, and the `for` expressions in the same brackets.

/** `[a, b]` or `[for …]`. */
function readBrackets(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect("[", "of a list");
  return cursor.withLines(true, () => {
    if (cursor.takeWord("for")) return readFor(cursor, at, "]");
    const elements: Node[] = [];
    while (!cursor.take("]")) {
      elements.push(readExpression(cursor));
      if (cursor.take(",")) continue;
      cursor.expect("]", `or "," after an element of the list`);
      break;
    }
    return { kind: "tuple", at, elements };
  });
}

/** `{ a = 1, "b" : 2 }` or `{for …}`. */
function readBraces(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect("{", "of an object");
  const loop = cursor.withLines(true, () => (cursor.takeWord("for") ? readFor(cursor, at, "}") : undefined));
  return loop ?? { kind: "object", at, members: cursor.withLines(false, () => readMembers(cursor)) };
}

/** A line's end separates members as a comma does. */
function readMembers(cursor: Cursor): ObjectNode["members"] {
  const members: ObjectNode["members"][number][] = [];
  for (;;) {
    cursor.withLines(true, () => cursor.skip());
    if (cursor.take("}")) return members;
    members.push(readMember(cursor));
    if (!cursor.take(",") && !cursor.looksAt("\n") && !cursor.looksAt("}")) {
      throw cursor.unexpectedPart(`"," or "}" after a member of the object`);
    }
  }
}

function readMember(cursor: Cursor): ObjectNode["members"][number] {
  const key = readKey(cursor);
  if (!cursor.take("=") && !cursor.take(":")) throw cursor.unexpectedPart(`"=" or ":" after a key`);
  return { key, value: readExpression(cursor) };
}

/** A bare word before `=` or `:` is the key itself, not a reference. */
function readKey(cursor: Cursor): Node {
  cursor.skip();
  const at = cursor.at;
  const word = cursor.identifier();
  if (word !== undefined) {
    cursor.skip();
    if (cursor.looksAt("=") || (cursor.looksAt(":") && !cursor.looksAt("::"))) {
      return { kind: "literal", at, value: word };
    }
    cursor.at = at;
  }
  return readExpression(cursor);
}

/** `name(a, b...)`, or `provider::type::name(a)`; undefined if the name is followed by something else. */
function readCall(cursor: Cursor, first: string, at: number): FunctionCall | undefined {
  let name = first;
  while (cursor.take("::")) name += `::${cursor.expectIdentifier("the name of a function")}`;
  if (!cursor.take("(")) {
    if (name === first) return undefined;
    throw cursor.unexpectedPart(`"(" after the function's name`);
  }
  return cursor.withLines(true, () => {
    if (name === "convert") return { kind: "call", at, name, args: readConversion(cursor), expand: false };
    const args: Node[] = [];
    let expand = false;
    while (!cursor.take(")")) {
      args.push(readExpression(cursor));
      expand = cursor.take("...");
      const more = cursor.take(",") && !expand;
      if (more) continue;
      cursor.expect(")", "after the arguments");
      break;
    }
    return { kind: "call", at, name, args, expand };
  });
}

/** The arguments of `convert(value, type)`, up to the closing bracket. The type becomes a literal of its text. */
function readConversion(cursor: Cursor): Node[] {
  const value = readExpression(cursor);
  cursor.expect(",", "before the type");
  cursor.skip();
  const at = cursor.at;
  readType(cursor, () => {
    const root = readExpression(cursor);
    const { text } = cursor;
    if (references({ text, root }).length + calls({ text, root }).length > 0)
      throw cursor.error("the default of an attribute must be a constant");
    return null;
  });
  const type = cursor.text.slice(at, cursor.at);
  cursor.take(",");
  cursor.expect(")", "after the type");
  return [value, { kind: "literal", at, value: type }];
}

/** The names that a loop binds, and its collection: `k, v in collection`. */
function readLoopHead(cursor: Cursor): Pick<For, "keyName" | "valueName" | "collection"> {
  const first = cursor.expectIdentifier("the name of a loop variable");
  const second = cursor.take(",") ? cursor.expectIdentifier("the name of a loop variable") : undefined;
  if (!cursor.takeWord("in")) throw cursor.unexpectedPart(`"in" after the loop variables`);
  const collection = readExpression(cursor);
  return second === undefined
    ? { keyName: undefined, valueName: first, collection }
    : { keyName: first, valueName: second, collection };
}

/** The rest of `[for x in xs : y if z]` or `{for x in xs : k => v... if z}`, behind the word `for`. */
function readFor(cursor: Cursor, at: number, close: "]" | "}"): For {
  const head = readLoopHead(cursor);
  cursor.expect(":", "after the collection of the loop");
  return cursor.binding([head.keyName, head.valueName], () => {
    const first = readExpression(cursor);
    let key: For["key"];
    let value = first;
    let group = false;
    if (close === "}") {
      cursor.expect("=>", "after the key of the loop");
      key = first;
      value = readExpression(cursor);
      group = cursor.take("...");
    }
    const condition = cursor.takeWord("if") ? readExpression(cursor) : undefined;
    cursor.expect(close, "at the end of the loop");
    return { kind: "for", at, ...head, key, value, condition, group };
  });
}

// References: the first words give the kind of the referenced object.

/** The names that exist below a root, where they are few. */
const MEMBERS: Partial<Record<NamedReference["kind"], readonly string[]>> = {
  each: ["key", "value"],
  count: ["index"],
  path: ["module", "root", "cwd"],
  terraform: ["workspace", "applying"],
};

/** A traversal whose root name has been read already. */
function readRoot(cursor: Cursor, root: string, at: number): Node {
  if (cursor.binds(root)) {
    return traverse({ kind: "bound", at, name: root }, readSteps(cursor), at);
  }
  const steps = readSteps(cursor);
  const sourceText = cursor.text.slice(at, cursor.at).trimEnd();
  let stepCount = 0;
  const name = (what: string): string => {
    const step = steps[stepCount++];
    if (step?.kind === "attribute") return step.name;
    throw cursor.error(`"${root}" must be followed by ${what}`, at, adviceFor(root, steps.length));
  };
  const rest = (): Pick<Reference, "path" | "sourceText"> => ({
    path: staticPath(steps.slice(stepCount)),
    sourceText,
  });
  const reference = readReference(root, name, rest);
  if ("name" in reference && reference.kind in MEMBERS) {
    const known = MEMBERS[reference.kind as NamedReference["kind"]];
    if (known && !known.includes(reference.name)) {
      throw cursor.error(`there is no "${root}.${reference.name}"`, at, `There is: ${known.join(", ")}.`);
    }
  }
  return traverse({ kind: "reference", at, reference }, steps.slice(stepCount), at);
}

function readReference(
  root: string,
  name: (what: string) => string,
  rest: () => Pick<Reference, "path" | "sourceText">,
): Reference {
  const kind = NAMED_KINDS.get(root);
  if (kind !== undefined) return { kind, name: name(`".name"`), ...rest() };
  if (root === "self") return { kind: "self", ...rest() };
  if (root === "data" || root === "ephemeral") {
    return { kind: root, type: name(`".type.name"`), name: name(`".type.name"`), ...rest() };
  }
  const type = root === "resource" ? name(`".type.name"`) : root;
  return { kind: "resource", type, name: name(`"." and the name of a resource`), ...rest() };
}

function adviceFor(root: string, steps: number): string | undefined {
  if (steps > 0 || NAMED_KINDS.has(root)) return undefined;
  return `A string must be in quotes; for the characters \${ themselves, write $\${.`;
}

function traverse(from: Node, steps: readonly Step[], at: number): Node {
  return steps.length === 0 ? from : { kind: "traverse", at, from, steps };
}

// Templates: text with `${…}` and `%{…}` in it.

/** The closing words of a part of a template; the end of the text closes a part as well. */
type Closing = "else" | "endif" | "endfor";

/** A template in quotes, inside an expression. */
function readQuoted(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect('"', "of a string");
  const node = new TemplateReader(cursor, true).whole(at);
  if (!cursor.looksAt('"')) throw cursor.error("the string is not closed by a quotation mark", at);
  cursor.at++;
  return node;
}

/** A template that goes on to the end of the text. */
function readWholeTemplate(cursor: Cursor): Node {
  return new TemplateReader(cursor, false).whole(cursor.at);
}

class TemplateReader {
  /** Set behind `~}`: the text that follows loses its leading white space. */
  private trimsNext = false;
  /** The parts that are literal text, as against literals inside `${…}`. */
  private readonly texts = new Set<Node>();

  constructor(
    private readonly cursor: Cursor,
    private readonly quoted: boolean,
  ) {}

  whole(at: number): Node {
    return this.cursor.readNested(() => {
      const { parts, closing } = this.parts([]);
      if (closing !== undefined) throw this.cursor.error(`"%{ ${closing} }" has no beginning`);
      const [only] = parts;
      if (only === undefined) return { kind: "literal", at, value: "" };
      // A template of a single interpolation keeps the type of the inner value.
      if (parts.length === 1 && only.kind !== "template-for") return only;
      return { kind: "template", at, parts };
    });
  }

  /** Reads up to one of the closing directives, which is taken, or the end. */
  private parts(closings: readonly Closing[]): { parts: Node[]; closing: Closing | undefined } {
    const parts: Node[] = [];
    for (;;) {
      this.text(parts);
      const { cursor } = this;
      if (cursor.ended || cursor.looksAt('"')) return { parts, closing: undefined };
      const at = cursor.at;
      const directive = cursor.looksAt("%{");
      cursor.at += 2;
      if (cursor.looksAt("~")) {
        cursor.at++;
        this.trimLast(parts);
      }
      if (!directive) {
        parts.push(cursor.withLines(true, () => readExpression(cursor)));
        this.close();
        continue;
      }
      const closing = cursor.withLines(true, () => this.directive(at, parts));
      if (closing === undefined) continue;
      if (!closings.includes(closing)) throw cursor.error(`"%{ ${closing} }" does not belong here`, at);
      return { parts, closing };
    }
  }

  /** Literal text up to the next sequence, quotation mark or end. */
  private text(parts: Node[]): void {
    const { cursor } = this;
    const at = cursor.at;
    let value = "";
    for (;;) {
      value += cursor.match(this.quoted ? /[^$%"\\\n]+/y : /[^$%]+/y);
      if (cursor.ended) break;
      if (this.quoted && cursor.looksAt('"')) break;
      if (this.quoted && cursor.looksAt("\n"))
        throw cursor.error("a quoted string must end on the line that it begins on", at);
      if (this.quoted && cursor.looksAt("\\")) value += readEscape(cursor);
      else if (cursor.looksAt("$${") || cursor.looksAt("%%{")) {
        value += cursor.text.slice(cursor.at + 1, cursor.at + 3);
        cursor.at += 3;
      } else if (cursor.looksAt("${") || cursor.looksAt("%{")) break;
      else value += cursor.text[cursor.at++];
    }
    if (this.trimsNext) value = trimStart(value, this.quoted);
    this.trimsNext = false;
    this.pushText(parts, value, at);
  }

  private pushText(parts: Node[], value: string, at: number): void {
    if (value === "") return;
    const text: Node = { kind: "literal", at, value: value.normalize() };
    this.texts.add(text);
    parts.push(text);
  }

  private trimLast(parts: Node[]): void {
    const last = parts.at(-1);
    if (last?.kind !== "literal" || typeof last.value !== "string" || !this.texts.has(last)) return;
    parts.pop();
    this.pushText(parts, trimEnd(last.value, this.quoted), last.at);
  }

  private close(): void {
    this.cursor.withLines(true, () => {
      this.trimsNext = this.cursor.take("~");
      this.cursor.expect("}", "at the end of the template sequence");
    });
  }

  /** Reads a directive. A closing one is returned to the reader of the opening one. */
  private directive(at: number, parts: Node[]): Closing | undefined {
    const { cursor } = this;
    const word = cursor.expectIdentifier(`"if" or "for"`);
    if (word === "else" || word === "endif" || word === "endfor") {
      this.close();
      return word;
    }
    if (word !== "if" && word !== "for") throw cursor.error(`there is no directive "%{ ${word} }"`, at);
    parts.push(cursor.readNested(() => (word === "if" ? this.conditional(at) : this.loop(at))));
    return undefined;
  }

  private conditional(at: number): Node {
    const condition = readExpression(this.cursor);
    this.close();
    const yes = this.branch(["else", "endif"], at);
    const no = yes.closing === "else" ? this.branch(["endif"], at) : { parts: [] };
    return {
      kind: "conditional",
      at,
      condition,
      yes: templateOf(yes.parts, at),
      no: templateOf(no.parts, at),
    };
  }

  private loop(at: number): Node {
    const head = readLoopHead(this.cursor);
    this.close();
    const { parts } = this.cursor.binding([head.keyName, head.valueName], () => this.branch(["endfor"], at));
    return { kind: "template-for", at, ...head, body: templateOf(parts, at) };
  }

  private branch(closings: readonly Closing[], at: number): { parts: Node[]; closing: Closing } {
    const { parts, closing } = this.parts(closings);
    if (closing === undefined)
      throw this.cursor.error(`the directive is not closed by ${closings.join(" or ")}`, at);
    return { parts, closing };
  }
}

function templateOf(parts: readonly Node[], at: number): Node {
  return { kind: "template", at, parts };
}

/** `<<END` … `END`, or `<<-END`, which takes the lines' common indentation away. */
function readHeredoc(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect("<<", "of a heredoc");
  const flush = cursor.take("-");
  const word = cursor.expectIdentifier("the closing word of a heredoc");
  if (cursor.match(/[ \t\r]*\n/y) === "") throw cursor.unexpectedPart("the end of the line");
  const lines: string[] = [];
  const starts: number[] = [];
  for (;;) {
    if (cursor.ended) throw cursor.error(`the heredoc is not closed by "${word}"`, at);
    starts.push(cursor.at);
    const line = cursor.match(/[^\n]*\n?/y);
    if (line.trim() === word) {
      // The line end after the closing word belongs to the next part.
      if (line.endsWith("\n")) cursor.at--;
      break;
    }
    lines.push(line);
  }
  const flushLines = flush ? withoutIndentation(lines) : lines;
  const node = readWholeTemplate(cursor.inner(flushLines.join("")));
  return relocate(node, (inner) => outerOffset(inner, flushLines, lines, starts));
}

/** Converts an offset in the kept lines to an offset in the whole text. */
function outerOffset(
  inner: number,
  flushLines: readonly string[],
  lines: readonly string[],
  starts: readonly number[],
): number {
  let offset = inner;
  let line = 0;
  for (; line < flushLines.length - 1 && offset >= (flushLines[line]?.length ?? 0); line++)
    offset -= flushLines[line]?.length ?? 0;
  const indentation = (lines[line]?.length ?? 0) - (flushLines[line]?.length ?? 0);
  return (starts[line] ?? 0) + Math.max(0, indentation) + offset;
}

/** A node, and all nodes in it, with other offsets. */
function relocate<T>(part: T, place: (at: number) => number): T {
  if (Array.isArray(part)) return part.map((one: unknown) => relocate(one, place)) as T;
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part).map(([name, member]: [string, unknown]) => [
    name,
    name === "at" && typeof member === "number" ? place(member) : relocate(member, place),
  ]);
  return Object.fromEntries(members) as T;
}

function withoutIndentation(lines: readonly string[]): string[] {
  const nonEmptyLines = lines.filter((line) => line.trim() !== "");
  const common = Math.min(...nonEmptyLines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => (line.trim() === "" ? line.trimStart() || "\n" : line.slice(common)));
}

/** The white space that the strip markers `~` remove: in quotes, all adjacent white space; elsewhere up to the end of the line, and the line end. */
function trimStart(text: string, quoted: boolean): string {
  if (quoted) return text.trimStart();
  const end = text.indexOf("\n") + 1 || text.length;
  return text.slice(0, end).trimStart() + text.slice(end);
}

function trimEnd(text: string, quoted: boolean): string {
  if (quoted) return text.trimEnd();
  const start = text.lastIndexOf("\n", text.length - 2) + 1;
  return text.slice(0, start) + text.slice(start).trimEnd();
}

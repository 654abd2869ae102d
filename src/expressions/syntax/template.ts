/** Reads templates: text with `${…}` and `%{…}` in it. */
import type { Node } from "../node";
import type { Cursor } from "./cursor";
import { readExpression } from "./expression";
import { readLoopHead } from "./for";
import { trimEnd, trimStart } from "./strip";
import { readEscape } from "./escape";

/** What may end a part of a template, besides the end of the text. */
type Closing = "else" | "endif" | "endfor";

/** A template in quotes, inside an expression. */
export function readQuoted(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect('"', "of a string");
  const node = new TemplateReader(cursor, true).whole(at);
  if (!cursor.looksAt('"')) throw cursor.error("the string is not closed by a quotation mark", at);
  cursor.at++;
  return node;
}

/** A template that goes on to the end of the text. */
export function readWholeTemplate(cursor: Cursor): Node {
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
    return this.cursor.nested(() => {
      const { parts, closing } = this.parts([]);
      if (closing !== undefined) throw this.cursor.error(`"%{ ${closing} }" has no beginning`);
      const [only] = parts;
      if (only === undefined) return { kind: "literal", at, value: "" };
      // A template that is one interpolation and nothing else keeps the type of what stands inside.
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

  /** Reads a directive; a closing one is given back to whoever opened it. */
  private directive(at: number, parts: Node[]): Closing | undefined {
    const { cursor } = this;
    const word = cursor.expectIdentifier(`"if" or "for"`);
    if (word === "else" || word === "endif" || word === "endfor") {
      this.close();
      return word;
    }
    if (word !== "if" && word !== "for") throw cursor.error(`there is no directive "%{ ${word} }"`, at);
    parts.push(cursor.nested(() => (word === "if" ? this.conditional(at) : this.loop(at))));
    return undefined;
  }

  private conditional(at: number): Node {
    const condition = readExpression(this.cursor);
    this.close();
    const yes = this.branch(["else", "endif"], at);
    const no = yes.closing === "else" ? this.branch(["endif"], at) : { parts: [] };
    return { kind: "conditional", at, condition, yes: joined(yes.parts, at), no: joined(no.parts, at) };
  }

  private loop(at: number): Node {
    const head = readLoopHead(this.cursor);
    this.close();
    const { parts } = this.cursor.binding([head.keyName, head.valueName], () => this.branch(["endfor"], at));
    return { kind: "template-for", at, ...head, body: joined(parts, at) };
  }

  private branch(closings: readonly Closing[], at: number): { parts: Node[]; closing: Closing } {
    const { parts, closing } = this.parts(closings);
    if (closing === undefined)
      throw this.cursor.error(`the directive is not closed by ${closings.join(" or ")}`, at);
    return { parts, closing };
  }
}

function joined(parts: readonly Node[], at: number): Node {
  return { kind: "template", at, parts };
}

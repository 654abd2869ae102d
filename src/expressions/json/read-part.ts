/** Finds and reads the templates in a JSON value. */
import { InvalidExpression } from "../../errors";
import { isList, type ObjectValue, type Path, type Value } from "../../values";
import { MAX_DEPTH } from "../limits";
import type { Expression } from "../node";
import { mayBeTemplate } from "../syntax";
import type { Member, Part } from "./part";
import type { Templates } from "./templates";

/** Hears of a string that cannot be read; it may throw, or let it count as null. */
export type Report = (error: InvalidExpression, path: Path) => void;

export class PartReader {
  private readonly path: (string | number)[];

  constructor(
    start: Path,
    private readonly report: Report,
    private readonly templates: Templates,
  ) {
    this.path = [...start];
  }

  /** Undefined where the value holds no template. */
  part(json: Value): Part | undefined {
    if (typeof json === "string") {
      return mayBeTemplate(json) ? { kind: "expression", expression: this.expression(json) } : undefined;
    }
    if (typeof json !== "object" || json === null) return undefined;
    if (this.path.length > MAX_DEPTH) {
      throw new InvalidExpression("the value is nested too deeply", { text: "", at: 0 });
    }
    return isList(json) ? this.list(json) : this.object(json as ObjectValue);
  }

  private list(json: readonly Value[]): Part | undefined {
    let dynamic: Map<number, Part> | undefined;
    for (let index = 0; index < json.length; index++) {
      const part = this.within(index, json[index]);
      if (part !== undefined) (dynamic ??= new Map<number, Part>()).set(index, part);
    }
    return dynamic && { kind: "list", json, dynamic };
  }

  private object(json: ObjectValue): Part | undefined {
    let dynamic: Map<string, Part> | undefined;
    for (const name in json) {
      if (mayBeTemplate(name)) return this.keyed(json);
      const value = this.within(name, json[name]);
      if (value !== undefined) (dynamic ??= new Map<string, Part>()).set(name, value);
    }
    return dynamic && { kind: "object", json, dynamic };
  }

  private keyed(json: ObjectValue): Part {
    const dynamic = new Map<string, Member>();
    for (const name in json) {
      const value = this.within(name, json[name]);
      const key = mayBeTemplate(name) ? this.expression(name) : undefined;
      if (value ?? key) dynamic.set(name, { key, value });
    }
    return { kind: "keyed", json, dynamic };
  }

  private within(step: string | number, json: Value | undefined): Part | undefined {
    this.path.push(step);
    const part = this.part(json ?? null);
    this.path.pop();
    return part;
  }

  private expression(text: string): Expression {
    try {
      return this.templates.read(text);
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error;
      this.report(error, [...this.path]);
      return { text, root: { kind: "literal", at: 0, value: null } };
    }
  }
}

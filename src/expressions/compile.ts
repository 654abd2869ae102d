/** Reads all templates in a JSON value at once. What holds none, as most do, costs a look at its strings and no more. */
import { ExpressionFailed, InvalidExpression } from "../errors";
import { isList, isUnknown, setMember, type ObjectValue, type Path, type Value } from "../values";
import { evaluate } from "./evaluation/evaluate";
import type { Scope } from "./evaluation/scope";
import { MAX_DEPTH } from "./limits";
import { asPrimitive } from "./conversions/convert";
import { mark, marksOf, NO_MARKS, peel, type Marked, type Marks } from "./marks";
import type { Expression } from "./node";
import type { Reference } from "./reference";
import { calls, references } from "./references";
import { mayBeTemplate, parseTemplate } from "./syntax";

/** A JSON value whose templates have been read. */
export interface Compiled {
  /** The JSON itself, where there is nothing to evaluate in it. */
  readonly constant: Value | undefined;
  readonly references: readonly Reference[];
  /** Names of the functions called. */
  readonly calls: readonly string[];
  /**
   * The value. Parts without templates are not copied.
   * @throws ExpressionFailed that names the attribute.
   */
  evaluate(scope: Scope): Marked;
}

export interface CompileOptions {
  /** Path of the value, for messages. Default: none. */
  readonly path?: Path;
  /** Hears of each string that cannot be read, which then counts as null. Default: the first one is thrown. */
  readonly report?: (error: InvalidExpression, path: Path) => void;
}

/** @throws InvalidExpression */
export function compile(json: Value, { path = [], report = rethrow }: CompileOptions = {}): Compiled {
  const part = new Reader(path, report).part(json);
  return part === undefined ? new Constant(json) : new Dynamic(part, path);
}

function rethrow(error: InvalidExpression): never {
  throw error;
}

class Constant implements Compiled {
  readonly references = [];
  readonly calls = [];

  constructor(readonly constant: Value) {}

  evaluate(): Marked {
    return this.constant;
  }
}

class Dynamic implements Compiled {
  readonly constant = undefined;
  readonly references: readonly Reference[];
  readonly calls: readonly string[];

  constructor(
    private readonly part: Part,
    private readonly path: Path,
  ) {
    const expressions = expressionsIn(part);
    this.references = expressions.flatMap(references);
    this.calls = expressions.flatMap(calls);
  }

  evaluate(scope: Scope): Marked {
    return valueOf(this.part, scope, this.path);
  }
}

/** A part that holds templates. */
type Part =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "list"; readonly json: readonly Value[]; readonly dynamic: ReadonlyMap<number, Part> }
  | { readonly kind: "object"; readonly json: ObjectValue; readonly dynamic: ReadonlyMap<string, Member> };

/** A key may be a template too; few are. */
interface Member {
  readonly key: Expression | undefined;
  readonly value: Part | undefined;
}

class Reader {
  private readonly path: (string | number)[];

  constructor(
    start: Path,
    private readonly report: NonNullable<CompileOptions["report"]>,
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
    let dynamic: Map<string, Member> | undefined;
    for (const name in json) {
      const value = this.within(name, json[name]);
      const key = mayBeTemplate(name) ? this.expression(name) : undefined;
      if (value ?? key) (dynamic ??= new Map<string, Member>()).set(name, { key, value });
    }
    return dynamic && { kind: "object", json, dynamic };
  }

  private within(step: string | number, json: Value | undefined): Part | undefined {
    this.path.push(step);
    const part = this.part(json ?? null);
    this.path.pop();
    return part;
  }

  private expression(text: string): Expression {
    try {
      return parseTemplate(text);
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error;
      this.report(error, [...this.path]);
      return { text, root: { kind: "literal", at: 0, value: null } };
    }
  }
}

function expressionsIn(part: Part): Expression[] {
  switch (part.kind) {
    case "expression":
      return [part.expression];
    case "list":
      return [...part.dynamic.values()].flatMap(expressionsIn);
    case "object":
      return [...part.dynamic.values()].flatMap(({ key, value }) => [
        ...(key ? [key] : []),
        ...(value ? expressionsIn(value) : []),
      ]);
  }
}

function valueOf(part: Part, scope: Scope, path: Path): Marked {
  switch (part.kind) {
    case "expression":
      return evaluateAt(part.expression, scope, path);
    case "list": {
      const list: Marked[] = [...part.json];
      for (const [index, element] of part.dynamic) list[index] = valueOf(element, scope, [...path, index]);
      return list;
    }
    case "object":
      return objectOf(part.json, part.dynamic, scope, path);
  }
}

function objectOf(json: ObjectValue, dynamic: ReadonlyMap<string, Member>, scope: Scope, path: Path): Marked {
  const object: Record<string, Marked> = {};
  let marks: Marks = NO_MARKS;
  for (const name in json) {
    const constant = json[name] ?? null;
    const member = dynamic.get(name);
    if (member === undefined) {
      setMember(object, name, constant);
      continue;
    }
    const value = member.value ? valueOf(member.value, scope, [...path, name]) : constant;
    const key = member.key ? evaluateAt(member.key, scope, path) : name;
    marks |= marksOf(key);
    if (isUnknown(peel(key))) return mark(peel(key), marks);
    const text = peel(key) === null ? undefined : asPrimitive(peel(key), "string");
    if (typeof text !== "string") throw new ExpressionFailed("a key must be a string, and not null").of(path);
    setMember(object, text, value);
  }
  return mark(object, marks);
}

function evaluateAt(expression: Expression, scope: Scope, path: Path): Marked {
  try {
    return evaluate(expression, scope);
  } catch (error) {
    throw error instanceof ExpressionFailed ? error.of(path) : error;
  }
}

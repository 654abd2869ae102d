/** Compiles the JSON of a stack: finds the templates in it, and later gives them their values. */
import { type ExpressionError, expressionFailed, invalidExpression } from "../../problems";
import {
  asPrimitive,
  isList,
  isUnknown,
  mark,
  type Marked,
  type MarkedObject,
  type Marks,
  marksOf,
  NO_MARKS,
  type ObjectValue,
  type Path,
  unwrap,
  setMember,
  type Value,
} from "../values";
import { evaluate } from "./evaluate";
import { mayBeTemplate, parseTemplate } from "./grammar";
import { requireBounded, MAX_DEPTH } from "./limits";
import { calls, type Expression, type Reference, references } from "./node";
import type { Scope } from "./scope";

// Reading all templates of a JSON value. Most values hold none, and cost only a look at their strings.

/** A JSON value whose templates have been read. */
export interface Compiled {
  /** The JSON itself, where there is nothing to evaluate in it. */
  readonly constant: Value | undefined;
  readonly references: readonly Reference[];
  /** Names of the functions called. */
  readonly calls: readonly string[];
  /** The members of an object that hold no template, where some do; undefined if the value is something else. */
  readonly fixed: ObjectValue | undefined;
  /**
   * The value. Parts without templates are not copied.
   * @throws expressionFailed that names the attribute.
   */
  evaluate(scope: Scope): Marked;
  /** Only the members of the object that are not {@link fixed}. @throws expressionFailed that names the attribute */
  evaluateRest(scope: Scope): MarkedObject;
}

/** @throws invalidExpression */
export function compile(
  json: Value,
  options: {
    /** Path of the value, for messages. Default: none. */
    readonly path?: Path;
    /** Called for each string that cannot be read, which then counts as null. Default: the first one is thrown. */
    readonly report?: ReportError;
    /** Templates that were read before. Default: none. */
    readonly templates?: Templates;
  } = {},
): Compiled {
  const { path = [], report = rethrow, templates = new Templates() } = options;
  const part = new PartReader(path, report, templates).part(json);
  return part === undefined ? new Constant(json) : new Dynamic(part, path);
}

function rethrow(error: ExpressionError): never {
  throw error;
}

class Constant implements Compiled {
  readonly references = [];
  readonly calls = [];
  readonly fixed = undefined;

  constructor(readonly constant: Value) {}

  evaluate(): Marked {
    return this.constant;
  }

  evaluateRest(): MarkedObject {
    return {};
  }
}

class Dynamic implements Compiled {
  readonly constant = undefined;
  readonly references: readonly Reference[];
  readonly calls: readonly string[];

  constructor(
    private readonly part: TemplatePart,
    private readonly path: Path,
  ) {
    const expressions = expressionsIn(part);
    const [only] = expressions;
    const isOne = only !== undefined && expressions.length === 1;
    this.references = isOne ? references(only) : expressions.flatMap(references);
    this.calls = isOne ? calls(only) : expressions.flatMap(calls);
  }

  get fixed(): ObjectValue | undefined {
    return fixedMembers(this.part);
  }

  evaluate(scope: Scope): Marked {
    return boundedAt(evaluatePart(this.part, scope, this.path), this.path);
  }

  evaluateRest(scope: Scope): MarkedObject {
    const { part, path } = this;
    return part.kind === "object" ? boundedAt(assign({}, part.dynamic, scope, path), path) : {};
  }
}

// The compiled form: a JSON value, and the places of its templates.

/** A part that holds templates. */
type TemplatePart =
  | { readonly kind: "expression"; readonly expression: Expression }
  | {
      readonly kind: "list";
      readonly json: readonly Value[];
      readonly dynamic: ReadonlyMap<number, TemplatePart>;
    }
  /** With templates in values alone. */
  | {
      readonly kind: "object";
      readonly json: ObjectValue;
      readonly dynamic: ReadonlyMap<string, TemplatePart>;
    }
  | {
      readonly kind: "keyed";
      readonly json: ObjectValue;
      readonly dynamic: ReadonlyMap<string, TemplateMember>;
    };

/** A key may be a template too; few are. */
interface TemplateMember {
  readonly key: Expression | undefined;
  readonly value: TemplatePart | undefined;
}

/** The members of an object that hold no template; undefined if the part is something else, or a key is a template. */
function fixedMembers(part: TemplatePart): ObjectValue | undefined {
  if (part.kind !== "object") return undefined;
  const fixedMembers: Record<string, Value> = {};
  for (const name in part.json)
    if (!part.dynamic.has(name)) setMember(fixedMembers, name, part.json[name] ?? null);
  return fixedMembers;
}

/** All templates of a part. */
function expressionsIn(part: TemplatePart): Expression[] {
  switch (part.kind) {
    case "expression":
      return [part.expression];
    case "list":
    case "object":
      return [...part.dynamic.values()].flatMap(expressionsIn);
    case "keyed":
      return [...part.dynamic.values()].flatMap(({ key, value }) => [
        ...(key ? [key] : []),
        ...(value ? expressionsIn(value) : []),
      ]);
  }
}

// Finding the templates.

/** Called for a string that cannot be read; it may throw, or let the string count as null. */
type ReportError = (error: ExpressionError, path: Path) => void;

class PartReader {
  private readonly path: (string | number)[];

  constructor(
    start: Path,
    private readonly report: ReportError,
    private readonly templates: Templates,
  ) {
    this.path = [...start];
  }

  /** Undefined if the value holds no template. */
  part(json: Value): TemplatePart | undefined {
    if (typeof json === "string") {
      return mayBeTemplate(json) ? { kind: "expression", expression: this.expression(json) } : undefined;
    }
    if (typeof json !== "object" || json === null) return undefined;
    if (this.path.length > MAX_DEPTH) {
      throw invalidExpression.error("the value is nested too deeply", { place: { text: "", at: 0 } });
    }
    return isList(json) ? this.list(json) : this.object(json as ObjectValue);
  }

  private list(json: readonly Value[]): TemplatePart | undefined {
    let dynamic: Map<number, TemplatePart> | undefined;
    for (let index = 0; index < json.length; index++) {
      const part = this.within(index, json[index]);
      if (part !== undefined) (dynamic ??= new Map<number, TemplatePart>()).set(index, part);
    }
    return dynamic && { kind: "list", json, dynamic };
  }

  private object(json: ObjectValue): TemplatePart | undefined {
    let dynamic: Map<string, TemplatePart> | undefined;
    for (const name in json) {
      if (mayBeTemplate(name)) return this.objectWithKeys(json);
      const value = this.within(name, json[name]);
      if (value !== undefined) (dynamic ??= new Map<string, TemplatePart>()).set(name, value);
    }
    return dynamic && { kind: "object", json, dynamic };
  }

  private objectWithKeys(json: ObjectValue): TemplatePart {
    const dynamic = new Map<string, TemplateMember>();
    for (const name in json) {
      const value = this.within(name, json[name]);
      const key = mayBeTemplate(name) ? this.expression(name) : undefined;
      if (value ?? key) dynamic.set(name, { key, value });
    }
    return { kind: "keyed", json, dynamic };
  }

  private within(step: string | number, json: Value | undefined): TemplatePart | undefined {
    this.path.push(step);
    const part = this.part(json ?? null);
    this.path.pop();
    return part;
  }

  private expression(text: string): Expression {
    try {
      return this.templates.read(text);
    } catch (error) {
      if (!invalidExpression.is(error)) throw error;
      this.report(error, [...this.path]);
      return { text, root: { kind: "literal", at: 0, value: null } };
    }
  }
}

// Giving the templates their values.

/** Small parts can be too large together. */
function boundedAt<T extends Marked>(value: T, path: Path): T {
  try {
    requireBounded(value);
    return value;
  } catch (error) {
    throw expressionFailed.is(error) ? error.of(path) : error;
  }
}

function evaluatePart(part: TemplatePart, scope: Scope, path: Path): Marked {
  switch (part.kind) {
    case "expression":
      return evaluateAt(part.expression, scope, path);
    case "list": {
      const list: Marked[] = [...part.json];
      for (const [index, element] of part.dynamic)
        list[index] = evaluatePart(element, scope, [...path, index]);
      return list;
    }
    case "object": {
      const object: Record<string, Marked> = { ...part.json };
      return assign(object, part.dynamic, scope, path);
    }
    case "keyed":
      return keyedObject(part.json, part.dynamic, scope, path);
  }
}

function assign(
  object: Record<string, Marked>,
  dynamic: ReadonlyMap<string, TemplatePart>,
  scope: Scope,
  path: Path,
): MarkedObject {
  for (const [name, member] of dynamic) setMember(object, name, evaluatePart(member, scope, [...path, name]));
  return object;
}

function keyedObject(
  json: ObjectValue,
  dynamic: ReadonlyMap<string, TemplateMember>,
  scope: Scope,
  path: Path,
): Marked {
  const object: Record<string, Marked> = {};
  let marks: Marks = NO_MARKS;
  for (const name in json) {
    const constant = json[name] ?? null;
    const member = dynamic.get(name);
    if (member === undefined) {
      setMember(object, name, constant);
      continue;
    }
    const value = member.value ? evaluatePart(member.value, scope, [...path, name]) : constant;
    const key = member.key ? evaluateAt(member.key, scope, path) : name;
    marks |= marksOf(key);
    if (isUnknown(unwrap(key))) return mark(unwrap(key), marks);
    const text = asPrimitive(unwrap(key), "string");
    if (text === undefined) throw expressionFailed.error("a key must be a string, and not null").of(path);
    setMember(object, text, value);
  }
  return mark(object, marks);
}

function evaluateAt(expression: Expression, scope: Scope, path: Path): Marked {
  try {
    return evaluate(expression, scope);
  } catch (error) {
    throw expressionFailed.is(error) ? error.of(path) : error;
  }
}

// A cache of templates: each text is read once, since all users of an account refer to the account by the same words.

/** Limit of the memory for templates. References to the same object are mostly close together. */
const MOST_TEMPLATES = 1_000;

export class Templates {
  readonly #expressions = new Map<string, Expression>();

  /** @throws invalidExpression */
  read(text: string): Expression {
    const known = this.#expressions.get(text);
    if (known !== undefined) return known;
    const expression = parseTemplate(text);
    if (this.#expressions.size === MOST_TEMPLATES) this.#expressions.clear();
    this.#expressions.set(text, expression);
    return expression;
  }
}

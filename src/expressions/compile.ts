/** Reads all templates in a JSON value at once. What holds none, as most do, costs a look at its strings and no more. */
import type { InvalidExpression } from "../errors";
import type { ObjectValue, Path, Value } from "../values";
import type { Scope } from "./evaluation/scope";
import { evaluateMembers, evaluateWhole } from "./json/evaluate-part";
import { expressionsIn, fixedMembers, type Part } from "./json/part";
import { PartReader, type Report } from "./json/read-part";
import { Templates } from "./json/templates";
import type { Marked, MarkedObject } from "./marks";
import type { Reference } from "./reference";
import { calls, references } from "./references";

/** A JSON value whose templates have been read. */
export interface Compiled {
  /** The JSON itself, where there is nothing to evaluate in it. */
  readonly constant: Value | undefined;
  readonly references: readonly Reference[];
  /** Names of the functions called. */
  readonly calls: readonly string[];
  /** The members of an object that hold no template, where some do; undefined where the value is something else. */
  readonly fixed: ObjectValue | undefined;
  /**
   * The value. Parts without templates are not copied.
   * @throws ExpressionFailed that names the attribute.
   */
  evaluate(scope: Scope): Marked;
  /** Just the members of the object that are not {@link fixed}. @throws ExpressionFailed that names the attribute */
  evaluateRest(scope: Scope): MarkedObject;
}

export interface CompileOptions {
  /** Path of the value, for messages. Default: none. */
  readonly path?: Path;
  /** Hears of each string that cannot be read, which then counts as null. Default: the first one is thrown. */
  readonly report?: Report;
  /** Templates that were read before. Default: none. */
  readonly templates?: Templates;
}

/** @throws InvalidExpression */
export function compile(json: Value, options: CompileOptions = {}): Compiled {
  const { path = [], report = rethrow, templates = new Templates() } = options;
  const part = new PartReader(path, report, templates).part(json);
  return part === undefined ? new Constant(json) : new Dynamic(part, path);
}

function rethrow(error: InvalidExpression): never {
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
    private readonly part: Part,
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
    return evaluateWhole(this.part, scope, this.path);
  }

  evaluateRest(scope: Scope): MarkedObject {
    return evaluateMembers(this.part, scope, this.path);
  }
}

/** Reads all templates in a JSON value at once. What holds none, as most do, costs a look at its strings and no more. */
import type { InvalidExpression } from "../errors";
import type { Path, Value } from "../values";
import type { Scope } from "./evaluation/scope";
import { evaluatePart } from "./json/evaluate-part";
import { expressionsIn, type Part } from "./json/part";
import { PartReader, type Report } from "./json/read-part";
import type { Marked } from "./marks";
import type { Reference } from "./reference";
import { calls, references } from "./references";

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
  readonly report?: Report;
}

/** @throws InvalidExpression */
export function compile(json: Value, { path = [], report = rethrow }: CompileOptions = {}): Compiled {
  const part = new PartReader(path, report).part(json);
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
    return evaluatePart(this.part, scope, this.path);
  }
}

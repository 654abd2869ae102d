/** Defines the values that an expression can see, and counts the work of one evaluation. */
import { expressionFailed } from "../../problems";
import { requireBounded, MAX_WORK } from "./limits";
import { isMarkedList, type Marked, unwrap } from "../values";
import type { Expression, Reference } from "./node";

export type ExpressionFunction =
  | { readonly name: string; call(args: readonly Marked[], environment: CallEnvironment): Marked }
  /** The arguments may fail: they are tried one by one. */
  | { readonly name: string; attempt(args: readonly (() => Marked)[]): Marked };

/** The surroundings that a function may use in addition to its arguments. */
export interface CallEnvironment {
  readonly scope: Scope;
  /** Evaluates a template that sees the given names and nothing else. */
  render(expression: Expression, names: ReadonlyMap<string, Marked>): Marked;
}

/** The surroundings of an expression. */
export interface Scope {
  /**
   * The whole value of a reference's root: the object of a resource (a list of objects with `count`, an object of objects with `for_each`),
   * or the value of a variable, local, `each.key` or `count.index`. The evaluator takes the further steps; `reference.path` only announces
   * them. `path.*` and `terraform.*` never come here.
   */
  resolve(reference: Reference): Marked;
  /** Folder of the stack: file functions and `path.*` are relative to it. */
  readonly folder: string;
  /** Folder that holds the files of `folder`. Absent: `folder` itself. */
  readonly contents?: string;
  /** Folders of readable files. Absent: the stack's folder. */
  readonly readable?: readonly string[];
  /** Functions of providers, by their full name. */
  readonly functions?: ReadonlyMap<string, ExpressionFunction>;
  /** The result of `plantimestamp`, RFC 3339. Absent: unknown. */
  readonly plannedAt?: string;
  /** The result of `timestamp`, RFC 3339. Absent, as while planning: unknown. */
  readonly now?: string;
}

// One evaluation: its surroundings, its bound names, and the amount of work so far.

/** Bound names, innermost first: a loop binds its names again in every round, so that binding must cost little. */
interface BoundNames {
  readonly name: string;
  readonly value: Marked;
  readonly outer: BoundNames | undefined;
}

export class Evaluation {
  private constructor(
    readonly scope: Scope,
    readonly text: string,
    private readonly names: BoundNames | undefined,
    private readonly work: { done: number },
  ) {}

  static of(scope: Scope, text: string): Evaluation {
    return new Evaluation(scope, text, undefined, { done: 0 });
  }

  /** The same run, inside a loop. */
  binding(keyName: string | undefined, key: Marked, valueName: string, value: Marked): Evaluation {
    const outer = keyName === undefined ? this.names : { name: keyName, value: key, outer: this.names };
    return new Evaluation(this.scope, this.text, { name: valueName, value, outer }, this.work);
  }

  /** The same run, inside another text that sees only the given names. */
  entering(text: string, variables: ReadonlyMap<string, Marked>): Evaluation {
    let names: BoundNames | undefined;
    for (const [name, value] of variables) names = { name, value, outer: names };
    return new Evaluation(this.scope, text, names, this.work);
  }

  bound(name: string): Marked {
    let names = this.names;
    while (names !== undefined && names.name !== name) names = names.outer;
    if (names === undefined) {
      throw expressionFailed.error(`the template uses "${name}", but no such variable is passed to it`);
    }
    return names.value;
  }

  /** Counts a round of a loop, or a call. */
  spend(work = 1): void {
    this.work.done += work;
    if (this.work.done > MAX_WORK) {
      throw expressionFailed.error("the expression takes too long, or produces too much");
    }
  }

  /** Counts the work of a value that was made. @throws expressionFailed also if the value is too large to walk through */
  spendOn(value: Marked): Marked {
    requireBounded(value);
    const unwrapped = unwrap(value);
    if (typeof unwrapped === "string") this.spend(unwrapped.length / 16);
    else if (isMarkedList(unwrapped)) this.spend(unwrapped.length);
    return value;
  }
}

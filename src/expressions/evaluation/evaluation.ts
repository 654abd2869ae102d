/** One run through an expression: what it sees, what it has bound, how long it has worked. */
import { ExpressionFailed } from "../../errors";
import { MAX_ROUNDS } from "../limits";
import type { Marked } from "../marks";
import type { Scope } from "./scope";

export class Evaluation {
  private constructor(
    readonly scope: Scope,
    readonly text: string,
    private readonly names: ReadonlyMap<string, Marked>,
    private readonly work: { rounds: number },
  ) {}

  static of(scope: Scope, text: string): Evaluation {
    return new Evaluation(scope, text, new Map(), { rounds: 0 });
  }

  /** The same run, inside a loop: with further names. */
  binding(...pairs: readonly (readonly [string | undefined, Marked])[]): Evaluation {
    const names = new Map(this.names);
    for (const [name, value] of pairs) if (name !== undefined) names.set(name, value);
    return new Evaluation(this.scope, this.text, names, this.work);
  }

  /** The same run, inside another text that sees only the given names. */
  entering(text: string, names: ReadonlyMap<string, Marked>): Evaluation {
    return new Evaluation(this.scope, text, names, this.work);
  }

  bound(name: string): Marked {
    const value = this.names.get(name);
    if (value === undefined) {
      throw new ExpressionFailed(`the template uses "${name}", and no such variable is given to it`);
    }
    return value;
  }

  /** Counts a round of a loop or a call. */
  spend(): void {
    if (++this.work.rounds > MAX_ROUNDS) throw new ExpressionFailed("the expression takes too many rounds");
  }
}

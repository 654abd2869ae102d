/** What has been done so far, told as it happens and summed up at the end. */
import type { ApplyEvent, ApplyResult, Deed } from "../../apply";
import { isError, type Diagnostic } from "../../errors";
import type { Change, OutputChange } from "../../plan";

/** How a deed ended, where it did not fail. */
export interface Done {
  readonly id: string | undefined;
  /** Errors among them mean that it was done in part. */
  readonly diagnostics: readonly Diagnostic[];
}

export class Progress {
  readonly #listener: ((event: ApplyEvent) => void) | undefined;
  readonly #deaf = new AbortController();
  #listenerFailure: { readonly error: unknown } | undefined;
  readonly #applied: Change[] = [];
  readonly #failed: { change: Change; diagnostics: readonly Diagnostic[] }[] = [];
  readonly #notTried: Change[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  constructor(tell: ((event: ApplyEvent) => void) | undefined) {
    this.#listener = tell;
  }

  /** Aborts when the listener throws: nothing more is begun then, and what was begun ends. */
  get unheard(): AbortSignal {
    return this.#deaf.signal;
  }

  /** @throws what the listener has thrown, once everything is at rest */
  requireHeard(): void {
    if (this.#listenerFailure !== undefined) throw this.#listenerFailure.error;
  }

  #tell(event: ApplyEvent): void {
    if (this.#listenerFailure !== undefined) return;
    try {
      this.#listener?.(event);
    } catch (error) {
      this.#listenerFailure = { error };
      this.#deaf.abort();
    }
  }

  /** Whether nothing failed and nothing was left undone. */
  get isFlawless(): boolean {
    return this.#failed.length === 0 && this.#notTried.length === 0;
  }

  /** Tells of a deed from its beginning to its end. @returns whether it succeeded */
  async deed(
    change: Change,
    deed: Deed,
    act: () => Promise<Done>,
    diagnose: (error: unknown) => readonly Diagnostic[],
  ): Promise<boolean> {
    const began = performance.now();
    const milliseconds = () => Math.round(performance.now() - began);
    this.#tell({ kind: "started", change, deed });
    try {
      const { id, diagnostics } = await act();
      const errors = diagnostics.filter(isError);
      diagnostics.filter((one) => !isError(one)).forEach((warning) => this.note(warning));
      if (errors.length > 0) return this.fail(change, deed, errors, milliseconds());
      this.#applied.push(change);
      this.#tell({ kind: "finished", change, deed, id, milliseconds: milliseconds() });
      return true;
    } catch (error) {
      return this.fail(change, deed, diagnose(error), milliseconds());
    }
  }

  fail(change: Change, deed: Deed, diagnostics: readonly Diagnostic[], milliseconds = 0): false {
    this.#failed.push({ change, diagnostics });
    this.#tell({ kind: "failed", change, deed, diagnostics, milliseconds });
    return false;
  }

  skip(change: Change, reason: string): void {
    this.#notTried.push(change);
    this.#tell({ kind: "skipped", change, reason });
  }

  note(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic);
    this.#tell({ kind: "diagnostic", diagnostic });
  }

  result(outputs: readonly OutputChange[]): ApplyResult {
    this.#tell({ kind: "outputs", outputs });
    return {
      ok: this.isFlawless && !this.#diagnostics.some(isError),
      applied: this.#applied,
      failed: this.#failed,
      notTried: this.#notTried,
      outputs,
      diagnostics: this.#diagnostics,
    };
  }
}

/** Records the finished changes, reports each as it happens, and summarizes them at the end. */
import type { ApplyEvent, ApplyResult, Change, Operation, OutputChange } from "../../plan";
import {
  asWarning,
  type Diagnostic,
  type Finding,
  internal,
  isError,
  type Reader,
  TenancyError,
  type Location,
  worded,
  wordsFor,
} from "../../problems";

/** The end of an operation that did not fail. */
export interface Done {
  readonly id: string | undefined;
  /** Errors among them mean that it was done in part. */
  readonly findings: readonly Finding[];
}

export class Progress {
  readonly #listener: ((event: ApplyEvent) => void) | undefined;
  readonly #outputLost = new AbortController();
  #listenerFailure: { readonly error: unknown } | undefined;
  readonly #applied: Change[] = [];
  readonly #failed: { change: Change; diagnostics: readonly Diagnostic[] }[] = [];
  readonly #notTried: Change[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #reader: Reader | undefined;
  readonly #hide: (finding: Finding) => Finding;

  /** @param hide formulates a finding without hidden values */
  constructor(
    tell: ((event: ApplyEvent) => void) | undefined,
    reader: Reader | undefined,
    hide: (finding: Finding) => Finding,
  ) {
    this.#listener = tell;
    this.#reader = reader;
    this.#hide = hide;
  }

  /** Aborts when the listener throws: no further change begins then, and started ones end. */
  get outputLost(): AbortSignal {
    return this.#outputLost.signal;
  }

  /** @throws the listener's error, once all work has ended */
  throwIfOutputLost(): void {
    if (this.#listenerFailure !== undefined) throw this.#listenerFailure.error;
  }

  #tell(event: ApplyEvent): void {
    if (this.#listenerFailure !== undefined) return;
    try {
      this.#listener?.(event);
    } catch (error) {
      this.#listenerFailure = { error };
      this.#outputLost.abort();
    }
  }

  /** True if nothing failed and nothing was left undone. */
  get isFlawless(): boolean {
    return this.#failed.length === 0 && this.#notTried.length === 0;
  }

  /** Changes for which nothing was sent, because of an earlier failure. */
  get notTried(): readonly Change[] {
    return this.#notTried;
  }

  /** Reports one change from its beginning to its end. @returns whether it succeeded */
  async operation(
    change: Change,
    operation: Operation,
    act: () => Promise<Done>,
    diagnose: (error: unknown) => readonly Finding[],
  ): Promise<boolean> {
    const began = performance.now();
    const milliseconds = () => Math.round(performance.now() - began);
    this.#tell({ kind: "started", change, operation });
    try {
      const { id, findings } = await act();
      const errors = findings.filter(isError);
      findings.filter((one) => !isError(one)).forEach((warning) => this.note(warning));
      if (errors.length > 0) return this.fail(change, operation, errors, milliseconds());
      this.#applied.push(change);
      this.#tell({ kind: "finished", change, operation, id, milliseconds: milliseconds() });
      return true;
    } catch (error) {
      return this.fail(change, operation, diagnose(error), milliseconds());
    }
  }

  fail(change: Change, operation: Operation, findings: readonly Finding[], milliseconds = 0): false {
    const diagnostics = worded(findings.map(this.#hide), wordsFor(this.#reader));
    this.#failed.push({ change, diagnostics });
    this.#tell({ kind: "failed", change, operation, diagnostics, milliseconds });
    return false;
  }

  skip(change: Change, reason: string): void {
    this.#notTried.push(change);
    this.#tell({ kind: "skipped", change, reason });
  }

  note(finding: Finding): void {
    const diagnostics = worded([this.#hide(finding)], wordsFor(this.#reader));
    this.#diagnostics.push(...diagnostics);
    for (const diagnostic of diagnostics) this.#tell({ kind: "diagnostic", diagnostic });
  }

  noteError(error: unknown, where: Location): void {
    for (const finding of findingsOfError(error, where)) this.note(finding);
  }

  /** For an error that leaves the changes made. */
  noteWarning(error: unknown): void {
    for (const finding of asWarning(tenancyErrorOf(error))) this.note(finding);
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

/** The findings of an error, placed at their object. */
export function findingsOfError(error: unknown, where: Location): readonly Finding[] {
  return tenancyErrorOf(error).toFindings(where);
}

function tenancyErrorOf(error: unknown): TenancyError {
  return error instanceof TenancyError
    ? error
    : internal.error(error instanceof Error ? error.message : String(error));
}

/** Records what has been done so far, reports it as it happens, and sums it up at the end. */
import type { Ledger, LiveObject as RememberedObject } from "../../credentials";
import {
  absentPaths,
  type ApplyEvent,
  type ApplyResult,
  type Change,
  type Deed,
  hiddenPaths,
  type OutputChange,
} from "../../plan";
import {
  type Diagnostic,
  type Finding,
  internal,
  isError,
  TenancyError,
  type Whereabouts,
  type Reader,
  worded,
  type Words,
  wordsFor,
} from "../../problems";
import type { Records } from "../../resources";
import { type Attributes, isVersionPath, secretPath, versionPath, writeOnlyAttributes } from "../../schema";
import { equal, isInteger, isUnknown, type ObjectValue, type Path, valueAt } from "../../values";

/** How a deed ended, where it did not fail. */
export interface Done {
  readonly id: string | undefined;
  /** Errors among them mean that it was done in part. */
  readonly findings: readonly Finding[];
}

export class Progress {
  readonly #listener: ((event: ApplyEvent) => void) | undefined;
  readonly #deaf = new AbortController();
  #listenerFailure: { readonly error: unknown } | undefined;
  readonly #applied: Change[] = [];
  readonly #failed: { change: Change; diagnostics: readonly Diagnostic[] }[] = [];
  readonly #notTried: Change[] = [];
  readonly #diagnostics: Diagnostic[] = [];

  readonly #say: Words;

  constructor(tell: ((event: ApplyEvent) => void) | undefined, reader?: Reader) {
    this.#listener = tell;
    this.#say = wordsFor(reader);
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

  /** What nothing was sent for, because of what went before. */
  get untouched(): readonly Change[] {
    return this.#notTried;
  }

  /** Reports one change from its beginning to its end. @returns whether it succeeded */
  async deed(
    change: Change,
    deed: Deed,
    act: () => Promise<Done>,
    diagnose: (error: unknown) => readonly Finding[],
  ): Promise<boolean> {
    const began = performance.now();
    const milliseconds = () => Math.round(performance.now() - began);
    this.#tell({ kind: "started", change, deed });
    try {
      const { id, findings } = await act();
      const errors = findings.filter(isError);
      findings.filter((one) => !isError(one)).forEach((warning) => this.note(warning));
      if (errors.length > 0) return this.fail(change, deed, errors, milliseconds());
      this.#applied.push(change);
      this.#tell({ kind: "finished", change, deed, id, milliseconds: milliseconds() });
      return true;
    } catch (error) {
      return this.fail(change, deed, diagnose(error), milliseconds());
    }
  }

  fail(change: Change, deed: Deed, findings: readonly Finding[], milliseconds = 0): false {
    const diagnostics = worded(findings, this.#say);
    this.#failed.push({ change, diagnostics });
    this.#tell({ kind: "failed", change, deed, diagnostics, milliseconds });
    return false;
  }

  skip(change: Change, reason: string): void {
    this.#notTried.push(change);
    this.#tell({ kind: "skipped", change, reason });
  }

  note(finding: Finding): void {
    const diagnostics = worded([finding], this.#say);
    this.#diagnostics.push(...diagnostics);
    for (const diagnostic of diagnostics) this.#tell({ kind: "diagnostic", diagnostic });
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

// Notes for the store after a write: which values the service hides, and which versions of secrets were sent.

/** An object as it was written. */
interface WrittenObject {
  readonly attributes: Attributes;
  readonly config: ObjectValue;
  /** The state that holds now. If only a part could be written, the rest is as before. */
  readonly state: ObjectValue;
  readonly records: Records;
}

/** After a create or update: hidden values and versions are as declared, as far as they were written. */
export async function noteWritten(
  ledger: Ledger,
  object: RememberedObject,
  { attributes, config, state, records }: WrittenObject,
): Promise<void> {
  const isWritten = (path: Path) => equal(valueAt(state, path), valueAt(config, path));
  for (const path of hiddenPaths(attributes, config, records)) {
    if (isWritten(path)) noteValue(ledger, object, path, config);
  }
  for (const path of absentPaths(attributes, state, records)) {
    const isRemembered = ledger.objects.isSameValue(object, path, null) !== undefined;
    if (!isRemembered) ledger.objects.rememberValue(object, path, null);
  }
  for (const { path } of writeOnlyAttributes(attributes)) {
    const isDeclared = path.length === 1 || valueAt(config, path.slice(0, -1)) !== null;
    if (isDeclared && isWritten(versionPath(path))) await noteVersion(ledger, object, path, config);
  }
}

/** Values that a plan takes as declared because nothing was remembered of them. */
export async function noteRecorded(
  ledger: Ledger,
  object: RememberedObject,
  paths: readonly Path[],
  config: ObjectValue,
): Promise<void> {
  for (const path of paths) {
    if (isVersionPath(path)) await noteVersion(ledger, object, secretPath(path), config);
    else noteValue(ledger, object, path, config);
  }
}

function noteValue(ledger: Ledger, object: RememberedObject, path: Path, config: ObjectValue): void {
  const value = valueAt(config, path);
  if (value !== null && !isUnknown(value)) ledger.objects.rememberValue(object, path, value);
}

/** A secret that is not declared has the version null, so that declaring one later sends it. */
async function noteVersion(
  ledger: Ledger,
  object: RememberedObject,
  path: Path,
  config: ObjectValue,
): Promise<void> {
  const version = valueAt(config, versionPath(path));
  const secret = valueAt(config, path);
  await ledger.objects.recordVersion(
    object,
    path,
    isInteger(version) ? version : null,
    typeof secret === "string" ? secret : undefined,
  );
}

/** The findings of an error, placed at their object. */
export function diagnose(error: unknown, where: Whereabouts): readonly Finding[] {
  const known =
    error instanceof TenancyError
      ? error
      : internal.error(error instanceof Error ? error.message : String(error));
  return known.toFindings(where);
}

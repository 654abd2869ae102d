/** Defines the parts of every problem: an entry of the catalogue, the error that is thrown, and the diagnostics that show it. */
import { formatPath, nearest, type Path } from "../lib/values";
import { type Advice, inWords, type Reader, sentences, TYPESCRIPT, type Words, wordsFor } from "./words";

/** A text, or how it is written from the facts. */
type Wording<F> = string | ((facts: F) => string);

/** An entry of the catalogue. No text holds a secret. */
export interface Definition<F> {
  /**
   * Stable: users match on it, so it never changes. Problems with the same remedy have the same code. docs/manual/reference/errors.md has a
   * section for each code.
   */
  readonly code: `TENANCY_${string}`;
  /**
   * The fault of objects of this kind in general: the same sentence for all findings, without a name and without a full stop. Terraform
   * shows it above a warning, and folds warnings that have the same one.
   */
  readonly title?: string;
  /** Path of the attribute inside the object, if it is always the same one. */
  readonly attribute?: Path;
  /** The place, as far as the facts name it. */
  readonly where?: (facts: F) => Location;
  /** The fault, in one sentence without a full stop. */
  readonly summary: Wording<F>;
  /** Why, where the summary does not say it all. */
  readonly detail?: Wording<F> | ((facts: F) => string | undefined);
  /** The way on, worded when it is shown. The facts are read again each time. */
  readonly advice?: string | ((facts: F, say: Words) => string | undefined);
}

/** Facts that only the finder knows: the place, and words in place of the catalogue's. */
export interface Details extends Location {
  readonly detail?: string;
  readonly advice?: Advice;
  readonly cause?: unknown;
}

abstract class Worded<F> {
  readonly code: string;

  constructor(protected readonly definition: Definition<F>) {
    this.code = definition.code;
  }

  protected finding(severity: Finding["severity"], facts: F, more: Details = {}): Finding {
    const { code, title, attribute, summary, advice: own, ...rest } = this.definition;
    const {
      detail = textFor(rest.detail, facts),
      advice = typeof own === "function" ? (say: Words) => own(facts, say) : own,
      cause: _,
      ...place
    } = more;
    return {
      severity,
      code,
      ...(title !== undefined && { title }),
      summary: textFor(summary, facts),
      ...(detail !== undefined && { detail }),
      ...(advice !== undefined && { advice }),
      ...(attribute !== undefined && { attribute }),
      ...rest.where?.(facts),
      ...place,
    };
  }
}

function textFor<F, T extends string | undefined>(text: T | ((facts: F) => T), facts: F): T {
  return typeof text === "function" ? text(facts) : text;
}

/** A problem that is only ever a warning, and so no error. */
export class Warning<F> extends Worded<F> {
  /** The warning as data. */
  at(facts: F, more?: Details): Finding {
    return this.finding("warning", facts, more);
  }
}

/** Frames that an error keeps. */
const DEEPEST = 50;

/** A problem that can be thrown, or found. */
export class Problem<F> extends Worded<F> {
  /** To be thrown. */
  error(facts: F, more?: Details): TenancyError<F> {
    const { stackTraceLimit } = Error;
    // The line of the app that a mistake is shown with may lie below more than ten frames of Tenancy.
    Error.stackTraceLimit = Math.max(stackTraceLimit, DEEPEST);
    try {
      return new TenancyError(this.at(facts, more), facts, more?.cause, this.definition);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** As data, for a list of findings. */
  at(facts: F, more?: Details): Finding {
    return this.finding("error", facts, more);
  }

  /** As data, where it stops nothing. */
  warning(facts: F, more?: Details): Finding {
    return this.finding("warning", facts, more);
  }

  /** True for an error of this problem, and false for one of another problem with the same code. */
  is(error: unknown): error is TenancyError<F> {
    return error instanceof TenancyError && error.isOf(this.definition);
  }
}

/** Defines a problem, by the facts that its texts are written from. */
export function problem<F = void>(definition: Definition<F>): Problem<F> {
  return new Problem(definition);
}

/** Defines a problem that is always a warning. */
export function warning<F = void>(definition: Definition<F> & { readonly title: string }): Warning<F> {
  return new Warning(definition);
}

/** Base of every error that a user may see. Created by {@link Problem.error}. */
export class TenancyError<F = unknown> extends Error {
  /** Stable: `TENANCY_UNMANAGED`. `tenancy explain CODE` says more. */
  declare readonly code: string;
  /** Why, where the message does not say it all. */
  declare readonly detail: string | undefined;
  /** The way on, in the words of TypeScript and the command. */
  declare readonly advice: string | undefined;
  /** Place in the configuration, as far as it is known. */
  declare readonly where: Location;
  /** The same sentence for all errors of this code. */
  declare protected readonly title: string | undefined;
  /** Facts from which the message is written. Its members are no public format. */
  declare readonly facts: F;
  /** Further findings, see {@link telling}. */
  declare protected readonly more: readonly Finding[];

  readonly #advice: Advice | undefined;
  readonly #definition: object | undefined;

  constructor(finding: Finding, facts: F, cause?: unknown, definition?: object) {
    const { severity: _severity, code, title, summary, detail, advice, ...where } = finding;
    super(summary, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.#advice = advice;
    this.#definition = definition;
    const adviceInTypescript = inWords(advice, TYPESCRIPT);
    // Node prints the enumerable members of an uncaught error, as in an app that is synthesized, so only useful ones are enumerable.
    Object.defineProperties(this, {
      code: { value: code, enumerable: true },
      detail: { value: detail, enumerable: detail !== undefined },
      where: { value: where },
      title: { value: title },
      facts: { value: facts },
      more: { value: [], configurable: true },
      advice: { value: adviceInTypescript, enumerable: adviceInTypescript !== undefined },
    });
  }

  /** True if the error was made from this definition. @internal */
  isOf(definition: object): boolean {
    return this.#definition === definition;
  }

  /** The same error in other words. @internal */
  reworded(finding: Finding): TenancyError<F> {
    return new TenancyError(finding, this.facts, undefined, this.#definition);
  }

  /** The same error with further findings, as of something that it has left behind. @internal */
  telling(more: readonly Finding[]): this {
    return Object.defineProperty(this, "more", { value: [...this.more, ...more], configurable: true });
  }

  /** The error as data. The catcher may add the place if the thrower did not know it. @internal */
  toFindings(where: Location = {}): readonly Finding[] {
    return [
      {
        severity: "error",
        code: this.code,
        ...(this.title !== undefined && { title: this.title }),
        summary: this.message,
        ...(this.detail !== undefined && { detail: this.detail }),
        ...(this.#advice !== undefined && { advice: this.#advice }),
        ...where,
        ...this.where,
      },
      ...placed(this.more, where),
    ];
  }

  /**
   * The error as plain data.
   * @param reader who reads the advice: a `library` caller gets options of the engine, a `command` user gets flags and verbs
   */
  toDiagnostics(where?: Location, reader?: Reader): readonly Diagnostic[] {
    return worded(this.toFindings(where), wordsFor(reader));
  }
}

/** Several findings, so that all can be corrected at once. Each has a code of its own. */
export abstract class SeveralFindings extends TenancyError<void> {
  readonly #findings: readonly Finding[];
  /** All of them. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(code: Definition<never>["code"], findings: readonly Finding[]) {
    super({ severity: "error", code, summary: findings.map(formatFinding).join("\n") });
    this.#findings = findings;
    this.diagnostics = worded(findings);
  }

  override toFindings(where: Location = {}): readonly Finding[] {
    return placed([...this.#findings, ...this.more], where);
  }
}

/** Place of a finding in the configuration. */
export interface Location {
  /** Address in the configuration, such as `tenancy_account.acme`. */
  readonly address?: string;
  /** Path of the construct that declared it, such as `platform/acme/Resource`. */
  readonly constructPath?: string;
  /** Path of the attribute inside the object. */
  readonly attribute?: Path;
  /** File, where no address can be given. */
  readonly file?: string;
}

/** The code of an error of the system, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Place of findings about the part, or about one of its instances. */
export function whereaboutsOf(
  part: { readonly address: string; readonly constructPath?: string | undefined },
  address: string = part.address,
): Location {
  const { constructPath } = part;
  return constructPath === undefined ? { address } : { address, constructPath };
}

/** One error or warning: the fault, its place, the reason, and the advice. The advice is worded when the finding is shown. */
export interface Finding extends Location {
  /** An error stops the run; a warning does not. */
  readonly severity: "error" | "warning";
  /** Stable code, such as `TENANCY_UNMANAGED`; `tenancy explain CODE` says more. */
  readonly code: string;
  /** The same sentence for all findings of this code, see {@link Definition.title}. */
  readonly title?: string;
  /** The fault, in one sentence without a full stop. */
  readonly summary: string;
  /** Why, where the summary does not say it all. */
  readonly detail?: string;
  /** The way on. */
  readonly advice?: Advice;
}

/** A finding in words, as plain data. */
export interface Diagnostic extends Omit<Finding, "title"> {
  readonly advice?: string;
}

/** Findings in the words of their reader. */
export function worded(findings: readonly Finding[], say: Words = TYPESCRIPT): readonly Diagnostic[] {
  return findings.map((finding) => {
    const { advice: _advice, title: _title, ...rest } = finding;
    const advice = inWords(finding.advice, say);
    return advice === undefined ? rest : { ...rest, advice };
  });
}

export function isError({ severity }: Finding): boolean {
  return severity === "error";
}

/** Findings, each with a place; a finding that has a place keeps it. */
export function placed<T extends Finding>(findings: readonly T[], where: Location): readonly T[] {
  return findings.map((finding) => ({ ...where, ...finding }));
}

/** One line for logs and for `Error.message`; the renderer has a fuller form. */
function formatFinding({ address, file, attribute, summary }: Finding): string {
  const where = [address ?? file, attribute && formatPath(attribute)].filter(
    (part) => part !== undefined && part !== "",
  );
  return where.length === 0 ? summary : `${where.join(": ")}: ${summary}`;
}

/** The error's findings as warnings. */
export function asWarning(error: TenancyError): readonly Finding[] {
  return error.toFindings().map((finding) => ({ ...finding, severity: "warning" }));
}

const BEFORE = 40;
const AFTER = 40;

/** A quoted piece of a text around one of its characters, on one line. */
export function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - BEFORE);
  const end = Math.min(text.length, at + AFTER);
  const piece = `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  return JSON.stringify(piece);
}

/** Advice on an unknown name: the most similar known name, or else the caller's text. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string {
  const near = nearest(name, known);
  return near === undefined ? otherwise : `Did you mean ${JSON.stringify(near)}?`;
}

/** Several things went wrong with one object. */
export class SeveralFailures extends SeveralFindings {
  constructor(readonly failures: readonly TenancyError[]) {
    super(
      "TENANCY_SEVERAL_FAILURES",
      failures.flatMap((failure) => failure.toFindings()),
    );
  }
}

export function throwAll(failures: readonly TenancyError[]): void {
  const [first, ...others] = failures;
  if (first === undefined) return;
  throw others.length === 0 ? first : new SeveralFailures(failures);
}

/** The single failures in an error. */
export function failuresIn(error: unknown): readonly unknown[] {
  return error instanceof SeveralFailures ? error.failures : [error];
}

/** An error of this program, for which there is no other error. The fact: message of the exception, without secrets. */
export const internal = problem<string>({
  code: "TENANCY_INTERNAL",
  summary: (message) => `something unexpected happened: ${message}`,
  advice: (_, say) =>
    sentences(say.command("Run `tenancy plan` to see the present state."), "Please report this."),
});

/** The stack uses something that the embedded engine does not run. The fact: as in "a provisioner". */
export const unsupported = problem<string>({
  code: "TENANCY_UNSUPPORTED",
  summary: (what) => `the embedded engine does not run ${what}`,
  advice: "Remove it, or run the stack with Terraform or OpenTofu.",
});

/** The run was stopped before this was done. */
export const cancelled = problem<string>({
  code: "TENANCY_CANCELLED",
  summary: (what) => `${what}: stopped before it was done`,
  advice: "Run again to continue.",
});

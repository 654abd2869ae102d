/** Defines what every problem is: an error with a code, and the diagnostics that show it. */
import { formatPath, type Path } from "../values";

/** The static members of every error class. */
export interface ErrorClass {
  /** Stable code: users match on it, so it never changes. */
  readonly code: string;
  /** What `tenancy explain CODE` prints: when this happens, why it is so, and what can be done. Markdown. */
  readonly explanation: string;
}

/** What one error says, beyond its code. */
export interface ErrorDetails extends Whereabouts {
  readonly detail?: string;
  readonly advice?: string;
  readonly cause?: unknown;
}

/**
 * Base of every error that a user may see. Each subclass has a static `code` and `explanation` ({@link ErrorClass}), and a constructor that
 * takes facts and writes the sentences.
 */
export abstract class TenancyError extends Error {
  declare readonly where: Whereabouts;
  declare readonly detail: string | undefined;
  declare readonly advice: string | undefined;

  constructor(summary: string, details: ErrorDetails = {}) {
    super(summary, "cause" in details ? { cause: details.cause } : undefined);
    const { detail, advice, cause: _cause, ...where } = details;
    this.name = new.target.name;
    // Node prints the enumerable members of an uncaught error, as in an app that is synthesized, so only useful ones are enumerable.
    Object.defineProperties(this, {
      where: { value: where },
      detail: { value: detail, enumerable: detail !== undefined },
      advice: { value: advice, enumerable: advice !== undefined, configurable: true },
    });
  }

  /** The same error with further advice, which the thrower could not know. */
  advising(more: string): this {
    const value = this.advice === undefined ? more : `${this.advice} ${more}`;
    return Object.defineProperty(this, "advice", { value, enumerable: true, configurable: true });
  }

  get code(): string {
    return (this.constructor as unknown as ErrorClass).code;
  }

  /** The error as data. The catcher may add the place if the thrower did not know it. */
  toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return [
      {
        severity: "error",
        code: this.code,
        summary: this.message,
        ...(this.detail !== undefined && { detail: this.detail }),
        ...(this.advice !== undefined && { advice: this.advice }),
        ...where,
        ...this.where,
      },
    ];
  }
}

/** Where in the configuration a finding belongs. */
export interface Whereabouts {
  /** Address in the configuration, such as `tenancy_account.acme`. */
  readonly address?: string;
  /** Path of the construct that declared it, such as `platform/acme/Resource`. */
  readonly constructPath?: string;
  /** Path of the attribute inside the object. */
  readonly attribute?: Path;
  /** File, where no address can be given. */
  readonly file?: string;
}

/** A part of the configuration: a block, or a change of a declared object. */
interface Declared {
  readonly address: string;
  readonly constructPath?: string | undefined;
}

/** The place for findings about the part, or about one of its instances. */
export function placeOf(declared: Declared, address: string = declared.address): Whereabouts {
  const { constructPath } = declared;
  return constructPath === undefined ? { address } : { address, constructPath };
}

/** One error or warning, as plain data: what, where, why, and what to do. */
export interface Diagnostic extends Whereabouts {
  readonly severity: "error" | "warning";
  /** Stable code, such as `TENANCY_FOREIGN`; `tenancy explain CODE` says more. */
  readonly code: string;
  /** What is wrong, in one sentence without a full stop. */
  readonly summary: string;
  /** Why, where the summary does not say it all. */
  readonly detail?: string;
  /** What to do about it. */
  readonly advice?: string;
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** Findings, each with its place; those that know one of their own keep it. */
export function placed(diagnostics: readonly Diagnostic[], where: Whereabouts): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...where, ...diagnostic }));
}

/** One line for logs and for `Error.message`; the renderer has a fuller form. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const where = [
    diagnostic.address ?? diagnostic.file,
    diagnostic.attribute && formatPath(diagnostic.attribute),
  ].filter((part) => part !== undefined && part !== "");
  return where.length === 0 ? diagnostic.summary : `${where.join(": ")}: ${diagnostic.summary}`;
}

/** What an error says, as a warning. */
export function asWarning(error: TenancyError, where: Whereabouts = {}): readonly Diagnostic[] {
  return error.toDiagnostics(where).map((diagnostic) => ({ ...diagnostic, severity: "warning" }));
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

/** Several things went wrong with one object; each has a code of its own. */
export class SeveralFailures extends TenancyError {
  static readonly code = "TENANCY_SEVERAL_FAILURES";
  static readonly explanation = `
One step tried several things, and more than one of them failed: revoking a token together with those that it replaced, for instance. Each
finding has a code of its own.`;

  readonly failures: readonly TenancyError[];

  constructor(failures: readonly TenancyError[]) {
    super(failures.flatMap((failure) => failure.toDiagnostics().map(formatDiagnostic)).join("\n"));
    this.failures = failures;
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return this.failures.flatMap((failure) => failure.toDiagnostics(where));
  }
}

/** An error of ours, for which there is no other error. */
export class Internal extends TenancyError {
  static readonly code = "TENANCY_INTERNAL";
  static readonly explanation = `
Something happened that Tenancy does not provide for: a bug in it, or a machine that is out of memory, disk or files. What was under way may
be partly done; the next plan shows how things stand. Please report it, with the message (which holds no secret) and the command.`;

  /** @param message of the exception, without secrets */
  constructor(message: string) {
    super(`something unexpected happened: ${message}`, {
      advice: "Run `tenancy plan` to see how things stand. Please report this.",
    });
  }
}

/** The stack uses something that the embedded engine does not run. */
export class Unsupported extends TenancyError {
  static readonly code = "TENANCY_UNSUPPORTED";
  static readonly explanation = `
The embedded engine runs what declaring tenants needs: this provider's resources, data sources, function and ephemeral resource, with
variables, locals, outputs, \`count\`, \`for_each\`, conditions, \`import\` and references between stacks. Provisioners, modules, other
providers, \`replace_triggered_by\` and \`create_before_destroy\` are not supported. The same stack runs with Terraform or OpenTofu through
our provider plugin. Nothing was sent to the service.`;

  /** @param what as in "a provisioner" */
  constructor(what: string, details: ErrorDetails = {}) {
    super(`the embedded engine does not run ${what}`, {
      advice: "Remove it, or run the stack with Terraform or OpenTofu.",
      ...details,
    });
  }
}

/** The run was stopped before this was done. */
export class Cancelled extends TenancyError {
  static readonly code = "TENANCY_CANCELLED";
  static readonly explanation = `
The run was interrupted. Requests that only read were cut off; a write that was under way was allowed to finish, because its answer matters.
Nothing new was started. Run again to continue.`;

  constructor(what: string) {
    super(`${what}: stopped before it was done`, { advice: "Run again to continue." });
  }
}

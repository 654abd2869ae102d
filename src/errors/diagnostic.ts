import { formatPath, type Path } from "../values";

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

/** What the configuration holds: a block of it, or a change of what it declares. */
interface Declared {
  readonly address: string;
  readonly constructPath?: string | undefined;
}

/** Where findings about it, or about one of its instances, belong. */
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

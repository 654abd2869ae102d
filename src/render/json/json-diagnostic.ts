/** Diagnostics as Terraform's machine-readable output has them. */
import type { Diagnostic } from "../../errors";
import { formatPath } from "../../values";

export interface JsonDiagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
  /** Ours: the stable code, and where in the construct tree and in the object it is. */
  readonly code: string;
  readonly construct_path?: string;
  readonly attribute?: string;
  readonly file?: string;
}

export function jsonDiagnostic(diagnostic: Diagnostic): JsonDiagnostic {
  const { severity, summary, detail, advice, address, code, constructPath, attribute, file } = diagnostic;
  return {
    severity,
    summary,
    detail: [detail, advice].filter((part) => part !== undefined).join("\n"),
    ...(address !== undefined && { address }),
    code,
    ...(constructPath !== undefined && { construct_path: constructPath }),
    ...(attribute !== undefined && { attribute: formatPath(attribute) }),
    ...(file !== undefined && { file }),
  };
}

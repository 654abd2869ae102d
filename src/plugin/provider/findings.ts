/** Our findings in the words of Terraform's screen: a summary, and below it why, what to do, and the code to look up. */
import { TenancyError, type Diagnostic } from "../../errors";
import type { Diagnostic as TerraformDiagnostic } from "../runtime";
import { addition, advice as adviceHere } from "./advice";

export function toTerraform(diagnostics: readonly Diagnostic[]): readonly TerraformDiagnostic[] {
  return diagnostics.map(({ severity, summary, detail, advice, code, attribute }) => ({
    severity,
    summary,
    detail: [
      detail,
      [adviceHere.get(code) ?? advice, addition.get(code)].filter((part) => part !== undefined).join(" "),
      code,
    ]
      .filter((part) => part !== undefined && part !== "")
      .join("\n"),
    ...(attribute !== undefined && { attribute }),
  }));
}

/** What an error of ours means; undefined for any other. */
export function diagnose(error: unknown): readonly TerraformDiagnostic[] | undefined {
  return error instanceof TenancyError ? toTerraform(error.toDiagnostics()) : undefined;
}

/** What the doctor found out: each check passes, or says what to do. */
import { Internal, TenancyError } from "../../errors";

export interface Check {
  /** What was looked at, in a word or two: `credentials`. */
  readonly name: string;
  /** `warning`: works, with a limit worth knowing. `skipped`: could not be looked at, because something before it failed. */
  readonly outcome: "passed" | "warning" | "failed" | "skipped";
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
  /** Code of the error behind it; `tenancy explain CODE` says more. */
  readonly code?: string;
}

export function passed(name: string, message: string): Check {
  return { name, outcome: "passed", message };
}

export function warning(name: string, message: string, advice: string): Check {
  return { name, outcome: "warning", message, advice };
}

export function skipped(name: string, because: string): Check {
  return { name, outcome: "skipped", message: because };
}

/** @param error as it was thrown by what was tried */
export function failed(name: string, error: unknown): Check {
  const known = error instanceof TenancyError ? error : new Internal(String(error));
  const [diagnostic] = known.toDiagnostics();
  const detail = [diagnostic?.detail, diagnostic?.advice].filter((part) => part !== undefined).join("\n");
  return {
    name,
    outcome: "failed",
    message: diagnostic?.summary ?? known.message,
    ...(detail !== "" && { advice: detail }),
    code: diagnostic?.code ?? known.code,
  };
}

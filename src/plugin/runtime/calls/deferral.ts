import { type Diagnostic } from "../diagnostics";
import { deferralReasons } from "../messages/common";
import { type Call, type Deferral } from "../provider";

/** The deferral that a call returned, as the protocol sends it, or the error that the client doesn't take one. */
export function deferral(
  { deferred }: Deferral,
  call: Call,
): { readonly deferred?: { readonly reason: number }; readonly faults: readonly Diagnostic[] } {
  if (deferred === undefined) return { faults: [] };
  if (call.deferralAllowed) return { deferred: { reason: deferralReasons[deferred] }, faults: [] };
  const fault: Diagnostic = {
    severity: "error",
    summary: "Something is not known yet",
    detail: `The provider would put this off to a later run (${deferred}), but Terraform was not started in a way that allows it.`,
  };
  return { faults: [fault] };
}

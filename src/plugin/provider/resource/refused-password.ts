/** `verify_password`: Terraform sends a write-only value when its version changes, so that one which is refused can only be told of. */
import { asWarning, PasswordRefused, type Diagnostic } from "../../../errors";
import type { Connection } from "../../../resources";
import type { ObjectValue } from "../../../values";
import type { Bound } from ".";

const ADVICE = "Raise password_wo_version, so that it is sent again.";

export async function refusedPassword(
  { resource }: Bound,
  connection: Connection,
  config: ObjectValue,
  prior: ObjectValue,
): Promise<readonly Diagnostic[]> {
  const isSent = config["password_wo_version"] !== prior["password_wo_version"];
  if (resource.verify === undefined || isSent) return [];
  if ((await resource.verify(connection, config, prior)) === prior) return [];
  return asWarning(new PasswordRefused(prior["login"] as string, { advice: ADVICE }));
}

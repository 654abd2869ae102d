/** `verify_password`: Terraform sends a write-only value when its version changes, so that one which is refused can only be told of. */
import { asWarning, PasswordRefused, PasswordUnverified, type Diagnostic } from "../../../errors";
import type { Connection } from "../../../resources";
import type { ObjectValue } from "../../../values";
import type { Bound } from ".";

export async function refusedPassword(
  { resource }: Bound,
  connection: Connection,
  config: ObjectValue,
  prior: ObjectValue,
): Promise<readonly Diagnostic[]> {
  const isSent = config["password_wo_version"] !== prior["password_wo_version"];
  const verdict = isSent ? undefined : await resource.verify?.(connection, config, prior);
  if (verdict === undefined || verdict === "accepted") return [];
  const login = prior["login"] as string;
  return asWarning(
    verdict === "refused" ? new PasswordRefused(login) : new PasswordUnverified(login, verdict.unknown),
  );
}

import type { FailedRevocation, TokenEntry } from "../../credentials";

/** A token, and those that it replaced, as tokens that are still to be revoked. */
export function failedRevocationsOf(entry: TokenEntry, at: Date): readonly FailedRevocation[] {
  const { login, name, record, previous } = entry;
  const userId = record["user_id"];
  return [record, ...previous].map(({ id, serial, access_token }) => ({
    login,
    name,
    id,
    serial,
    access_token,
    ...(typeof userId === "string" && { user_id: userId }),
    failed_at: at.toISOString(),
  }));
}

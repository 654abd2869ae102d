/** Whether a token is still good. Nothing is forgotten on a guess (design: Tokens). */
import { ApiError, asWarning, TokenUnproven } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection, Outcome } from "../family";
import { text } from "../record/members";
import { otherReason } from "./refusal";

export async function readToken(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const token = text(prior["access_token"]);
  const serial = text(prior["serial"]) ?? "unknown";
  const unproven = (why: string): Outcome => ({
    state: prior,
    diagnostics: asWarning(new TokenUnproven(serial, why)),
  });
  if (token === undefined) return unproven("its secret is not known");
  try {
    const verdict = await connection.client.callerAs({ kind: "bearer", token });
    if (verdict.status === 200) return { state: prior, diagnostics: [] };
    if (verdict.status === 403) return unproven("the service knows it, and denies it access (403)");
    const reason = await otherReason(connection, prior, token);
    return reason === undefined ? undefined : unproven(`it is refused (401), and ${reason}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unproven(error.message);
  }
}

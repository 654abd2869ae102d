/** `verify_password`: whether the declared password is still the user's, by a log-in attempt (design: What is managed). */
import { Forbidden, OtpRequired, Unauthenticated } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection } from "../family";
import { text } from "../record/members";

/** Without a version there is nothing that would send the password again, so nothing is tried. */
export async function verifyPassword(
  connection: Connection,
  config: ObjectValue,
  prior: ObjectValue,
): Promise<ObjectValue> {
  const password = text(config["password_wo"]);
  const login = text(prior["login"]);
  const version = config["password_wo_version"] ?? null;
  if (config["verify_password"] !== true || password === undefined || login === undefined || version === null)
    return prior;
  if (await isAccepted(connection, login, password)) return prior;
  return { ...prior, password_wo_version: null };
}

/** Only a clear refusal counts. Who is asked for a second factor, or is not let in for another reason, knew the password. */
async function isAccepted({ client }: Connection, username: string, password: string): Promise<boolean> {
  try {
    await client.logIn({ username, password });
    return true;
  } catch (error) {
    if (error instanceof OtpRequired || error instanceof Forbidden) return true;
    if (error instanceof Unauthenticated) return false;
    throw error;
  }
}

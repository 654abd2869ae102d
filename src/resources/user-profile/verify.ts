/** `verify_password`: whether the declared password is still the user's, by a log-in attempt (design: What is managed). */
import type { Client, Login } from "../../api";
import { OtpRequired, TenancyError, Unauthenticated } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection, Verdict } from "../family";
import { text } from "../record/members";

export function verifyPassword(
  { client }: Connection,
  config: ObjectValue,
  live: ObjectValue,
): Promise<Verdict> | undefined {
  const password = text(config["password_wo"]);
  const username = text(live["login"]);
  if (config["verify_password"] !== true || password === undefined || username === undefined)
    return undefined;
  return verdictOn(client, { username, password }, live);
}

async function verdictOn(client: Client, login: Login, live: ObjectValue): Promise<Verdict> {
  if (live["password_set"] === false) return "refused";
  if (live["activated"] === false) return { unknown: "the user is not activated" };
  if (live["access_api"] === false) return { unknown: "the user has no API access" };
  try {
    await client.logIn(login);
    return "accepted";
  } catch (error) {
    if (error instanceof OtpRequired) return { unknown: "the user logs in with two factors" };
    if (error instanceof Unauthenticated) return "refused";
    if (error instanceof TenancyError) return { unknown: error.message };
    throw error;
  }
}

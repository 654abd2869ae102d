/** Logging in (spec 4.2, 5). */
import { AnswerUnexpected, InvalidCredentials } from "../../errors";
import { isInteger, type ObjectValue } from "../../values";
import { LOG_IN_PATH, type Channel } from "../channel";
import { checkOtp } from "../identity";
import type { SessionRecord } from "../records";
import type { OpenedSession } from "../session";
import { recordOf } from "../shape";
import { OneTimePasswords } from "../totp";

/** What somebody logs in with. */
export interface Login {
  readonly username: string;
  readonly password: string;
  /** One-time password. */
  readonly otp?: string | undefined;
}

const DEFAULT_LIFETIME_S = 3600;

/**
 * Opens a session. Repeated as a read is, but not with a one-time password that may have been spent.
 * @throws Unauthenticated, OtpRequired, OtpRefused
 */
export async function logIn(channel: Channel, { username, password, otp }: Login): Promise<SessionRecord> {
  const { redactor } = channel.settings;
  redactor.learnBasic(username, password);
  redactor.learn(otp);
  const code = otp === undefined ? undefined : checkOtp(otp);
  const reply = await channel.send({
    method: "POST",
    path: LOG_IN_PATH,
    body: { grant_type: "password", username, password },
    as: { kind: "nobody" },
    otp: code,
    harmless: code === undefined,
    fresh: code !== undefined,
  });
  const record = recordOf<ObjectValue>(reply);
  const token = record["access_token"];
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token))
    throw new AnswerUnexpected(reply.facts, "the session has no usable token");
  redactor.learn(token);
  return { ...record, access_token: token };
}

/**
 * Opens one more session for the client's own user: for somebody else to use, so it is not the client's session.
 * @param otp one-time password; where none is given, one is computed if the client has the secret for it
 * @throws InvalidCredentials where the client has a token and no password
 */
export async function logInAsSelf(channel: Channel, otp?: string): Promise<SessionRecord> {
  const { clock, signal, credentials: concealed } = channel.settings;
  const credentials = concealed.reveal();
  if (credentials.kind === "token")
    throw new InvalidCredentials("a session needs a username and password, but there is only a token");
  const { username, password, totpSecret } = credentials;
  const computed = otp === undefined && totpSecret !== undefined;
  const code = computed ? await new OneTimePasswords(totpSecret, clock).next(signal) : otp;
  return logIn(channel, { username, password, otp: code });
}

export async function openSession(channel: Channel, login: Login): Promise<OpenedSession> {
  const { access_token: token, expires_in: seconds } = await logIn(channel, login);
  const lifetime = isInteger(seconds) && seconds > 0 ? Number(seconds) : DEFAULT_LIFETIME_S;
  return { token, lifetimeMs: lifetime * 1000 };
}

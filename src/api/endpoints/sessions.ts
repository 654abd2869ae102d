/** Logging in (spec 4.2, 5). */
import { AnswerUnexpected } from "../../errors";
import { isInteger, type ObjectValue } from "../../values";
import { LOG_IN_PATH, type Channel } from "../channel";
import { checkOtp } from "../identity";
import type { SessionRecord } from "../records";
import type { OpenedSession } from "../session";
import { recordOf } from "../shape";

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

export async function openSession(channel: Channel, login: Login): Promise<OpenedSession> {
  const { access_token: token, expires_in: seconds } = await logIn(channel, login);
  const lifetime = isInteger(seconds) && seconds > 0 ? Number(seconds) : DEFAULT_LIFETIME_S;
  return { token, lifetimeMs: lifetime * 1000 };
}

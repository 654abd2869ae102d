/** What a 401 means: wrong credentials, a one-time password that is missing, or one that was refused. */
import { OtpRefused, OtpRequired, Unauthenticated, type ApiError, type ApiFacts } from "../errors";
import { errorOf, headerOf, isPage, saysOf } from "./answer";
import type { Authority } from "./authority";
import type { Answer } from "./exchange";
import type { Settings } from "./settings";

export function unauthorized(
  answer: Answer,
  facts: ApiFacts,
  credential: Authority["credential"],
  otpSent: boolean,
  { otpHeader, redactor, clock }: Settings,
): ApiError {
  const asking = askingHeader(answer, otpHeader);
  if (asking === undefined && isPage(answer)) return errorOf(answer, facts, redactor, clock.wall());
  const known = { ...facts, status: 401, says: saysOf(answer, redactor) };
  if (asking === undefined || credential === "session") return new Unauthenticated(known, credential);
  return otpSent
    ? new OtpRefused(known)
    : new OtpRequired(known, { configured: otpHeader, seen: redactor.plain(asking, 60) });
}

/** The header by which the service asks for a one-time password, be it named as configured or otherwise. */
function askingHeader(answer: Answer, configured: string): string | undefined {
  const asks = (name: string) => /^\s*required\b/i.test(headerOf(answer, name) ?? "");
  if (asks(configured)) return configured;
  return Object.keys(answer.headers).find((name) => /-otp$/i.test(name) && asks(name));
}

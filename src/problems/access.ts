/** Errors of the service that depend on who asks. */
import { apiProblem } from "./api";
import { problem } from "./problem";
import { sentences, ways } from "./words";

export type CredentialKind = keyof typeof WHAT;

const WHAT = {
  password: "the service does not accept this username and password",
  token: "the service does not accept this token",
  session: "the service does not accept the session, not even after logging in again",
};

const LOGIN_ADVICE = {
  password: "Check the username (for users of an account, the full login username@account) and the password.",
  token: "It expired or was revoked, or belongs to another service: get a new one.",
  session: "Check that the user is activated and has API access (access.api).",
};

/** Status 401: the credential was refused. */
export const unauthenticated = apiProblem<CredentialKind>({
  code: "TENANCY_API_UNAUTHENTICATED",
  summary: (credential) => WHAT[credential],
  advice: (credential) => LOGIN_ADVICE[credential],
});

/** Status 403: the caller may not do this. */
export const forbidden = apiProblem({
  code: "TENANCY_API_FORBIDDEN",
  summary: "access denied",
  advice: (_, say) =>
    `Run with a user whose permissions cover this${say.command("; `tenancy doctor` shows yours") ?? ""}.`,
});

/** Status 401 with the one-time password header: two-factor is on, and no code was sent. */
export const otpRequired = apiProblem<{ configured: string; headerInAnswer: string }>({
  code: "TENANCY_OTP_REQUIRED",
  summary: "this user logs in with two factors: a one-time password is needed",
  detail: (facts) =>
    hasOtherHeader(facts)
      ? `The service calls the header ${facts.headerInAnswer}, but ${facts.configured} is configured.`
      : undefined,
  advice: (facts, say) =>
    sentences(
      hasOtherHeader(facts) ? `Set ${say.set("otp_header", facts.headerInAnswer)}.` : undefined,
      ways(
        `set ${say.name("totp_secret")} (TENANCY_TOTP_SECRET)`,
        say.command(`${say.name("otp")} (TENANCY_OTP) with a fresh code`),
        "work with a persistent token (TENANCY_TOKEN)",
      ),
    ),
});

function hasOtherHeader({
  configured,
  headerInAnswer,
}: {
  configured: string;
  headerInAnswer: string;
}): boolean {
  return configured.toLowerCase() !== headerInAnswer.toLowerCase();
}

/** Status 401 although a one-time password was sent. */
export const otpRefused = apiProblem({
  code: "TENANCY_OTP_REQUIRED",
  summary: "the service does not accept this one-time password",
  advice: (_, say) => {
    const check = `check ${say.name("totp_secret")} and this machine's clock`;
    return ways(say.command(`give a fresh code; where it is computed, ${check}`) ?? check);
  },
});

/** The session ended, and the one-time password was used for the first log-in. */
export const otpSpent = problem({
  code: "TENANCY_OTP_REQUIRED",
  summary: "the session has ended, and the one-time password has been used already",
  advice: (_, say) =>
    ways(
      say.command("run again with a fresh code"),
      `set ${say.name("totp_secret")} (TENANCY_TOTP_SECRET) for work that outlasts a session`,
    ),
});

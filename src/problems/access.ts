/** Errors of the service that depend on who asks. */
import { apiProblem } from "./api";
import { problem } from "./problem";

export type CredentialKind = keyof typeof WHAT;

const WHAT = {
  password: "the service does not accept this username and password",
  token: "the service does not accept this token",
  session: "the service does not accept the session, not even after logging in again",
};

const ADVICE = {
  password: "Check the username (for users of an account, the full login username@account) and the password.",
  token: "It expired or was revoked, or belongs to another service: get a new one.",
  session: "Check that the user is activated and has API access (access.api).",
};

/** Status 401: the credential was refused. */
export const unauthenticated = apiProblem<CredentialKind>({
  code: "TENANCY_API_UNAUTHENTICATED",
  summary: (credential) => WHAT[credential],
  advice: (credential) => ADVICE[credential],
  explain: `
The service does not accept the credential (status 401): a wrong username or password, or a token that expired or was revoked. A log-in
that was refused is not repeated in the same run, so that no account is locked because of it. Check \`TENANCY_USERNAME\` and
\`TENANCY_PASSWORD\`, or \`TENANCY_TOKEN\`; \`tenancy doctor\` shows who you are to the service.`,
});

/** Status 403: the caller may not do this. */
export const forbidden = apiProblem({
  code: "TENANCY_API_FORBIDDEN",
  summary: "access denied",
  advice: "Run with a user whose permissions cover this; `tenancy doctor` shows yours.",
  explain: `
The credential is good, but its permissions do not cover this request (status 403). \`tenancy doctor\` lists the rights of the caller;
creating accounts needs \`realm.manage_accounts\`, users \`user.manage_users\`, tokens \`user.manage_authorizations\`.`,
});

/** Status 401 with the one-time password header: two-factor is on, and no code was sent. */
export const otpRequired = apiProblem<{ configured: string; seen: string }>({
  code: "TENANCY_OTP_REQUIRED",
  summary: "this user logs in with two factors: a one-time password is needed",
  detail: ({ configured, seen }) =>
    configured.toLowerCase() !== seen.toLowerCase()
      ? `The service calls the header ${seen}, but ${configured} is configured: set otp_header.`
      : undefined,
  advice: "Set totp_secret (TENANCY_TOTP_SECRET), or otp (TENANCY_OTP) with a fresh code.",
  explain: `
The user logs in with two factors, and no one-time password was given. Set \`totp_secret\` (\`TENANCY_TOTP_SECRET\`), from which codes are
computed, or, with the embedded engine, \`otp\` (\`TENANCY_OTP\`), a code that is good for one run. Where the deployment calls the header
something other than \`X-Service-OTP\`, set \`otp_header\`. For machines a persistent token (\`TENANCY_TOKEN\`) is simpler.`,
});

/** Status 401 although a one-time password was sent. */
export const otpRefused = apiProblem({
  code: "TENANCY_OTP_REFUSED",
  summary: "the service does not accept this one-time password",
  advice:
    "Give a fresh code; where it is computed from totp_secret, check the secret and this machine's clock.",
  explain: `
The service refused a log-in with a one-time password. Either the password is wrong, or the code is: used before, too old, computed from
another secret, or with a clock that is off by more than half a minute.`,
});

/** The session ended, and the one-time password was used for the first log-in. */
export const otpSpent = problem({
  code: "TENANCY_OTP_SPENT",
  summary: "the session has ended, and the one-time password has been used already",
  advice:
    "Run again with a fresh otp, or set totp_secret (TENANCY_TOTP_SECRET) for work that outlasts a session.",
  explain: `
A one-time password is good for one log-in. The session that it opened has ended before the work was done, and there is nothing else to log
in with. What was applied stays; run again with a fresh code, or set \`totp_secret\`, from which a code is computed whenever one is needed.`,
});

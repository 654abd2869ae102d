import { ApiError, type ApiFacts } from "./api-error";

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
export class Unauthenticated extends ApiError {
  static readonly code = "TENANCY_API_UNAUTHENTICATED";
  static readonly explanation = `
The service does not accept the credential (status 401): a wrong username or password, or a token that expired or was revoked. A log-in
that was refused is not repeated in the same run, so that no account is locked because of it. Check \`TENANCY_USERNAME\` and
\`TENANCY_PASSWORD\`, or \`TENANCY_TOKEN\`; \`tenancy doctor\` shows who you are to the service.`;

  constructor(facts: ApiFacts, credential: "password" | "token" | "session") {
    super(WHAT[credential], facts, { advice: ADVICE[credential] });
  }
}

import { TenancyError } from "./tenancy-error";

/** The session ended, and the one-time password was used for the first log-in. */
export class OtpSpent extends TenancyError {
  static readonly code = "TENANCY_OTP_SPENT";
  static readonly explanation = `
A one-time password is good for one log-in. The session that it opened has ended before the work was done, and there is nothing else to log
in with. What was applied stays; run again with a fresh code, or set \`totp_secret\`, from which a code is computed whenever one is needed.`;

  constructor() {
    super("the session has ended, and the one-time password has been used already", {
      advice:
        "Run again with a fresh otp, or set totp_secret (TENANCY_TOTP_SECRET) for work that outlasts a session.",
    });
  }
}

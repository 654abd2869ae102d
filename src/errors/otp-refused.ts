import { ApiError, type ApiFacts } from "./api-error";

/** Status 401 although a one-time password was sent. */
export class OtpRefused extends ApiError {
  static readonly code = "TENANCY_OTP_REFUSED";
  static readonly explanation = `
The service refused a log-in with a one-time password. Either the password is wrong, or the code is: used before, too old, computed from
another secret, or with a clock that is off by more than half a minute.`;

  constructor(facts: ApiFacts) {
    super("the service does not accept this one-time password", facts, {
      advice:
        "Give a fresh code; where it is computed from totp_secret, check the secret and this machine's clock.",
    });
  }
}

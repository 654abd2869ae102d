import { ApiError, type ApiFacts } from "./api-error";

/** Status 401 with the one-time password header: two-factor is on, and no code was sent. */
export class OtpRequired extends ApiError {
  static readonly code = "TENANCY_OTP_REQUIRED";
  static readonly explanation = `
The user logs in with two factors, and no one-time password was given. Set \`totp_secret\` (\`TENANCY_TOTP_SECRET\`), from which codes are
computed, or, with the embedded engine, \`otp\` (\`TENANCY_OTP\`), a code that is good for one run. Where the deployment calls the header
something other than \`X-Service-OTP\`, set \`otp_header\`. For machines a persistent token (\`TENANCY_TOKEN\`) is simpler.`;

  constructor(facts: ApiFacts, header: { configured: string; seen: string }) {
    super("this user logs in with two factors: a one-time password is needed", facts, {
      ...(header.configured.toLowerCase() !== header.seen.toLowerCase() && {
        detail: `The service calls the header ${header.seen}, but ${header.configured} is configured: set otp_header.`,
      }),
      advice: "Set totp_secret (TENANCY_TOTP_SECRET), or otp (TENANCY_OTP) with a fresh code.",
    });
  }
}

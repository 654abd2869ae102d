import { TenancyError } from "./tenancy-error";

/** `totp_secret` is no secret that codes can be computed from. */
export class InvalidTotpSecret extends TenancyError {
  static readonly code = "TENANCY_INVALID_TOTP_SECRET";
  static readonly explanation = `
\`totp_secret\` takes what an authenticator app is given: the secret in base32 (letters A to Z and digits 2 to 7; spaces, hyphens and lower
case are accepted), or the whole \`otpauth://totp/…\` address that the QR code holds. Counter-based secrets (\`otpauth://hotp\`) are not
supported. The secret itself is never shown.`;

  constructor(why: string) {
    super(`totp_secret cannot be used: ${why}`, {
      advice: "Give the base32 secret as the authenticator shows it, or its otpauth:// address.",
    });
  }
}

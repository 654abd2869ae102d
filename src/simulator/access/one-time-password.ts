/** One-time passwords: real TOTP (RFC 6238) for "google", the key's identity for "yubikey". Each serves once. */
import { Secret, TOTP } from "otpauth";
import { isYubikeyPassword, type TwoFactor, yubikeyIdOf } from "../records/two-factor";

const PERIOD_SECONDS = 30;

/**
 * @param now milliseconds since epoch
 * @returns the settings with the password noted as spent, or undefined where it is wrong or was used before.
 */
export function spendPassword(twoFactor: TwoFactor, otp: string, now: number): TwoFactor | undefined {
  const { spent } = twoFactor;
  if (twoFactor.auth === "yubikey") {
    if (!isOneTimePassword(twoFactor, otp, now) || spent.passwords.includes(otp)) return undefined;
    return { ...twoFactor, spent: { ...spent, passwords: [...spent.passwords, otp] } };
  }
  const step = stepOf(twoFactor.secret, otp, now);
  if (step === undefined || step <= spent.step) return undefined;
  return { ...twoFactor, spent: { ...spent, step } };
}

/** Whether the device made this password, be it spent or not. */
export function isOneTimePassword(twoFactor: TwoFactor, otp: string, now: number): boolean {
  return twoFactor.auth === "yubikey"
    ? isYubikeyPassword(otp) && yubikeyIdOf(otp) === twoFactor.yubikey_id
    : stepOf(twoFactor.secret, otp, now) !== undefined;
}

/** Clocks differ: a code of the period before or after this one is right as well. */
function stepOf(secret: string | null, otp: string, now: number): number | undefined {
  if (secret === null) return undefined;
  const totp = new TOTP({ secret: Secret.fromHex(evenDigits(secret)), period: PERIOD_SECONDS });
  const delta = totp.validate({ token: otp, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** Two digits make a byte. */
function evenDigits(hex: string): string {
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

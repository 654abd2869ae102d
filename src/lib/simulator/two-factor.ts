/** Two-factor settings: given, stored, and asked for as one-time passwords (spec 2.3, 4.4). */
import { Secret, TOTP } from "otpauth";
import type { userProfileUpdate } from "./generated/parameters";

/** The settings as they are stored. */
export interface TwoFactor {
  readonly auth: "none" | "yubikey" | "google";
  /** First twelve characters of every password that the key makes. */
  readonly yubikey_id: string;
  readonly security_email: {
    readonly addr: string;
    readonly verified: boolean;
    readonly bounce: boolean;
  } | null;
  /** Shared secret, hexadecimal. */
  readonly secret: string | null;
  readonly private_id: string | null;
  /** One-time passwords that have served: the last step of "google", every password of "yubikey". */
  readonly spent: { readonly step: number; readonly passwords: readonly string[] };
}

export const NO_TWO_FACTOR: TwoFactor = {
  auth: "none",
  yubikey_id: "",
  security_email: null,
  secret: null,
  private_id: null,
  spent: { step: 0, passwords: [] },
};

/** Letters that a yubikey types, so that they come out alike on every keyboard. */
const YUBIKEY_PASSWORD = /^[cbdefghijklnrtuv]{32,48}$/;

function yubikeyIdOf(otp: string): string {
  return otp.slice(0, 12);
}

export function updateTwoFactor(
  storedFactor: TwoFactor,
  body: (typeof userProfileUpdate.two_factor)["value"],
): TwoFactor {
  const { auth = storedFactor.auth, otp, secret, private_id, security_email: addr, ...others } = body;
  const isNewSecret = secret !== undefined && secret !== storedFactor.secret;
  return {
    ...storedFactor,
    ...others,
    auth,
    yubikey_id: auth === "yubikey" && otp !== undefined ? yubikeyIdOf(otp) : storedFactor.yubikey_id,
    security_email: securityEmail(storedFactor.security_email, addr),
    secret: secret ?? storedFactor.secret,
    private_id: private_id ?? storedFactor.private_id,
    spent: isNewSecret ? NO_TWO_FACTOR.spent : storedFactor.spent,
  };
}

function securityEmail(storedEmail: TwoFactor["security_email"], addr: string | null | undefined) {
  if (addr === undefined || addr === storedEmail?.addr) return storedEmail;
  return addr === null ? null : { addr, verified: false, bounce: false };
}

// One-time passwords: real TOTP (RFC 6238) for "google", the key's identity for "yubikey". Each serves once.

const PERIOD_SECONDS = 30;

/**
 * @param now milliseconds since epoch
 * @returns the settings with the password noted as spent, or undefined if it is wrong or was used before.
 */
export function spendPassword(twoFactor: TwoFactor, otp: string, now: number): TwoFactor | undefined {
  const { spent: spentPasswords } = twoFactor;
  if (twoFactor.auth === "yubikey") {
    if (!isOneTimePassword(twoFactor, otp, now) || spentPasswords.passwords.includes(otp)) return undefined;
    return { ...twoFactor, spent: { ...spentPasswords, passwords: [...spentPasswords.passwords, otp] } };
  }
  const step = stepOf(twoFactor.secret, otp, now);
  if (step === undefined || step <= spentPasswords.step) return undefined;
  return { ...twoFactor, spent: { ...spentPasswords, step } };
}

/** True if the device made this password, be it spent or not. */
export function isOneTimePassword(twoFactor: TwoFactor, otp: string, now: number): boolean {
  return twoFactor.auth === "yubikey"
    ? YUBIKEY_PASSWORD.test(otp) && yubikeyIdOf(otp) === twoFactor.yubikey_id
    : stepOf(twoFactor.secret, otp, now) !== undefined;
}

/** Clocks differ: a code of the period before or after this one is right as well. */
function stepOf(secret: string | null, otp: string, now: number): number | undefined {
  if (secret === null) return undefined;
  const totp = new TOTP({
    secret: Secret.fromHex(secret.length % 2 === 0 ? secret : `0${secret}`),
    period: PERIOD_SECONDS,
  });
  const delta = totp.validate({ token: otp, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** Two-factor settings as they are stored (spec 2.3, 4.4). */
import type { UserProfileUpdate } from "../parameters/user-profile";

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

export function isYubikeyPassword(otp: string): boolean {
  return YUBIKEY_PASSWORD.test(otp);
}

export function yubikeyIdOf(otp: string): string {
  return otp.slice(0, 12);
}

export function updateTwoFactor(
  stored: TwoFactor,
  given: NonNullable<UserProfileUpdate["two_factor"]>,
): TwoFactor {
  const { auth = stored.auth, otp, secret, private_id, security_email: addr } = given;
  const isNewSecret = secret !== undefined && secret !== stored.secret;
  return {
    auth,
    yubikey_id: auth === "yubikey" && otp !== undefined ? yubikeyIdOf(otp) : stored.yubikey_id,
    security_email: securityEmail(stored.security_email, addr),
    secret: secret ?? stored.secret,
    private_id: private_id ?? stored.private_id,
    spent: isNewSecret ? NO_TWO_FACTOR.spent : stored.spent,
  };
}

function securityEmail(stored: TwoFactor["security_email"], addr: string | null | undefined) {
  if (addr === undefined || addr === stored?.addr) return stored;
  return addr === null ? null : { addr, verified: false, bounce: false };
}

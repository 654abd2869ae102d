/** Shared secrets of two-factor authentication, as people have them: in hexadecimal, or as authenticators show them. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * A shared secret in the hexadecimal form that services take; undefined where the text is none.
 *
 * Hexadecimal characters alone are hexadecimal, and are taken as they are. All else is base32 (RFC 4648): in either case, with or without padding,
 * in groups with blanks or hyphens, or in an `otpauth://totp/` address. A base32 secret of nothing but A to F and 2 to 7, of which chance makes
 * hardly one in a million of the usual length, is told from hexadecimal by a blank in it.
 */
export function hexOfSharedSecret(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^[0-9A-Fa-f]+$/.test(trimmed)) return trimmed;
  const shown = /^otpauth:/i.test(trimmed) ? secretOfAddress(trimmed) : trimmed;
  return shown === undefined ? undefined : hexOfBase32(shown);
}

function secretOfAddress(address: string): string | undefined {
  if (!/^otpauth:\/\/totp\//i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).searchParams.get("secret") ?? undefined;
}

function hexOfBase32(shown: string): string | undefined {
  const bare = shown.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  // Characters that stand for less than a byte more are no end of any secret.
  if (!/^[A-Z2-7]+$/.test(bare) || [1, 3, 6].includes(bare.length % 8)) return undefined;
  const bits = [...bare].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return bytes.map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, "0")).join("");
}

/**
 * Salted hashes of passwords that cannot be read back: they show that a secret differs from the sent one.
 *
 * scrypt with 1 MiB takes about two milliseconds, on a thread of its own: a thousand users' passwords are checked within a second or two at
 * plan. That is less than a log-in server would spend, because every declared password is hashed at every plan, and because the state's own
 * secrecy protects the hashes: a reader of the hashes can also read the tokens in the state. The hashes only ensure that such a reader sees
 * no password, and guesses at thousands a second, not billions.
 */
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { normalForm } from "../lib/values";

/** scrypt on a thread of its own. */
export const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const HASH_COST = { ln: 10, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** `$scrypt$ln=10,r=8,p=1$salt$hash`, the last two in base64: the usual form of such hashes. */
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/;

/** The most that a hash in the file may ask for, so that a hostile one costs no more than 64 MiB. */
const MOST_COST = { ln: 16, r: 8, p: 4 };

/** Hashes a secret with a fresh salt. */
export async function saltedHash(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await scryptHash(secret, salt, HASH_COST, HASH_BYTES);
  return `$scrypt$ln=${HASH_COST.ln},r=${HASH_COST.r},p=${HASH_COST.p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/**
 * Compares a secret with the one that was hashed.
 * @returns undefined if the hash is of a kind that this release does not know
 */
export async function matchesHash(secret: string, form: string): Promise<boolean | undefined> {
  const [, ln, r, p, salt = "", hash = ""] = FORM.exec(form) ?? [];
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const storedHash = Buffer.from(hash, "base64");
  if (!isBearable(cost) || storedHash.length !== HASH_BYTES) return undefined;
  return timingSafeEqual(await scryptHash(secret, Buffer.from(salt, "base64"), cost, HASH_BYTES), storedHash);
}

function isBearable({ ln, r, p }: typeof HASH_COST): boolean {
  return ln >= 1 && ln <= MOST_COST.ln && r >= 1 && r <= MOST_COST.r && p >= 1 && p <= MOST_COST.p;
}

function scryptHash(
  secret: string,
  salt: Buffer,
  { ln, r, p }: typeof HASH_COST,
  bytes: number,
): Promise<Buffer> {
  const memory = 128 * r * (2 ** ln + p + 2);
  return derive(normalForm(secret), salt, bytes, { N: 2 ** ln, r, p, maxmem: memory });
}

/**
 * Encrypts documents, so that other users may read the files.
 *
 * scrypt derives a master key from the user's key; HKDF derives from that, with a fresh salt, the key of one write; AES-256-GCM encrypts
 * with it and a fresh nonce. All text outside the ciphertext is authenticated with it, so every alteration is refused, also of the
 * derivation's cost. See docs/manual/reference/store-format.md.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { SHORTEST_STORE_KEY, unfitStoreKey } from "../problems";
import { Misshapen, normalForm, type ObjectValue, shapes, stringifyJson } from "../lib/values";
import { decodeBase64, STORE_FORMAT, FORMAT_VERSION } from "./document";
import { derive } from "./secret-hash";

/** Cost of the derivation of the master key. */
interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** The kind of a sealed document: a key of one kind opens no other. */
interface Envelope {
  readonly format: string;
  readonly version: number;
}

const STORE_ENVELOPE: Envelope = { format: STORE_FORMAT, version: FORMAT_VERSION };

/** 128 MiB and about a third of a second, once a run for each salt. */
const COST: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };

/** The highest cost that a file may ask for: a hostile file must not take all memory. */
const MOST_MEMORY = 2 ** 30;

const CIPHER = "aes-256-gcm";
const [SALT_BYTES, NONCE_BYTES, TAG_BYTES, KEY_BYTES] = [16, 12, 16, 32];
/** By cost, salt and key, for the whole process: a command opens its store and a snapshot several times, each time with a sealer of its own. */
const masterKeys = new Map<string, Promise<Buffer>>();

export class Sealer {
  readonly #key: string;
  readonly #cost: ScryptCost;
  readonly #envelope: Envelope;
  /**
   * Salt of the master key: that of the first document that was plaintext, so that one derivation serves for reading and writing. One salt for one
   * key gives nothing away.
   */
  #masterSalt: Buffer | undefined;

  /** @param cost for tests only, which cannot wait a third of a second each time */
  constructor(key: string, cost = COST, envelope = STORE_ENVELOPE) {
    this.#key = normalForm(key);
    this.#cost = cost;
    this.#envelope = envelope;
  }

  /**
   * Called when a store is created: an existing store with a short key stays usable.
   * @throws unfitStoreKey
   */
  demandStrongKey(): void {
    if (this.#key.length < SHORTEST_STORE_KEY) throw unfitStoreKey.error("short");
  }

  static isSealed(header: ObjectValue): boolean {
    return Object.hasOwn(header, "encryption");
  }

  /** @param plain members outside the ciphertext, readable without the key, and authenticated with it */
  async seal(text: string, plain: ObjectValue = {}): Promise<string> {
    this.#masterSalt ??= randomBytes(SALT_BYTES);
    const masterSalt = this.#masterSalt;
    const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
    const header = {
      ...this.#envelope,
      ...plain,
      encryption: {
        kdf: "scrypt",
        ...this.#cost,
        kdf_salt: masterSalt.toString("base64"),
        cipher: CIPHER,
        salt: salt.toString("base64"),
        nonce: nonce.toString("base64"),
      },
    };
    const key = writeKey(await this.#masterKey(masterSalt, this.#cost), salt);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
      boundBytes(header),
    );
    const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `${stringifyJson({ ...header, ciphertext: ciphertext.toString("base64") }, 2)}\n`;
  }

  /**
   * @param document all members of a sealed document
   * @returns the text; undefined if the key is another one, or anything was altered
   * @throws Misshapen if it isn't sealed in a way that this release knows.
   */
  async open(document: ObjectValue): Promise<string | undefined> {
    const { ciphertext: _, ...header } = document;
    const { cost, masterSalt, salt, nonce, ciphertext } = readEnvelope(document);
    const key = writeKey(await this.#masterKey(masterSalt, cost), salt);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(boundBytes(header))
      .setAuthTag(ciphertext.subarray(-TAG_BYTES));
    try {
      const plaintext = Buffer.concat([
        decipher.update(ciphertext.subarray(0, -TAG_BYTES)),
        decipher.final(),
      ]);
      if (isDeepStrictEqual(cost, this.#cost)) this.#masterSalt ??= masterSalt;
      return plaintext.toString("utf8");
    } catch {
      return undefined;
    }
  }

  #masterKey(salt: Buffer, { n, r, p }: ScryptCost): Promise<Buffer> {
    const name = `${n} ${r} ${p} ${salt.toString("base64")} ${this.#key}`;
    const cost = { N: n, r, p, maxmem: 2 * memoryNeededBy({ n, r, p }) };
    const key = masterKeys.get(name) ?? derive(this.#key, salt, KEY_BYTES, cost);
    masterKeys.set(name, key);
    return key;
  }
}

interface Opening {
  readonly cost: ScryptCost;
  readonly masterSalt: Buffer;
  readonly salt: Buffer;
  readonly nonce: Buffer;
  /** The ciphertext, and the tag at its end. */
  readonly ciphertext: Buffer;
}

const { text, objectOf, where } = shapes;

function base64Bytes(atLeast: number) {
  return where(text, "base64 of that length", (value) => (decodeBase64(value)?.length ?? -1) >= atLeast);
}

function knownName(name: string) {
  return where(text, "one that this release knows", (value) => value === name);
}

const positive = where(
  shapes.anything,
  "a cost that scrypt knows",
  (value) => Number.isInteger(value) && Number(value) > 0,
);

const envelopeShape = objectOf({
  encryption: objectOf({
    kdf: knownName("scrypt"),
    cipher: knownName(CIPHER),
    n: positive,
    r: positive,
    p: positive,
    kdf_salt: base64Bytes(SALT_BYTES),
    salt: base64Bytes(SALT_BYTES),
    nonce: base64Bytes(NONCE_BYTES),
  }),
  ciphertext: base64Bytes(TAG_BYTES),
});

function readEnvelope(document: ObjectValue): Opening {
  const { encryption, ciphertext } = envelopeShape(document, "");
  const [n = 0, r = 0, p = 0] = [encryption.n, encryption.r, encryption.p].map(Number);
  if (!Number.isInteger(Math.log2(n)) || n === 1)
    throw new Misshapen("encryption", "a cost that scrypt knows");
  if (memoryNeededBy({ n, r, p }) > MOST_MEMORY || p > 16)
    throw new Misshapen("encryption", "a bearable cost");
  const [masterSalt, salt, nonce, sealed] = [
    encryption.kdf_salt,
    encryption.salt,
    encryption.nonce,
    ciphertext,
  ].map((one) => Buffer.from(one, "base64")) as [Buffer, Buffer, Buffer, Buffer];
  return { cost: { n, r, p }, masterSalt, salt, nonce, ciphertext: sealed };
}

/** The memory that scrypt needs, in bytes. */
function memoryNeededBy({ n, r, p }: ScryptCost): number {
  return 128 * r * (n + p);
}

/** The key of one write. */
function writeKey(masterKey: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, salt, "tenancy credential store", KEY_BYTES));
}

/** The authenticated data outside the ciphertext: the document's members before it, with any spacing. */
function boundBytes(header: ObjectValue): Buffer {
  return Buffer.from(stringifyJson(header));
}

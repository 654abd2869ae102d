/**
 * Encrypts documents, so that other users may read the files: gzip in an armored age file for one passphrase, which is the user's key.
 * With the key, `age -d FILE | gunzip` opens it, too. See docs/manual/reference/state-format.md.
 */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { ageLibrary, type AgeIdentity } from "../age";
import { Misshapen } from "../lib/values";

/** Keys are random, so a guess needs no price: about ten milliseconds and 1 MiB. */
const WORK_FACTOR = 10;

const ARMOR = "-----BEGIN AGE ENCRYPTED FILE-----";

/** A larger document would only take memory. */
const LARGEST_TEXT = 256 * 2 ** 20;

/** Looks at a header before anything is derived for it, and opens nothing itself. */
const ONE_CHEAP_PASSPHRASE: AgeIdentity = {
  unwrapFileKey([stanza, ...others]) {
    const [kind, _salt, workFactor = ""] = stanza?.args ?? [];
    if (kind !== "scrypt" || others.length > 0)
      throw new Misshapen("its encryption", "for one passphrase alone");
    if (!/^\d+$/.test(workFactor) || Number(workFactor) > WORK_FACTOR)
      throw new Misshapen("its encryption", `of a work factor up to ${WORK_FACTOR}`);
    return null;
  },
};

export class Sealer {
  readonly #key: string;

  /** @param key one that {@link isStateKey} accepts */
  constructor(key: string) {
    this.#key = key;
  }

  static isSealed(text: string): boolean {
    return text.trimStart().startsWith(ARMOR);
  }

  async seal(text: string): Promise<string> {
    const { armor, Encrypter } = ageLibrary();
    const encrypter = new Encrypter();
    encrypter.setPassphrase(this.#key);
    encrypter.setScryptWorkFactor(WORK_FACTOR);
    return armor.encode(await encrypter.encrypt(await promisify(gzip)(text)));
  }

  /**
   * @param sealed a text that {@link isSealed}
   * @returns the text; undefined if the key is another one, or anything was altered
   * @throws Misshapen if it isn't sealed in the way that this release knows.
   */
  async open(sealed: string): Promise<string | undefined> {
    const packed = await this.#decrypted(sealed);
    if (packed === undefined) return undefined;
    try {
      const bytes = await promisify(gunzip)(packed, { maxOutputLength: LARGEST_TEXT });
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Misshapen("its content", "compressed text");
    }
  }

  async #decrypted(sealed: string): Promise<Uint8Array | undefined> {
    const { armor, Decrypter } = ageLibrary();
    const decrypter = new Decrypter();
    decrypter.addIdentity(ONE_CHEAP_PASSPHRASE);
    decrypter.addPassphrase(this.#key);
    let file: Uint8Array;
    try {
      file = armor.decode(sealed);
    } catch {
      throw new Misshapen("its armor", "whole");
    }
    try {
      return await decrypter.decrypt(file);
    } catch (error) {
      if (error instanceof Misshapen) throw error;
      return undefined;
    }
  }
}

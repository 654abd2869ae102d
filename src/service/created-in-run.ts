/**
 * Remembers the objects that one run has created at one service. A later run of the same program begins with nothing: others may
 * have deleted them since.
 */
import type { CommonRecord } from "../api";
import { normalForm, type Value } from "../lib/values";

/** A token with its secret. */
export interface KeptSecret {
  readonly serial: string;
  readonly access_token: string;
}

/** All providers of a run that talk to one service share it, even with different credentials: two of them may declare one object. */
export class CreatedInRun {
  readonly #accountNames = new Map<string, Promise<string>>();
  readonly #userIds = new Map<string, string>();
  readonly #uuids = new Map<string, "sent" | "handed out">();
  readonly #tokens = new Map<string, readonly KeptSecret[]>();
  readonly #revoked = new Set<string>();
  readonly #turns = new Map<string, Promise<void>>();

  // Objects, by the uuids that were asked for.

  /** A POST with this uuid is about to be sent. */
  noteSent(uuid: string): void {
    this.#uuids.set(uuid.toLowerCase(), "sent");
  }

  /** The object belongs to a declaration of its own: a second declaration of the same name must not pass for it. */
  noteHandedOut(uuid: string): void {
    this.#uuids.set(uuid.toLowerCase(), "handed out");
  }

  /** True if a POST of this run may have made the object, and it belongs to no declaration yet. */
  isUnclaimed(uuid: string): boolean {
    return this.#uuids.get(uuid.toLowerCase()) === "sent";
  }

  wasHandedOut(uuid: string): boolean {
    return this.#uuids.get(uuid.toLowerCase()) === "handed out";
  }

  // Accounts and users that the lists lack: they were created after the lists were read.

  /**
   * The service has created an account with its primary user. Its users need its name, and no request for it. Only the id is noted: a serial
   * number is read, so that it is refused in place of the id.
   */
  noteAccount({ id, name, admin_profile_id: primaryId }: CommonRecord): void {
    if (typeof name === "string" && typeof id === "string") this.#accountNames.set(id, Promise.resolve(name));
    this.noteUser(name, primaryId);
  }

  /** The service has created a user, whose tokens need its id. */
  noteUser(login: Value | undefined, id: Value | undefined): void {
    if (typeof login === "string" && typeof id === "string") this.#userIds.set(normalForm(login), id);
  }

  userId(login: string): string | undefined {
    return this.#userIds.get(normalForm(login));
  }

  /**
   * The name of an account, which is read once for all users of it. A reading that failed does not count.
   * @param read asks the service
   */
  accountName(idOrSerial: string, read: () => Promise<string>): Promise<string> {
    const known = this.#accountNames.get(idOrSerial);
    if (known !== undefined) return known;
    const reading = read();
    this.#accountNames.set(idOrSerial, reading);
    reading.catch(() => this.#accountNames.delete(idOrSerial));
    return reading;
  }

  // Tokens, each for an object of its own: under Terraform this is the only record of a user's new tokens.

  noteToken(login: string, token: KeptSecret): void {
    this.#tokens.set(login, [...this.tokensOf(login), token]);
  }

  tokensOf(login: string): readonly KeptSecret[] {
    return this.#tokens.get(login) ?? [];
  }

  /** The run is about to revoke a token: if the service refuses the token from now on, nothing else has ended it. */
  noteRevoked(serial: string): void {
    this.#revoked.add(serial);
  }

  isRevoked(serial: string): boolean {
    return this.#revoked.has(serial);
  }

  /**
   * Waits until earlier holders of this name's lock have released it.
   * @returns releases the lock
   */
  async lock(name: string): Promise<() => void> {
    const before = this.#turns.get(name);
    let end: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (end = resolve));
    this.#turns.set(name, mine);
    await before;
    return () => {
      if (this.#turns.get(name) === mine) this.#turns.delete(name);
      end();
    };
  }
}

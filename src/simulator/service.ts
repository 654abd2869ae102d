/** What all parts of the simulated service share: how it is to behave, its records, and the texts of its answers. */
import { type Account, writeAccount } from "./account";
import type { Settings } from "./options";
import { Store } from "./store";
import { type UserProfile, writeUserProfile } from "./user-profile";

export class Service {
  readonly store = new Store();
  readonly views = new Views(this);

  constructor(readonly settings: Settings) {}

  /** Milliseconds since epoch. */
  now(): number {
    return this.settings.clock();
  }
}

/** What the texts are made of. */
interface Shown {
  readonly settings: Settings;
  readonly store: Store;
}

/** Answers' texts. A list of thousands is put together from texts that were written when their records last changed. */
export class Views {
  readonly #texts = new WeakMap<Account | UserProfile, string>();

  constructor(private readonly service: Shown) {}

  account(account: Account): string {
    return this.#remembered(account, () => writeAccount(account, this.service.settings.contacts));
  }

  userProfile(profile: UserProfile): string {
    return this.#remembered(profile, () =>
      writeUserProfile(profile, this.service.store.sessions.in("user_id", profile.id)),
    );
  }

  /** Stored records never change, they are replaced; but a profile also shows its sessions, which are records of their own. */
  forget(profile: UserProfile): void {
    this.#texts.delete(profile);
  }

  #remembered(record: Account | UserProfile, write: () => string): string {
    const known = this.#texts.get(record);
    if (known !== undefined) return known;
    const text = write();
    this.#texts.set(record, text);
    return text;
  }
}

export function listOf(texts: Iterable<string>): string {
  return `[${[...texts].join(",")}]`;
}

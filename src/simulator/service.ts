/** What all parts of the simulated service share. */
import type { Settings } from "./options";
import { Store } from "./store/store";
import { Views } from "./views/views";

export class Service {
  readonly store = new Store();
  readonly views = new Views(this);

  constructor(readonly settings: Settings) {}

  /** Milliseconds since epoch. */
  now(): number {
    return this.settings.clock();
  }
}

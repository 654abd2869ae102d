/** The state that all parts of the simulated service share: options, records, and the texts of answers. */
import type { ServiceBehavior, SimulatorSettings } from "./options";
import { Store } from "./store";

export class Service {
  readonly store = new Store();
  readonly #texts = new WeakMap<object, string>();

  constructor(readonly settings: SimulatorSettings) {}

  /** Milliseconds since epoch. */
  now(): number {
    return this.settings.clock();
  }

  /** True if the option `behaviors` names it. */
  behaves(behavior: ServiceBehavior): boolean {
    return this.settings.behaviors?.includes(behavior) === true;
  }

  /**
   * A record as answers show it. A list of thousands is put together from texts that were written when their records last changed: stored
   * records never change, they are replaced.
   */
  textOf(record: object, write: () => string): string {
    const known = this.#texts.get(record);
    if (known !== undefined) return known;
    const text = write();
    this.#texts.set(record, text);
    return text;
  }

  /** Drops the text of a record, because another source of the text has changed. */
  forgetText(record: object): void {
    this.#texts.delete(record);
  }
}

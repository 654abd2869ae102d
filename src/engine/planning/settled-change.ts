import type { Change } from "../../plan";
import type { ObjectValue } from "../../values";

type Fixed = "action" | "before" | "after" | "attributes" | "replacedBy" | "reason";

/** The change of an object that nobody changed: none. Its state is made when somebody asks, and mostly nobody does. */
export class SettledChange implements Change {
  readonly action = "none";
  readonly attributes = [];
  readonly replacedBy = [];
  readonly reason = undefined;
  readonly address;
  readonly description;
  readonly constructPath;
  readonly provider;
  readonly key;
  readonly claim;
  readonly sensitive;
  readonly importId;
  readonly notes;
  readonly sighting;
  readonly #make: () => ObjectValue;
  #state: ObjectValue | undefined;

  constructor(facts: Omit<Change, Fixed>, makeState: () => ObjectValue) {
    this.address = facts.address;
    this.description = facts.description;
    this.constructPath = facts.constructPath;
    this.provider = facts.provider;
    this.key = facts.key;
    this.claim = facts.claim;
    this.sensitive = facts.sensitive;
    this.importId = facts.importId;
    this.notes = facts.notes;
    this.sighting = facts.sighting;
    this.#make = makeState;
  }

  get before(): ObjectValue {
    return (this.#state ??= this.#make());
  }

  get after(): ObjectValue {
    return this.before;
  }
}

/** Removes from a change what the service would answer anyway. */
import type { Change } from "../../plan";
import { frozen, type ObjectValue } from "../../values";
import type { Declared } from "../stages";

const NOTHING: readonly never[] = [];

/**
 * The change of an object that nobody changed: none. Its state is made when somebody asks, and mostly nobody does; what the declaration
 * says is not written down a second time, because of a large stack nearly every object is one of these.
 */
export class SettledChange implements Change {
  readonly #declared: Declared;
  readonly #facts: Pick<Change, "key" | "claim" | "sighting">;
  readonly #make: () => ObjectValue;
  #state: ObjectValue | undefined;

  constructor(
    declared: Declared,
    facts: Pick<Change, "key" | "claim" | "sighting">,
    makeState: () => ObjectValue,
  ) {
    this.#declared = declared;
    this.#facts = facts;
    this.#make = makeState;
    Object.freeze(this);
  }

  get action() {
    return "none" as const;
  }

  get before(): ObjectValue {
    return (this.#state ??= frozen(this.#make()));
  }

  get after(): ObjectValue {
    return this.before;
  }

  get address() {
    return this.#declared.instance.address;
  }

  get description() {
    return this.#declared.resource.description;
  }

  get constructPath() {
    return this.#declared.block.constructPath;
  }

  get provider() {
    return this.#declared.target.provider;
  }

  get sensitive() {
    return this.#declared.sensitive;
  }

  get importId() {
    return this.#declared.importId;
  }

  get key() {
    return this.#facts.key;
  }

  get title() {
    return this.#declared.titleOf(this.#facts.key);
  }

  get claim() {
    return this.#facts.claim;
  }

  get sighting() {
    return this.#facts.sighting;
  }

  get attributes() {
    return NOTHING;
  }

  get replacedBy() {
    return NOTHING;
  }

  get notes() {
    return NOTHING;
  }

  get reason() {
    return undefined;
  }
}

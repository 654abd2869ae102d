/** Defines the change of an unchanged object. Its state is made only on demand, since most objects of a large plan are unchanged. */
import type { Change } from "../../plan";
import { frozen, type ObjectValue } from "../../values";
import type { Declared } from "../stages";

const NOTHING: readonly never[] = [];

/**
 * The change of an unchanged object: none. The state is made when somebody asks for it. The configuration is not stored a second time.
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

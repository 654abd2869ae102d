/** A value that only the apply will tell. */
export class Unknown {
  /** Set where it is certain already that the value will not be null. */
  readonly notNull: boolean;
  /** The attributes of an object of a known shape: to ask for another one is a mistake already. */
  readonly members: ReadonlyMap<string, Unknown> | undefined;

  constructor(options: { notNull?: boolean; members?: ReadonlyMap<string, Unknown> } = {}) {
    this.notNull = options.notNull ?? false;
    this.members = options.members;
  }

  toString(): string {
    return "(known after apply)";
  }

  /** An unknown that reaches JSON is a mistake of ours: JSON has no word for it. */
  toJSON(): never {
    throw new TypeError("an unknown value cannot be written as JSON");
  }
}

/** The unknown of which nothing else is known. */
export const UNKNOWN = new Unknown();

export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown;
}

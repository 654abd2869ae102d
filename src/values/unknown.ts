/** A value that only the apply will tell. */
export class Unknown {
  /** Set where it is certain already that the value will not be null. */
  readonly notNull: boolean;

  constructor(options: { notNull?: boolean } = {}) {
    this.notNull = options.notNull ?? false;
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

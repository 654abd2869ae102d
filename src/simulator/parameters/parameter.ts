/** The words in which the tables of parameters are written. */

/** What a parameter's value must be. Lengths are in characters. */
export type Shape =
  | { readonly kind: "string"; readonly length: readonly [number, number]; readonly format?: Format }
  | { readonly kind: "choice"; readonly of: readonly string[] }
  | { readonly kind: "integer" }
  | { readonly kind: "boolean" }
  | { readonly kind: "strings" }
  | { readonly kind: "object"; readonly members: Parameters };

export type Format = "email" | "uuid" | "hex";

/** Parameters by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown, boolean>>>;

/** One line of a table; `T` is the type of a valid value. */
export class Parameter<T, Required extends boolean = false> {
  /** For the compiler alone: the type of a valid value. */
  declare readonly value: T;
  declare readonly required: Required;

  constructor(
    readonly shape: Shape,
    readonly isRequired = false,
    readonly isNullable = false,
  ) {}

  mandatory(): Parameter<T, true> {
    return new Parameter<T, true>(this.shape, true, this.isNullable);
  }

  nullable(): Parameter<T | null, Required> {
    return new Parameter<T | null, Required>(this.shape, this.isRequired, true);
  }
}

/** What is left of a body once it is checked against a table: the members that the table names. */
export type Given<P extends Parameters> = {
  readonly [K in keyof P as P[K]["required"] extends true ? K : never]: P[K]["value"];
} & {
  readonly [K in keyof P as P[K]["required"] extends true ? never : K]?: P[K]["value"];
};

export function text(min = 0, max = Infinity): Parameter<string> {
  return new Parameter({ kind: "string", length: [min, max] });
}

export function email(max: number): Parameter<string> {
  return new Parameter({ kind: "string", length: [0, max], format: "email" });
}

export function uuid(): Parameter<string> {
  return new Parameter({ kind: "string", length: [0, Infinity], format: "uuid" });
}

export function hex(): Parameter<string> {
  return new Parameter({ kind: "string", length: [1, Infinity], format: "hex" });
}

export function oneOf<const T extends string>(...choices: readonly T[]): Parameter<T> {
  return new Parameter({ kind: "choice", of: choices });
}

/** A `bigint` where a double could not hold it. */
export function integer(): Parameter<number | bigint> {
  return new Parameter({ kind: "integer" });
}

export function boolean(): Parameter<boolean> {
  return new Parameter({ kind: "boolean" });
}

export function strings(): Parameter<readonly string[]> {
  return new Parameter({ kind: "strings" });
}

export function object<P extends Parameters>(members: P): Parameter<Given<P>> {
  return new Parameter({ kind: "object", members });
}

import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Blocks of the stack need each other. */
export class DependencyCycle extends TenancyError {
  static readonly code = "TENANCY_CYCLE";
  static readonly explanation = `
Each block of a stack is evaluated after all that it refers to or names in \`depends_on\`. Where the references go round in a circle,
there is no first one.`;

  /** @param addresses round the circle, each needing the next one */
  constructor(addresses: readonly string[], details: ErrorDetails = {}) {
    const [first = ""] = addresses;
    super(
      addresses.length === 1 ? `"${first}" refers to itself` : `${[...addresses, first].join(" needs ")}`,
      { address: first, advice: "Take one of the references out.", ...details },
    );
  }
}

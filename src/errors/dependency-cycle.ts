import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Blocks of the stack need each other. */
export class DependencyCycle extends TenancyError {
  static readonly code = "TENANCY_CYCLE";
  static readonly explanation = `
Each block of a stack is evaluated after all that it refers to or names in \`depends_on\`. When references form a circle, none of them can
come first.`;

  /** @param addresses round the circle, each needing the next one */
  constructor(addresses: readonly string[], details: ErrorDetails = {}) {
    const [first = ""] = addresses;
    super(
      addresses.length === 1 ? `"${first}" refers to itself` : `${[...addresses, first].join(" needs ")}`,
      { address: first, advice: "Remove one of the references.", ...details },
    );
  }
}

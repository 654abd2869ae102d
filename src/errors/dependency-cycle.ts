import { TenancyError } from "./tenancy-error";

/** Blocks depend on each other in a circle. */
export class DependencyCycle extends TenancyError {
  static readonly code = "TENANCY_CYCLE";
  static readonly explanation = `
Each of the named blocks needs the next one before it can be evaluated, so none of them can be the first. Remove one of the references or
\`depends_on\`.`;

  constructor(addresses: readonly string[]) {
    super(`these depend on each other in a circle: ${addresses.join(" → ")}`, {
      ...(addresses[0] !== undefined && { address: addresses[0] }),
      advice: "Remove one of the references between them.",
    });
  }
}

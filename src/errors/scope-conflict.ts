import { TenancyError } from "./tenancy-error";

/** A union of permissions would extend the rights of one side to the scope of the other. */
export class ScopeConflict extends TenancyError {
  static readonly code = "TENANCY_SCOPE_CONFLICT";
  static readonly explanation = `
A profile has one scope for all its rights in a group (spec 2.4): there is no way to hold one right on some virtual storage services
and another right on others. A union of two permissions with different scopes would silently widen one of them, so it is refused.`;

  constructor(group: "node" | "vss") {
    super(`both sides of the union grant ${group} rights, for different scopes`, {
      advice: "Unite them first and call scopedTo() on the result.",
    });
  }
}

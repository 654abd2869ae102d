import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** `new Removed(…)` names something that isn't ours, without proof that it is meant. */
export class RemovedForeign extends TenancyError {
  static readonly code = "TENANCY_REMOVED_FOREIGN";
  static readonly explanation = `
\`new Removed(…)\` deletes a tenant or a user. When its uuid shows that it isn't ours, a name alone is not enough: give its id or serial as
well. What another owner made is refused in any case, and so is an id that belongs to another name.`;

  constructor(name: string, id: string, isNamed: boolean, details: ErrorDetails = {}) {
    super(
      isNamed
        ? `"${name}" is to be removed, but isn't ours`
        : `"${name}" is to be removed, but the id or serial given with it belongs to another object`,
      {
        advice: isNamed
          ? `If that is intended, and it is no other owner's, give its id as well as its name: id: ${JSON.stringify(id)}.`
          : "Give the name and the id of the same object.",
        ...details,
      },
    );
  }
}

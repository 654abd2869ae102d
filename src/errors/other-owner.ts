import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An object that another owner made is not taken in, and not removed. */
export class OtherOwner extends TenancyError {
  static readonly code = "TENANCY_OTHER_OWNER";
  static readonly explanation = `
The uuid of the object was derived from names (version 5), and not from a name of ours: another owner manages it, probably another stack.
Two owners of one object would undo each other's work, so it is neither adopted nor removed. Let the other owner give it up first, or name that
owner in \`previous_owners\` if it is a former name of yours.`;

  constructor(noun: string, key: string, id: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} (id ${id}) was made by another owner`, {
      advice: "Leave it to that owner; if it is a former name of yours, add it to `previous_owners`.",
      ...details,
    });
  }
}

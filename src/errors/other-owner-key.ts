import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An object was made under an owner key that this run does not have: taken in by its id only. */
export class OtherOwnerKey extends TenancyError {
  static readonly code = "TENANCY_OTHER_OWNER_KEY";
  static readonly explanation = `
The uuid of the object has version 8, as uuids have that are made under an owner key, and it isn't ours. Either another owner manages it, or we
made it under a key that is lost: nobody can tell these apart. So a name is not enough to take it in or to remove it; its id or serial is, with a
warning. Make sure first that no other stack manages it: two owners of one object would undo each other's work. If the key is not lost, give it
as \`TENANCY_OWNER_KEY\`, or as \`TENANCY_PREVIOUS_OWNER_KEY\` when there is a newer one.`;

  constructor(noun: string, key: string, id: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} (id ${id}) was made under an owner key that isn't ours`, {
      detail: "It is another owner's, or was made under a key of ours that this run does not have.",
      advice: `Only if no other owner manages it, name it by its id: ${JSON.stringify(id)}.`,
      ...details,
    });
  }
}

import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An object with the declared name is live under another uuid than the declared one. */
export class OtherUuid extends TenancyError {
  static readonly code = "TENANCY_OTHER_UUID";
  static readonly explanation = `
The configuration declares a uuid, and the live object of that name has another one: it is not the object that was meant. Nothing was
written. Correct the uuid or remove it, or choose another name.`;

  constructor(
    noun: string,
    key: string,
    declared: string,
    live: string,
    id: string,
    details: ErrorDetails = {},
  ) {
    super(`${noun} ${JSON.stringify(key)} is live with another uuid than the declared ${declared}`, {
      attribute: ["uuid"],
      detail: `The live one (id ${id}) has the uuid ${live}.`,
      advice: "Correct or remove `uuid`, or choose another name.",
      ...details,
    });
  }
}

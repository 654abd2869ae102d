import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: without an owner nobody can tell whether somebody else manages what is taken in. */
export class OwnerUnknown extends TenancyError {
  static readonly code = "TENANCY_OWNER_UNKNOWN";
  static readonly explanation = `
An object is imported whose uuid was derived from names, so some owner made it. The provider is configured without \`owner\`, so it cannot
tell whether that owner is you. Make sure that no other stack manages the object, or set \`owner\`.`;

  constructor(noun: string, key: string, id: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} (id ${id}) was made by some owner, who may not be you`, {
      advice: "Make sure that no other stack manages it, or set `owner` in the provider's configuration.",
      ...details,
    });
  }
}

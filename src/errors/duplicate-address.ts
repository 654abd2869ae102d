import { TenancyError } from "./tenancy-error";

/** Two constructs of one stack would be the same Terraform resource. */
export class DuplicateAddress extends TenancyError {
  static readonly code = "TENANCY_DUPLICATE_ADDRESS";
  static readonly explanation = `
The address of a resource follows from the ids of the constructs around it. Two constructs with the same address would silently become
one resource, with the attributes of both.`;

  constructor(address: string, first: string, second: string) {
    super(`${first} and ${second} have the same address, ${address}`, {
      address,
      advice: "Give one of the constructs another id.",
    });
  }
}

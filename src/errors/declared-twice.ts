import { TenancyError } from "./tenancy-error";

/** Two declarations mean the same object. */
export class DeclaredTwice extends TenancyError {
  static readonly code = "TENANCY_DECLARED_TWICE";
  static readonly explanation = `
Two declarations of one stack have the same natural key: the same account name, the same login, or the same token name within a login. They
would keep changing the same object back and forth. Remove one of them, or give it another name.`;

  constructor(key: string, first: string, second: string) {
    super(`"${key}" is declared twice, by ${first} and by ${second}`, {
      address: second,
      advice: "Remove one of the two, or give it another name.",
    });
  }
}

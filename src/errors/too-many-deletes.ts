import { TenancyError } from "./tenancy-error";

/** More records would cease than one run may delete unasked. */
export class TooManyDeletes extends TenancyError {
  static readonly code = "TENANCY_TOO_MANY_DELETES";
  static readonly explanation = `
Unless told otherwise, a run deletes at most 5 records, or a quarter of what the owner has, up to 25. Every record that ceases counts:
users, tokens, and what an account takes with it. So a mistake in the code is noticed before it does much harm. Nothing was written. Read
the plan; if it is what you want, pass \`--max-deletes N\` with the number that it names.`;

  constructor(count: number, allowed: number) {
    super(`${count} records would be deleted, and this run may delete ${allowed}`, {
      advice: `Nothing was written. If that is intended: --max-deletes ${count}.`,
    });
  }
}

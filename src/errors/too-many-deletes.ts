import { TenancyError } from "./tenancy-error";

/** More records would cease than one run may delete unasked. */
export class TooManyDeletes extends TenancyError {
  static readonly code = "TENANCY_TOO_MANY_DELETES";
  static readonly explanation = `
Unless told otherwise, a run deletes at most 5 records of a service, or a quarter of what the owner has there, up to 25. Every record that ceases
counts, once: users, tokens, and what an account takes with it. So a mistake in the code is noticed before it does much harm. Nothing was written. Read
the plan; if it is what you want, pass \`--max-deletes N\` with the number that it names.`;

  /** @param facts `count`: at the service that is named, or at the only one; `total`: at all of them, which `--max-deletes` is about */
  constructor(facts: {
    readonly count: number;
    readonly allowed: number;
    readonly total: number;
    readonly origin?: string | undefined;
  }) {
    const { count, allowed, total, origin } = facts;
    const [where, there] = origin === undefined ? ["", ""] : [` at ${origin}`, " there"];
    super(`${count} records would be deleted${where}, and this run may delete ${allowed}${there}`, {
      advice: `Nothing was written. If that is intended: --max-deletes ${total}.`,
    });
  }
}

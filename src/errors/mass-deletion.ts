import { TenancyError } from "./tenancy-error";

/** Most of what is ours would go, which is rarely intended. */
export class MassDeletion extends TenancyError {
  static readonly code = "TENANCY_MASS_DELETION";
  static readonly explanation = `
The stack declares nothing, or the plan would delete over half of what the owner has. An empty stack is far more often an import
that failed or a variable that was not set than a decision. Nothing was written. If it is intended, pass \`--max-deletes N\`, or use
\`tenancy destroy\`.`;

  /** @param total of all services, which `--max-deletes` is about */
  constructor(why: string, count: number, total: number) {
    super(`${count} ${count === 1 ? "record" : "records"} would be deleted: ${why}`, {
      advice: `Nothing was written. If that is intended: --max-deletes ${total}.`,
    });
  }
}

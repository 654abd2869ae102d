import { TenancyError } from "./tenancy-error";

/** Several tokens have this name. */
export class AmbiguousToken extends TenancyError {
  static readonly code = "TENANCY_AMBIGUOUS_TOKEN";
  static readonly explanation = `
A token's name is its identity within its login only, so several users may have tokens of the same name. Use \`login/name\`, or the serial
number that \`tenancy token list\` shows.`;

  /** @param candidates as in \`csi@globex/csi-prod (ATH47…)\` */
  constructor(name: string, candidates: readonly string[]) {
    super(`${JSON.stringify(name)} could be any of several tokens: ${candidates.join(", ")}`, {
      advice: "Name it as login/name, or by its serial number.",
    });
  }
}

import { TenancyError } from "./tenancy-error";

/** `--only` or `--exclude` names an address that the stack does not have. */
export class UnknownTarget extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_TARGET";
  static readonly explanation = `
\`--only\` and \`--exclude\` take addresses as plans show them, such as \`tenancy_account.acme\` or \`tenancy_user_profile.acme["jane"]\`. A
misspelt one would silently do nothing, or everything.`;

  constructor(address: string, known: readonly string[]) {
    const some = known.slice(0, 8).join(", ");
    super(`there is no ${JSON.stringify(address)} in the stack`, {
      advice:
        some === "" ? "The stack declares nothing." : `There are: ${some}${known.length > 8 ? " …" : ""}`,
    });
  }
}

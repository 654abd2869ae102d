import { nearest } from "../values";
import { TenancyError } from "./tenancy-error";

/** `--only` or `--exclude` names an address that the stack does not have. */
export class UnknownTarget extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_TARGET";
  static readonly explanation = `
\`--only\` and \`--exclude\` take addresses as plans show them, such as \`tenancy_account.acme\` or \`tenancy_user_profile.acme["jane"]\`, and the
names that people use: an account's name, a user's login, \`login/name\` of a token. A misspelt one would silently do nothing, or everything.`;

  constructor(address: string, known: readonly string[]) {
    super(`there is no ${JSON.stringify(address)} in the stack`, { advice: adviceOn(address, known) });
  }
}

const MOST = 8;

function adviceOn(address: string, known: readonly string[]): string {
  if (known.length === 0) return "Nothing is declared there.";
  // What addresses begin with alike would make all of them look near.
  const [shared = ""] = /^.*[.[]/s.exec(address) ?? [];
  const tails = known.filter((one) => one.startsWith(shared)).map((one) => one.slice(shared.length));
  const near = nearest(address.slice(shared.length), tails);
  if (near !== undefined) return `Did you mean ${shared}${near}?`;
  return `There are: ${known.slice(0, MOST).join(", ")}${known.length > MOST ? " …" : ""}`;
}

import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The plan would delete, disable or weaken the credential that the run works with. */
export class SelfChange extends TenancyError {
  static readonly code = "TENANCY_SELF_CHANGE";
  static readonly explanation = `
The plan deletes or disables the credential that the run itself works with, takes its \`manage_accounts\`, \`manage_users\` or API access,
changes its password, two-factor authentication or level, or revokes its token. Such a run could lock itself out half-way. Nothing was
written. Run it with another credential, or pass \`--allow-self-change\`. With a token, the service does not say which user it belongs to;
then every user of its account counts.`;

  /** @param harm what it does, as in "takes its API access" */
  constructor(key: string, harm: string, details: ErrorDetails = {}) {
    super(`the run works with "${key}", and this ${harm}`, {
      advice: "Run it with another credential, or pass --allow-self-change.",
      ...details,
    });
  }
}

import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The service did not act as the other user. */
export class SwitchUserIgnored extends TenancyError {
  static readonly code = "TENANCY_SWITCH_USER_IGNORED";
  static readonly explanation = `
Before a token is minted by switching to its user, \`GET /status/authorization\` is sent with the header of \`switch_user_header\`: its
answer must be about that user. Here it was not, or did not say, so the token might have been minted for the administrator. Nothing was
minted. The usual reasons: the header has another name, \`allow_su\` not set on the user, or the caller lacks \`realm.can_switch_user\`.`;

  /** @param why what the service answered, as a clause */
  constructor(login: string, why: string, details: ErrorDetails = {}) {
    super(`the service did not switch to ${JSON.stringify(login)}: ${why}`, {
      attribute: ["mint_with"],
      detail: "No token was minted.",
      advice:
        "Check switch_user_header, that the user has allow_su, and that the caller has the right realm.can_switch_user.",
      ...details,
    });
  }
}

import { ApiError, type ApiFacts } from "./api-error";

/** Status 403: the caller may not do this. */
export class Forbidden extends ApiError {
  static readonly code = "TENANCY_API_FORBIDDEN";
  static readonly explanation = `
The credential is good, but its permissions do not cover this request (status 403). \`tenancy doctor\` lists the rights of the caller;
creating accounts needs \`realm.manage_accounts\`, users \`user.manage_users\`, tokens \`user.manage_authorizations\`.`;

  constructor(facts: ApiFacts) {
    super("access denied", facts, {
      advice: "Run with a user whose permissions cover this; `tenancy doctor` shows yours.",
    });
  }
}

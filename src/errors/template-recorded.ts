import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: a changed template of an account that exists already has no effect. */
export class TemplateRecorded extends TenancyError {
  static readonly code = "TENANCY_TEMPLATE_RECORDED";
  static readonly explanation = `
An account's \`template\` is used when the account is created, and the API has no call that would apply it later. The changed value is
recorded, nothing is sent, and the account stays as it is.`;

  constructor(details: ErrorDetails = {}) {
    super("a changed template is recorded, and does not change the account", {
      attribute: ["template"],
      advice: "Declare what the template would have set, if the account is to have it.",
      ...details,
    });
  }
}

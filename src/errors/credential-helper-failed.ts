import { plainText } from "../values";
import { TenancyError } from "./tenancy-error";

/** The credential helper did not do what it was asked. */
export class CredentialHelperFailed extends TenancyError {
  static readonly code = "TENANCY_CREDENTIAL_HELPER";
  static readonly explanation = `
The program given with \`--credential-helper\` keeps the credential store. It could not be started, ended with an error, took too long
or its answer did not follow the protocol (docs/credential-helper.md). What it wrote to its standard error is
in the message, without the secrets that were passed to it. Nothing counts as kept until the helper has said so.`;

  /**
   * @param helper its program
   * @param verb what it was asked, such as `store`
   * @param fault what happened, as in "ended with status 1"
   * @param words what it wrote to its standard error, free of secrets
   */
  constructor(helper: string, verb: string, fault: string, words = "") {
    super(`the credential helper ${helper}, asked to ${verb}, ${fault}`, {
      ...(words.trim() !== "" && { detail: `It said: ${plainText(words, 500)}` }),
      advice: "Fix the helper's settings, or try it by hand as docs/credential-helper.md shows.",
    });
  }
}

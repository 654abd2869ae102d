import { TenancyError } from "./tenancy-error";

/** A compromised token is revoked, as it should be; the new one could not be minted. */
export class RevokedNotReplaced extends TenancyError {
  static readonly code = "TENANCY_REVOKED_NOT_REPLACED";
  static readonly explanation = `
\`tenancy token rotate --compromised\` mints a new token and then revokes the old one and those before it. Minting failed here. A
compromised token must not stay valid because of that, so it was revoked all the same, and the service refuses it. Its consumers are without
a token until the next \`tenancy apply\` mints one: fix what the message names, and apply.`;

  /** @param failure why there is no new one */
  constructor(key: string, failure: TenancyError) {
    const { summary, detail, advice } = failure.toDiagnostics()[0] ?? { summary: failure.message };
    super(`the token ${JSON.stringify(key)} is revoked, but no new one was minted: ${summary}`, {
      ...(detail !== undefined && { detail }),
      advice: [advice, "Then apply: it mints a new one."].filter(Boolean).join(" "),
      cause: failure,
    });
  }
}

import { TenancyError } from "./tenancy-error";

/** An address that cannot be used. */
export class InvalidUrl extends TenancyError {
  static readonly code = "TENANCY_INVALID_URL";
  static readonly explanation = `
\`base_url\` is the address of the service without \`/api\`, such as \`https://storage.example\`: http or https, without username, password,
query or fragment. Proxies are \`http://\` or \`https://\` addresses, and may contain a username and a password.`;

  constructor(setting: string, why: string) {
    super(`${setting} cannot be used: ${why}`, {
      advice: /base.url$/i.test(setting)
        ? "Give the service's address without /api, such as https://storage.example."
        : "Give an address such as http://proxy.example:3128.",
    });
  }
}

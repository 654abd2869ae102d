import { TenancyError } from "./tenancy-error";

/** Plain http to a machine other than this one. */
export class PlainHttp extends TenancyError {
  static readonly code = "TENANCY_PLAIN_HTTP";
  static readonly explanation = `
Over plain http anyone along the way can read passwords and tokens, so it is only allowed to this very machine (\`localhost\`,
\`127.0.0.0/8\`, \`[::1]\`), where the simulator runs. Use https; with \`ca_file\`, a certificate that the service signed itself is trusted.`;

  constructor(setting: string, host: string) {
    super(`${setting} uses plain http, and ${host} is not this machine`, {
      advice: "Use https://, with ca_file (TENANCY_CA_FILE) where the certificate is self-signed.",
    });
  }
}

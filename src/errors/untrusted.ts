import { ApiError, type ApiFacts } from "./api-error";

/** The service's certificate is not trusted, or no secure connection could be agreed on. */
export class Untrusted extends ApiError {
  static readonly code = "TENANCY_API_TLS";
  static readonly explanation = `
The certificate that the service (or a proxy on the way) shows is not trusted: signed by an unknown authority, expired, or issued for
another name. Nothing was sent. Where the service signs its own certificate, as many do, name its CA (or the certificate itself) in PEM form
with \`ca_file\` (\`TENANCY_CA_FILE\`); \`NODE_EXTRA_CA_CERTS\` works too. Checking cannot be switched off.`;

  constructor(facts: ApiFacts, why: string, advice: string) {
    super(`no trusted connection: ${why}`, { ...facts, sent: false }, { advice });
  }
}

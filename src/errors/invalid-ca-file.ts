import { TenancyError } from "./tenancy-error";

/** `ca_file` cannot be read or holds no certificate. */
export class InvalidCaFile extends TenancyError {
  static readonly code = "TENANCY_INVALID_CA_FILE";
  static readonly explanation = `
\`ca_file\` (\`TENANCY_CA_FILE\`) names a file with one or more certificates in PEM form (\`-----BEGIN CERTIFICATE-----\`). They are trusted
in place of the public ones.`;

  constructor(path: string, why: string) {
    super(`ca_file cannot be used: ${why}`, {
      file: path,
      advice: "Name a file with the service's CA certificate in PEM form.",
    });
  }
}

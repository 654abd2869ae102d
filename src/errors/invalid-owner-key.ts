import { TenancyError } from "./tenancy-error";

/** The secret that makes our uuids cannot be one. */
export class InvalidOwnerKey extends TenancyError {
  static readonly code = "TENANCY_INVALID_OWNER_KEY";
  static readonly explanation = `
With \`TENANCY_OWNER_KEY\` the uuids of the records that we create are made under a secret, so that nobody else can make a record that looks
like ours. Whoever has such a uuid can try out short keys, so a key has at least 16 characters; better are 32 random bytes (\`openssl rand
-base64 32\`). White space at its ends is most often a slip, and would make another key. \`TENANCY_PREVIOUS_OWNER_KEY\` is an earlier key, or
\`none\` while records of the time before the key count as ours; it means nothing without \`TENANCY_OWNER_KEY\`, which may be missing by mistake.
An empty value counts as not set. Nothing was sent.`;

  /** @param fault what is wrong with the variable, as in "is shorter than 16 characters" */
  constructor(variable: string, fault: string) {
    super(`${variable} ${fault}`, {
      advice:
        "Give the key that this owner's records are made under; a new one with openssl rand -base64 32.",
    });
  }
}

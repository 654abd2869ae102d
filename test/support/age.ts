/** Readers of sealed tokens. */
import type * as Age from "age-encryption" with { "resolution-mode": "import" };

/** An X25519 identity of age, and its recipient. */
export interface AgeReader {
  readonly identity: string;
  readonly recipient: string;
}

export async function ageReader(): Promise<AgeReader> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a module in a form that CommonJS cannot import otherwise
  const { generateX25519Identity, identityToRecipient } = require("age-encryption") as typeof Age;
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

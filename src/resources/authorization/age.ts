/** The part of age that sealed tokens need, with its library. The build makes one file of both, so this file imports nothing of ours. */
import type * as Age from "age-encryption" with { "resolution-mode": "import" };

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a module in a form that CommonJS cannot import otherwise
const { armor, Decrypter, Encrypter } = require("age-encryption") as typeof Age;

/** True of an X25519 recipient: age's other kinds of recipients are longer. */
export function isRecipient(text: string): boolean {
  if (!/^age1[02-9ac-hj-np-z]{58}$/.test(text)) return false;
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

/** @returns an ASCII-armored message that each of the recipients can open */
export async function encryptFor(recipients: readonly string[], text: string): Promise<string> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return armor.encode(await encrypter.encrypt(text));
}

/** @throws if an identity is none, if the message is none, or if none of the identities opens it */
export async function decryptWith(identities: readonly string[], message: string): Promise<string> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return decrypter.decrypt(armor.decode(message), "text");
}

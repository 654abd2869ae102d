/** Sealed tokens: their secret is an age message for declared readers, and nothing else of it is kept (design: Tokens). */
import { type Finding, invalidValue, identityMissing, sealedUnreadable } from "../../problems";
import { ageLibrary } from "../../age";
import { type Environment, isList, isUnknown, type ObjectValue, textOf } from "../../lib/values";

/** The declared readers in a fixed order; none if the token is not sealed. */
export function readersOf({ seal_to: readers = null }: ObjectValue): readonly string[] {
  if (isUnknown(readers) || !isList(readers)) return [];
  return [...new Set(readers.filter((one) => typeof one === "string"))].sort();
}

/** True if a token is sealed by its configuration or state. */
export function isSealed(token: ObjectValue): boolean {
  return readersOf(token).length > 0;
}

/** @param isForeseen true if a plan may know more */
export function checkReaders(
  { seal_to: readers = null }: ObjectValue,
  isForeseen: boolean,
): readonly Finding[] {
  const refuse = (problem: string, advice: string) => [
    invalidValue.at(problem, { attribute: ["seal_to"], advice }),
  ];
  if (readers === null) return [];
  if (isUnknown(readers) || !isList(readers) || readers.some(isUnknown))
    return isForeseen
      ? []
      : refuse(
          "must be known while planning",
          "Write it out, without references to values that are known only after apply.",
        );
  if (readers.length === 0)
    return refuse("contains no reader", "Name a recipient, or leave it out: then the token is not sealed.");
  return readers
    .filter((one) => typeof one !== "string" || !isRecipient(one))
    .flatMap((one) =>
      refuse(
        textOf(one)?.startsWith("AGE-SECRET-KEY-") === true
          ? "an age identity is a secret, and no recipient"
          : `${JSON.stringify(one)} is no X25519 recipient of age`,
        "`age-keygen -y FILE` prints the recipient of an identity: age1, followed by 58 characters.",
      ),
    );
}

/** True of an X25519 recipient: age's other kinds of recipients are longer. */
function isRecipient(text: string): boolean {
  if (!/^age1[02-9ac-hj-np-z]{58}$/.test(text)) return false;
  const { Encrypter } = ageLibrary();
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

/** The token, sealed for readers. One that is sealed already keeps its seal. */
export async function seal(token: ObjectValue, readers: readonly string[]): Promise<ObjectValue> {
  const secret = textOf(token["access_token"]);
  if (readers.length === 0 || secret === undefined) return token;
  const { armor, Encrypter } = ageLibrary();
  const encrypter = new Encrypter();
  for (const reader of readers) encrypter.addRecipient(reader);
  const message = armor.encode(await encrypter.encrypt(secret));
  return { ...token, access_token: null, access_token_sealed: message };
}

/**
 * The secret in a sealed token.
 * @param environment `TENANCY_IDENTITY` is the text of an identity file
 * @throws identityMissing, sealedUnreadable
 */
export async function openSealed(sealed: string, environment: Environment): Promise<string> {
  const identities = identitiesIn(environment);
  const { armor, Decrypter } = ageLibrary();
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    return await decrypter.decrypt(armor.decode(sealed), "text");
  } catch {
    // The library's own message might show a part of an identity.
    throw sealedUnreadable.error();
  }
}

/** @throws identityMissing */
export function identitiesIn(environment: Environment): readonly string[] {
  const identities =
    (environment["TENANCY_IDENTITY"] ?? "").match(/^\s*AGE-SECRET-KEY-1[0-9A-Z]+\s*$/gm) ?? [];
  if (identities.length === 0) throw identityMissing.error();
  return identities.map((one) => one.trim());
}

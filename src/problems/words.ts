/**
 * Words of advice. Code that both engines share knows the remedy, but not the reader's language: a program in TypeScript that the command
 * runs, a program that calls the engine itself, or HCL that Terraform runs. So advice is a function of {@link Words}, and is worded when it
 * is shown. The two TypeScript vocabularies are in this file; HCL's is the provider's.
 */
import { camelCase, type Value } from "../lib/values";

export interface Words {
  /** An attribute by its name in the schema, as in "`loginWith`". */
  name(attribute: string): string;
  /** An attribute with its value, as in "`deletionProtection: false`". */
  set(attribute: string, value: Value): string;
  /** The attribute that sends a write-only value again when it is raised, as in "its `password_wo_version`". */
  version(attribute: string): string;
  /** The declaration that takes a value away, as in "add `email` to `unset`". */
  unset(attribute: string): string;
  /**
   * The way to import a live object: "import it with `importFrom("acme")`".
   * @param id its id, serial, name or login, where it is known
   */
  importIt(id?: string): string;
  /** A sentence on an object that was managed before: after a lost state, or by a declaration that moved. */
  recover(): string | undefined;
  /** The way to recognise an managed object again, in sentences. */
  recognise(): string;
  /**
   * Advice where it is not known whether an object was created, in sentences.
   * @param key the key by which it can be imported, if that is known
   */
  perhapsCreated(key?: string): string;
  /** Another reason for which a name may be taken, as a sentence of its own. */
  takenName(): string | undefined;
  /** The declaration of an account, as in "`Tenant`". */
  account(): string;
  /** The flag that applies a part of the configuration, as in "--only". */
  only(): string;
  /** An option of a run by its name, as in "--max-age". Terraform has none of them: its users see none. */
  flag(option: string): string;
  /** An option of a run with its value, as in "--max-age 7d". */
  flagWith(option: string, value: string): string;
  /** The declaration that deletes a tenant or a user that is no longer declared, as in "`new Deletion(…)`". */
  removal(): string;
  /**
   * The declaration that deletes a named object: "new Deletion(…, { account: "acme" })".
   * @param id of the record, if its name alone does not allow the deletion
   */
  removalOf(by: "account" | "login", key: string, id?: string): string;
  /** The way to end a token that the service does not revoke, by ending its user: a sentence. */
  endWithUser(): string;
  /** A text about parts of the command, such as its verbs, flags and one-time codes; undefined for readers without the command. */
  command(text: string): string | undefined;
}

/** Advice: a text that suits every reader, or one that is worded when it is shown. */
export type Advice = string | ((say: Words) => string | undefined);

export function inWords(advice: Advice | undefined, say: Words): string | undefined {
  return typeof advice === "function" ? advice(say) : advice;
}

/** Sentences, those left out that this reader has no use for. */
export function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}

/** Joins clauses about remedies, and leaves out remedies that this reader does not have: "choose another name, or import it". */
export function either(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(", or ");
}

/** The same as a sentence: "Choose another name, or import it." */
export function ways(...parts: readonly (string | undefined)[]): string {
  const text = either(...parts);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Objects of the API, whose members are separate attributes in the schema: `limits_vss_num` is `limits: { vssNum }`. */
const OBJECT = /^(limits|provisioning|two_factor)_|^(access)_(?=(?:api|web)$)/;

/** The reader of advice: a user of the command, or the author of a program that calls the engine. */
export type Reader = "command" | "library";

/** The words for authors of TypeScript who run the command. */
export const TYPESCRIPT: Words = {
  name: (attribute) => `\`${propertyOf(attribute)}\``,
  set: (attribute, value) => `\`${propertyOf(attribute)}: ${JSON.stringify(value)}\``,
  version: (attribute) =>
    `the version of its \`Secret\` (\`${camelCase(`${attribute}_version`)}\` without one)`,
  unset: (attribute) => `declare \`${propertyOf(attribute)}: null\``,
  importIt: (id) => `import it with \`importFrom(${id === undefined ? "" : JSON.stringify(id)})\``,
  recover: () => "If the state was lost, record what is declared with `tenancy recover`.",
  recognise: () => "Plan again: it is recognised then.",
  perhapsCreated: () =>
    "Run again when the service is healthy: existing objects are recognized by their uuids.",
  takenName: () => undefined,
  account: () => "`Tenant`",
  only: () => "--only",
  flag: (option) => `--${option.replaceAll("_", "-")}`,
  flagWith: (option, value) => `--${option.replaceAll("_", "-")} ${value}`,
  removal: () => "`new Deletion(…)`",
  removalOf: (by, key, id) =>
    `new Deletion(…, { ${by}: ${JSON.stringify(key)}${id === undefined ? "" : `, id: ${JSON.stringify(id)}`} })`,
  endWithUser: () =>
    "If its user is to be deleted, too, delete both in one run: the token ends with the user.",
  command: (text) => text,
};

/** The words for authors of TypeScript who call the engine as a library, or `planOf` in a test: options, and neither flags nor verbs. */
export const LIBRARY: Words = {
  ...TYPESCRIPT,
  only: () => "`only`",
  flag: (option) => `\`${optionOf(option)}\``,
  flagWith: (option, value) =>
    `\`${optionOf(option)}: ${/^(\d+|true)$/.test(value) ? value : JSON.stringify(value)}\``,
  recover: () => "If the state was lost, record what is declared with the option `recover`.",
  command: () => undefined,
};

/** Options of the engine that are members of an object, by their flags. */
const NESTED: Readonly<Record<string, string>> = {
  state: "state.path",
  credential_helper: "state.helper",
  encrypt_state: "state.encryptPlain",
  max_age: "live.maxAge",
};

function optionOf(flag: string): string {
  return NESTED[flag] ?? camelCase(flag);
}

const WORDS: Readonly<Record<Reader, Words>> = { command: TYPESCRIPT, library: LIBRARY };

export function wordsFor(reader: Reader = "command"): Words {
  return WORDS[reader];
}

/** The property of a construct that declares an attribute: `password` for `password_wo`, `limits.vssNum` for `limits_vss_num`. */
function propertyOf(attribute: string): string {
  const plain = attribute.replace(/_wo$/, "");
  const [prefix = ""] = OBJECT.exec(plain) ?? [];
  if (prefix === "") return camelCase(plain);
  return `${camelCase(prefix.slice(0, -1))}.${camelCase(plain.slice(prefix.length))}`;
}

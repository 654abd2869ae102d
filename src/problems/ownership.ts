/** Errors about objects that exist already. */
import { counted } from "../lib/values";
import { problem, warning } from "./problem";
import { either, sentences, ways } from "./words";

/** Most objects that a message names. */
const MOST = 10;

/** `account_id` holds the serial number of an account: the service shows the id in its place, and every later plan would differ. */
export const serialForId = problem<{ serial: string; account: string; id: string }>({
  code: "TENANCY_INVALID_VALUE",
  summary: ({ serial, account, id }) =>
    `${JSON.stringify(serial)} is the serial number of the account ${JSON.stringify(account)}; its id is ${JSON.stringify(id)}`,
  advice: "Write the id of the account, or refer to it.",
});

/** A declared object exists already, and the state has no record of it. */
export const unmanagedObject = problem<{
  /** "account" or "user profile". */
  noun: string;
  key: string;
  id: string;
  /** True if the state has recorded an earlier object of this name, so that the name alone imports nothing. @default false */
  isSuccessor?: boolean;
}>({
  code: "TENANCY_UNMANAGED",
  title: "An object exists already and is not managed",
  summary: ({ noun, key }) =>
    `${noun} ${JSON.stringify(key)} exists, and this configuration does not manage it`,
  detail: ({ id, isSuccessor = false }) =>
    isSuccessor
      ? `It has replaced the object that was managed under this name (id ${id}).`
      : `It was neither created nor imported by this configuration (id ${id}).`,
  advice: ({ key, id, isSuccessor = false }, say) =>
    sentences(
      `Either ${either(say.importIt(isSuccessor ? id : key), "choose another name")}.`,
      isSuccessor ? undefined : say.recover(),
      say.takenName(),
    ),
});

/** Declarations have moved to this stack or provider configuration, or theirs has left the stack, and the state's records follow. */
export const movedHere = warning<{
  /** As in `the stack "prod"`. */
  source: string;
  keys: readonly string[];
}>({
  code: "TENANCY_MOVED",
  title: "Objects have moved to this stack",
  summary: ({ source, keys }) =>
    `${counted(keys.length, "object")} of ${source} ${keys.length === 1 ? "moves" : "move"} here: ${keys.slice(0, MOST).join(", ")}${keys.length > MOST ? `, and ${keys.length - MOST} more` : ""}`,
  detail:
    "The apply moves their records in the state, with tokens and ends. The service is not asked to change them for that.",
});

/** Many declared objects exist, and nothing is managed at the service: most likely the state was lost. */
export const nothingManaged = problem<{
  origin: string;
  state: string;
  /** Addresses of the declared objects that exist. */
  addresses: readonly string[];
}>({
  code: "TENANCY_NOTHING_MANAGED",
  summary: ({ origin, addresses }) =>
    `nothing is managed at ${origin}, and ${counted(addresses.length, "declared object")} exist there`,
  detail: ({ state, addresses }) => {
    const more = addresses.length > MOST ? `, and ${addresses.length - MOST} more` : "";
    return `The state ${state} has no record of them: ${addresses.slice(0, MOST).join(", ")}${more}.`;
  },
  advice: (_, say) =>
    sentences(
      "If the state is kept elsewhere, name its place.",
      say.recover(),
      "Objects of others need another name.",
    ),
});

/** An object that is to be created is live already, and managed. */
export const alreadyLive = problem<{ noun: string; key: string; id: string }>({
  code: "TENANCY_ALREADY_LIVE",
  title: "An object exists already and is managed",
  summary: ({ noun, key, id }) =>
    `${noun} ${JSON.stringify(key)} exists already, and this configuration manages it (id ${id})`,
  advice: (_, say) => sentences(say.recognise(), say.takenName()),
});

/**
 * An object cannot be seen, which does not prove that it does not exist. The fact: the object that was not found, and the reason for the uncertainty.
 */
export const notVerified = problem<string>({
  code: "TENANCY_NOT_VERIFIED",
  summary: (why) => why,
  advice: "Use a credential that can see it; nothing was created, deleted or forgotten.",
});

/** An object with the declared name is live under another uuid than the declared one. */
export const otherUuid = problem<{
  readonly noun: string;
  readonly key: string;
  /** `uuid`, or the attribute of the uuid that its primary user has. */
  readonly attribute: string;
  /** Undefined if it is known only after apply. */
  readonly declaredUuid: string | undefined;
  /** The live uuid, and the id of the record that has it. */
  readonly live: string;
  readonly id: string;
}>({
  code: "TENANCY_OTHER_UUID",
  title: "An object exists already with another uuid",
  attribute: ["uuid"],
  summary: ({ noun, key, attribute, declaredUuid }) => {
    const isOwn = attribute === "uuid";
    const object = `${noun} ${JSON.stringify(key)} is live`;
    if (declaredUuid === undefined)
      return `${object}, and the declared uuid ${isOwn ? "" : "of its primary user "}is known only after apply`;
    return isOwn
      ? `${object} with another uuid than the declared ${declaredUuid}`
      : `${object}, and its primary user has another uuid than the declared ${declaredUuid}`;
  },
  detail: ({ attribute, live, id }) =>
    `${attribute === "uuid" ? "The live one" : "The live primary user"} (id ${id}) has the uuid ${live}.`,
  advice: ({ attribute, declaredUuid }, say) =>
    declaredUuid === undefined
      ? `Declare ${say.name(attribute)} by a value that is known before the apply, or remove it.`
      : `Correct or remove ${say.name(attribute)}, or choose another name.`,
});

/** `new Deletion(…)` names something that is not managed by this stack, without proof that it is meant. */
export const deletionOfUnmanaged = problem<{ name: string; id: string; isNamed: boolean }>({
  code: "TENANCY_DELETION_UNMANAGED",
  summary: ({ name, isNamed }) =>
    isNamed
      ? `"${name}" is to be deleted, but this stack does not manage it`
      : `"${name}" is to be removed, but the id or serial given with it belongs to another object`,
  advice: ({ id, isNamed }, say) =>
    isNamed
      ? `If that is intended, give its id as well as its name: ${say.set("id", id)}.`
      : "Give the name and the id of the same object.",
});

/** The same object is declared, and declared to be released. */
export const releasedAndDeclared = problem<string>({
  code: "TENANCY_REMOVED_AND_DECLARED",
  summary: (name) => `"${name}" is declared, and also to be released`,
  advice: "Remove either the declaration or `new Release(…)`.",
});

/** The object that `new Release(…)` names is not managed any more: a suggestion, never an error. */
export const releasedAlready = warning<string>({
  code: "TENANCY_REMOVAL_DONE",
  title: "A declared release has nothing left to release",
  summary: (name) => `"${name}" is not managed by this stack`,
  advice: "You can remove the line with `new Release(…)`.",
});

/** The recorded object of a declared name has another name by now. */
export const renamedOutside = problem<{
  noun: string;
  declaredName: string;
  liveName: string;
  id: string;
  /** True if the state has recorded the object, so that a declaration of the live name manages it. @default false */
  isRecorded?: boolean;
}>({
  code: "TENANCY_RENAMED_OUTSIDE",
  title: "An object was renamed outside this configuration",
  summary: ({ noun, declaredName, liveName, id }) =>
    `${noun} ${JSON.stringify(declaredName)} was renamed outside this configuration: it is now ${JSON.stringify(liveName)} (id ${id})`,
  advice: ({ declaredName, liveName, isRecorded = false }) =>
    ways(
      `rename it to ${JSON.stringify(declaredName)} at the service`,
      isRecorded ? `declare it under the name ${JSON.stringify(liveName)}` : undefined,
    ),
});

/** Nothing live has this name. */
export const noSuchObject = problem<{
  noun: string;
  /** The search term, as in `name "acme"`. */
  how: string;
  /** True if an import line names it. @default false */
  isImport?: boolean;
}>({
  code: "TENANCY_NO_SUCH_OBJECT",
  summary: ({ noun, how }) => `there is no ${noun} with ${how} that the caller can see`,
  advice: ({ isImport = false }) =>
    sentences(
      "Check the spelling, the base URL, and the rights of the credential.",
      isImport ? "To create the object, remove its import line." : undefined,
    ),
});

/** An import of an object whose state cannot be read from the service. The fact: such as `tenancy_authorization`. */
export const notImportable = problem<string>({
  code: "TENANCY_NOT_IMPORTABLE",
  summary: (type) => `${type} cannot be imported: its secret cannot be read`,
  advice: "Declare a new one, and revoke the old one when it is no longer used.",
});

/** An import block names another object than the one that the configuration declares. */
export const importMismatch = problem<{
  noun: string;
  id: string;
  liveName: string;
  declaredName: string | undefined;
}>({
  code: "TENANCY_IMPORT_MISMATCH",
  summary: ({ noun, id, liveName }) =>
    `the import block's ${JSON.stringify(id)} is the ${noun} ${JSON.stringify(liveName)}, which is not the declared object`,
  detail: ({ declaredName }) =>
    declaredName !== undefined
      ? `The declared object, ${JSON.stringify(declaredName)}, exists, too.`
      : undefined,
  advice: ({ liveName }) => `Declare the name ${JSON.stringify(liveName)}, or import another object.`,
});

/** Terraform would delete the object that the same plan imports, and create it again. */
export const importReplaced = problem<{ noun: string; key: string; because: string }>({
  code: "TENANCY_IMPORT_REPLACED",
  summary: ({ noun, key, because }) =>
    `the plan imports the ${noun} ${JSON.stringify(key)}, and would delete it and create it again because of ${because}`,
  advice: ({ because }, say) =>
    `Declare the ${say.name(because)} that the object has. If the value is known only after apply, first create the object that it refers to.`,
});

/** The service accepted a write, and shows another value than the one that was asked for. */
export const notTaken = problem<{
  noun: string;
  key: string;
  /** The live value, in words fit for a message. */
  liveValue: string;
}>({
  code: "TENANCY_NOT_TAKEN",
  title: "The service did not take a value",
  summary: ({ noun, key, liveValue }) =>
    `the service did not take this value for ${noun} ${JSON.stringify(key)}: it shows ${liveValue}`,
  advice: "Declare the value as the service shows it, or leave the attribute out.",
});

/** A warning: a write succeeded, and reading its result did not. */
export const writtenUnread = warning<{ noun: string; key: string; why: string }>({
  code: "TENANCY_WRITTEN_UNREAD",
  title: "An object was written but could not be read afterwards",
  summary: ({ noun, key, why }) =>
    `${noun} ${JSON.stringify(key)} was written, but could not be read afterwards: ${why}`,
  advice: "Plan again once the service is healthy: it reads what is missing.",
});

/** A record has changed since the plan was made. */
export const movedOn = problem<{
  noun: string;
  key: string;
  /** The difference, as in "its sequence number is 8, not 7". */
  what: string;
}>({
  code: "TENANCY_PLAN_OUTDATED",
  summary: ({ noun, key, what }) =>
    `${noun} ${JSON.stringify(key)} has changed since it was planned: ${what}`,
  detail: "Nothing was sent to it.",
  advice: "Plan again.",
});

/** A warning: Terraform plans a delete by its state, and the record is no longer as that shows it. */
export const deletedAsItIs = warning<{
  noun: string;
  key: string;
  /** Names of the attributes whose values have changed. */
  changedAttributes: readonly string[];
}>({
  code: "TENANCY_DELETED_AS_IT_IS",
  title: "An object has changed since Terraform read it and will be deleted",
  summary: ({ noun, key, changedAttributes }) =>
    `${noun} ${JSON.stringify(key)} has changed, and would be deleted as it is now: ${changedAttributes.join(", ")}`,
  detail: "The plan shows it as Terraform's state has it, which was read before the change.",
  advice: ({ noun }) => `If the ${noun} is still needed as it is now, do not apply this plan.`,
});

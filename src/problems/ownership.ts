/** Errors about objects that exist, and about whose they are. */
import { problem, warning } from "./problem";
import { either, sentences, type Words } from "./words";

/**
 * What a uuid tells of who made an object: somebody with a key that this run does not have, or somebody who knows our owner's name, which gives
 * that uuid without a key. Undefined where it tells nothing.
 */
export type Maker =
  { readonly has: "another key" } | { readonly has: "no key"; readonly uuid: string } | undefined;

/** `account_id` holds the serial number of an account: the service shows the id in its place, and every later plan would differ. */
export const serialForId = problem<{ serial: string; account: string; id: string }>({
  code: "TENANCY_SERIAL_FOR_ID",
  summary: ({ serial, account, id }) =>
    `${JSON.stringify(serial)} is the serial number of the account ${JSON.stringify(account)}; its id is ${JSON.stringify(id)}`,
  advice: "Write the id of the account, or refer to it.",
  explain: `
\`account_id\` takes the id of an account. The service accepts its serial number as well, and shows the id afterwards, so that every later plan
would replace the object. Nothing was sent. Write the id, or refer to it: \`account_id = tenancy_account.acme.id\`.`,
});

/** A declared object exists already, and nothing proves that it is ours. */
export const unmanagedObject = problem<{
  /** "account" or "user profile". */
  noun: string;
  key: string;
  id: string;
  maker?: Maker;
}>({
  code: "TENANCY_UNMANAGED",
  title: "An object exists already and is not managed",
  summary: ({ noun, key }) => `${noun} ${JSON.stringify(key)} exists, and this owner does not manage it`,
  detail: ({ id, maker }) => {
    if (maker?.has === "another key")
      return `It was made under an owner key that this run does not have (id ${id}).`;
    return maker === undefined ? `Nothing shows that this configuration made it (id ${id}).` : WITHOUT_KEY;
  },
  advice: ({ key, id, maker }, say) => sentences(adviceOn(maker, key, id, say), say.takenName()),
  explain: `
An object with the declared name exists, and its uuid is not one that we would have chosen: it was made by hand, by another tool or by
another owner. It is neither changed nor deleted. There are two ways out: take it in with an \`import\` block (in TypeScript
\`importFrom("<name, id or serial>")\`), which leaves it as it is and shows what the configuration would change; or declare another name. If
it was made by us under a former owner's name, name that owner in \`previous_owners\`.`,
});

function adviceOn(maker: Maker, key: string, id: string, say: Words): string {
  if (maker === undefined) return `Either ${either(say.importIt(key), "choose another name")}.`;
  return maker.has === "another key"
    ? `Give the key that it was made under (TENANCY_OWNER_KEY, or TENANCY_PREVIOUS_OWNER_KEY); if the key is lost, ${say.importIt(id)}.`
    : withoutKey(maker.uuid, say);
}

const WITHOUT_KEY =
  "Its uuid follows from our owner's name without the owner key: either it was made before there was a key, or somebody else chose that uuid.";

function withoutKey(uuid: string, say: Words): string {
  return `If you are sure that it is yours, write ${say.set("uuid", uuid)} in its declaration, and apply once with TENANCY_PREVIOUS_OWNER_KEY=none. If not, delete it, or choose another name.`;
}

/** An object that is to be created is live already, and ours. */
export const alreadyLive = problem<{ noun: string; key: string; id: string }>({
  code: "TENANCY_ALREADY_LIVE",
  title: "An object exists already and is managed",
  summary: ({ noun, key, id }) =>
    `${noun} ${JSON.stringify(key)} exists already, and this owner manages it (id ${id})`,
  advice: (_, say) => sentences(say.recognise(), say.takenName()),
  explain: `
An object is to be created, and one with its uuid exists: this owner made it before. Either its declaration moved to another address, or the
state of the engine does not know it, as after a lost or split state, or another run made it a moment ago. Nothing was sent. Under Terraform
a \`moved\` block tells the engine that a declaration moved, and an \`import\` block takes the object in. With the embedded engine, plan
again: it recognises what is ours.`,
});

/** An object cannot be seen, which does not prove that it does not exist. The fact: what was not found, and why that proves nothing. */
export const notVerified = problem<string>({
  code: "TENANCY_NOT_VERIFIED",
  summary: (why) => why,
  advice: "Use a credential that can see it; nothing was created, deleted or forgotten.",
  explain: `
An object was not found, but the caller could not see it either way: an account is absent only to a caller who may manage accounts, a
user profile only when its account is listed, and a record known by id only when the service answers 404 or 410 for it, from complete lists.
Nothing was created, deleted or forgotten. Run it with a credential that can see what it manages.`,
});

/** An object that another owner made is not taken in, and not removed. */
export const otherOwner = problem<{
  noun: string;
  key: string;
  id: string;
  /** The uuid, where our owner's name gives it without our key. */
  unkeyed?: string;
}>({
  code: "TENANCY_OTHER_OWNER",
  title: "An object exists already and is managed by another owner",
  summary: ({ noun, key, id }) => `${noun} ${JSON.stringify(key)} (id ${id}) was made by another owner`,
  detail: ({ unkeyed }) => (unkeyed === undefined ? undefined : WITHOUT_KEY),
  advice: ({ unkeyed }, say) =>
    unkeyed !== undefined
      ? withoutKey(unkeyed, say)
      : `Leave it to that owner; if it is a former name of yours, add it to ${say.name("previous_owners")}.`,
  explain: `
The uuid of the object was derived from names (version 5), and not from a name of ours: another owner manages it, probably another stack.
Two owners of one object would undo each other's work, so it is neither imported nor removed. Let the other owner give it up first, or name that
owner in \`previous_owners\` if it is a former name of yours.`,
});

interface OtherUuid {
  readonly noun: string;
  readonly key: string;
  /** `uuid`, or the attribute of the uuid that its primary user has. */
  readonly attribute: string;
  /** Undefined where it is known only after apply. */
  readonly declared: string | undefined;
  /** The live uuid, and the id of the record that has it. */
  readonly live: string;
  readonly id: string;
}

/** An object with the declared name is live under another uuid than the declared one. */
export const otherUuid = problem<OtherUuid>({
  code: "TENANCY_OTHER_UUID",
  title: "An object exists already with another uuid",
  attribute: ["uuid"],
  summary: ({ noun, key, attribute, declared }) => {
    const isOwn = attribute === "uuid";
    const object = `${noun} ${JSON.stringify(key)} is live`;
    if (declared === undefined)
      return `${object}, and the declared uuid ${isOwn ? "" : "of its primary user "}is known only after apply`;
    return isOwn
      ? `${object} with another uuid than the declared ${declared}`
      : `${object}, and its primary user has another uuid than the declared ${declared}`;
  },
  detail: ({ attribute, live, id }) =>
    `${attribute === "uuid" ? "The live one" : "The live primary user"} (id ${id}) has the uuid ${live}.`,
  advice: ({ attribute, declared }, say) =>
    declared === undefined
      ? `Declare ${say.name(attribute)} by a value that is known before the apply, or remove it.`
      : `Correct or remove ${say.name(attribute)}, or choose another name.`,
  explain: `
The configuration declares a uuid, and the live object of that name has another one: it is not the object that was meant. Nothing was
written. Correct the uuid or remove it, or choose another name.`,
});

/** A warning: without an owner nobody can tell whether somebody else manages what is taken in. */
export const ownerUnknown = warning<{ noun: string; key: string; id: string }>({
  code: "TENANCY_OWNER_UNKNOWN",
  title: "An object was created by an owner who may not be you",
  summary: ({ noun, key, id }) =>
    `${noun} ${JSON.stringify(key)} (id ${id}) was made by some owner, who may not be you`,
  advice: "Make sure that no other stack manages it, or set `owner` in the provider's configuration.",
  explain: `
An object is imported whose uuid was derived from names, so some owner made it. The provider is configured without \`owner\`, so it cannot
tell whether that owner is you. Make sure that no other stack manages the object, or set \`owner\`.`,
});

/** `new Deletion(…)` names something that is not managed by this owner, without proof that it is meant. */
export const deletionOfUnmanaged = problem<{ name: string; id: string; isNamed: boolean }>({
  code: "TENANCY_DELETION_UNMANAGED",
  summary: ({ name, isNamed }) =>
    isNamed
      ? `"${name}" is to be deleted, but this owner does not manage it`
      : `"${name}" is to be removed, but the id or serial given with it belongs to another object`,
  advice: ({ id, isNamed }, say) =>
    isNamed
      ? `If that is intended, and it is no other owner's, give its id as well as its name: ${say.set("id", id)}.`
      : "Give the name and the id of the same object.",
  explain: `
\`new Deletion(…)\` deletes a tenant or a user. When its uuid shows that this owner does not manage it, a name alone is not enough: give its id or serial as
well. What another owner made is refused in any case, and so is an id that belongs to another name.`,
});

/** A live object has our uuid for a declared name, and another name. */
export const renamedOutside = problem<{ noun: string; declared: string; live: string; id: string }>({
  code: "TENANCY_RENAMED_OUTSIDE",
  title: "An object was renamed outside this configuration",
  summary: ({ noun, declared, live, id }) =>
    `${noun} ${JSON.stringify(declared)} was renamed outside this configuration: it is now ${JSON.stringify(live)} (id ${id})`,
  advice: "Give it its old name back at the service, then plan again.",
  explain: `
The uuid of a live object is the one that we gave to the declared name, but the object has another name now: somebody renamed it at the
service, or moved it to another account. Creating the declared one would clash with its uuid, and changing the other one could hit what
somebody else uses by now. Nothing was written. Give it its old name back at the service. Its uuid says what it was called when it was
made, so it cannot be imported under another name.`,
});

/** Nothing live has this name. */
export const noSuchObject = problem<{
  noun: string;
  /** By what it was looked for, as in `name "acme"`. */
  how: string;
}>({
  code: "TENANCY_NO_SUCH_OBJECT",
  summary: ({ noun, how }) => `there is no ${noun} with ${how} that the caller can see`,
  advice: "Check the spelling, the base URL, and what the credential can see.",
  explain: `
An \`import\` block or a data source names an object that the caller cannot see: misspelt, deleted, in another service, or hidden from this
credential.`,
});

/** An import of something whose state cannot be read from the service. The fact: such as `tenancy_authorization`. */
export const notImportable = problem<string>({
  code: "TENANCY_NOT_IMPORTABLE",
  summary: (type) => `${type} cannot be imported: its secret cannot be read`,
  advice: "Declare a new one, and revoke the old one once nobody uses it any more.",
  explain: `
The service shows the secret of a token once, when it is created; a state without it would be of no use. Declare a new token, hand it to its
consumers, and revoke the old one where it was made. Accounts and user profiles can be imported, by id, serial, and name or login.`,
});

/** An import block names another object than the one that the configuration declares. */
export const importMismatch = problem<{
  noun: string;
  id: string;
  found: string;
  declared: string | undefined;
}>({
  code: "TENANCY_IMPORT_MISMATCH",
  summary: ({ noun, id, found }) =>
    `the import block's ${JSON.stringify(id)} is the ${noun} ${JSON.stringify(found)}, which is not what is declared`,
  detail: ({ declared }) =>
    declared !== undefined ? `What is declared, ${JSON.stringify(declared)}, exists too.` : undefined,
  advice: ({ found }) => `Declare the name ${JSON.stringify(found)}, or import another object.`,
  explain: `
An \`import\` block takes an existing object in under the name that the configuration gives it. Here the two are not the same object: the id
leads to one, the declared name to another or to none. Importing does not rename. Declare the name that the object has, or import the object
that has the declared name.`,
});

/** Terraform would delete what the same plan takes in, and make it anew. */
export const importReplaced = problem<{ noun: string; key: string; because: string }>({
  code: "TENANCY_IMPORT_REPLACED",
  summary: ({ noun, key, because }) =>
    `the plan imports the ${noun} ${JSON.stringify(key)}, and would delete it and make it anew because of ${because}`,
  advice: ({ because }, say) =>
    `Declare the ${say.name(because)} that the object has. If that is known only after apply, create first what it refers to.`,
  explain: `
An \`import\` block takes in an object so that it stays. Where the configuration declares another value for what cannot be changed, or one that
is known only after apply (the \`account_id\` of an account that is yet to be created), Terraform plans the import and a replacement in one: it
would delete the object first. If it is to be made anew, import it, apply, and then change the declaration.`,
});

/** The state of Terraform has one object at two addresses, and the plan deletes it at one of them. */
export const deletedAndKept = problem<{ noun: string; key: string; id: string }>({
  code: "TENANCY_DELETED_AND_KEPT",
  summary: ({ noun, key, id }) =>
    `the plan keeps the ${noun} ${JSON.stringify(key)} (id ${id}) at one address, and deletes it at another`,
  explain: `
Terraform knows nothing of records that are the same: the state can have one at two addresses, where it was imported at an address while it was in
the state at another. The plan keeps it at one of them and deletes it at the other, so that the record would be gone. An \`import\` block is no
\`moved\` block: for a declaration that has another address now, write \`moved\`, and take the \`import\` block out. Or have the address that is no longer
declared forgotten: with a \`removed\` block and \`destroy = false\`, or with \`state rm\`.`,
});

/** The service accepted a write, and shows another value than the one that was asked for. */
export const notTaken = problem<{
  noun: string;
  key: string;
  /** What the service shows, in words fit for a message. */
  shown: string;
}>({
  code: "TENANCY_NOT_TAKEN",
  title: "The service did not take a value",
  summary: ({ noun, key, shown }) =>
    `the service did not take this value for ${noun} ${JSON.stringify(key)}: it shows ${shown}`,
  advice: "Declare the value as the service shows it, or leave the attribute out.",
  explain: `
After a write, what was asked for is compared with what the service shows. Here it shows something else: it ignores the parameter, limits it
by another rule, or writes it in another form. After an update the state holds what the service shows, so that the next plan shows the
difference. After a create the state holds what was asked for (another value would make Terraform destroy the tenant again), and the next
refresh shows the difference. Declare the value as the service shows it, or leave the attribute out.`,
});

/** A warning: a write succeeded, and reading its result did not. */
export const writtenUnread = warning<{ noun: string; key: string; why: string }>({
  code: "TENANCY_WRITTEN_UNREAD",
  title: "An object was written but could not be read afterwards",
  summary: ({ noun, key, why }) =>
    `${noun} ${JSON.stringify(key)} was written, but could not be read afterwards: ${why}`,
  advice: "Plan again once the service is healthy: it reads what is missing.",
  explain: `
The service did what was asked, and then could not be read, so it is not known whether it shows what was asked for. The state holds what was
asked for; the next refresh reads the rest.`,
});

/** A record is not what it was when the plan was made. */
export const movedOn = problem<{
  noun: string;
  key: string;
  /** What is different, as in "its sequence number is 8, not 7". */
  what: string;
}>({
  code: "TENANCY_MOVED_ON",
  summary: ({ noun, key, what }) =>
    `${noun} ${JSON.stringify(key)} has changed since it was planned: ${what}`,
  detail: "Nothing was sent to it.",
  advice: "Plan again.",
  explain: `
Between the plan and the write somebody else changed the record: it has another uuid, name or account, or its sequence number went up. The
plan that you saw does not describe what would happen now, so nothing was sent to it. Plan again.`,
});

/** A warning: Terraform plans a delete by its state, and the record is no longer as that shows it. */
export const deletedAsItIs = warning<{
  noun: string;
  key: string;
  /** Names of the attributes whose values have changed. */
  changed: readonly string[];
}>({
  code: "TENANCY_DELETED_AS_IT_IS",
  title: "An object has changed since Terraform read it and will be deleted",
  summary: ({ noun, key, changed }) =>
    `${noun} ${JSON.stringify(key)} has changed, and would be deleted as it is now: ${changed.join(", ")}`,
  detail: "The plan shows it as Terraform's state has it, which was read before the change.",
  advice: ({ noun }) => `If somebody needs the ${noun} as it is now, do not apply this plan.`,
  explain: `
Terraform shows a delete with the values of its state. It does not always read the record anew before: not with \`-refresh=false\`, up to
Terraform 1.11 not for what is no longer declared, and to destroy everything it plans once more after the refresh. The provider looks for
itself, and tells which attributes have changed. The delete is for the record as the provider has found it: if it changes again before the
apply, it is not deleted.`,
});

/** The secret that makes our uuids cannot be one. */
export const invalidOwnerKey = problem<{
  variable: string;
  /** What is wrong with the variable, as in "is shorter than 16 characters". */
  fault: string;
}>({
  code: "TENANCY_INVALID_OWNER_KEY",
  summary: ({ variable, fault }) => `${variable} ${fault}`,
  advice: "Give the key that this owner's records are made under; a new one with openssl rand -base64 32.",
  explain: `
With \`TENANCY_OWNER_KEY\` the uuids of the records that we create are made under a secret, so that nobody else can make a record that looks
like ours. Whoever has such a uuid can try out short keys, so a key has at least 16 characters; better are 32 random bytes (\`openssl rand
-base64 32\`). White space at its ends is most often a slip, and would make another key. \`TENANCY_PREVIOUS_OWNER_KEY\` is an earlier key, or
\`none\` while records of the time before the key count as managed; it means nothing without \`TENANCY_OWNER_KEY\`, which may be missing by mistake.
An empty value counts as not set. Nothing was sent.`,
});

/** An object was made under an owner key that this run does not have: taken in by its id only. */
export const otherOwnerKey = problem<{ noun: string; key: string; id: string }>({
  code: "TENANCY_OTHER_OWNER_KEY",
  title: "An object exists already under another owner key",
  summary: ({ noun, key, id }) =>
    `${noun} ${JSON.stringify(key)} (id ${id}) was made under an owner key that this run does not have`,
  detail: "It is another owner's, or was made under a key of this owner that this run does not have.",
  advice: ({ id }) => `Only if no other owner manages it, name it by its id: ${JSON.stringify(id)}.`,
  explain: `
The uuid of the object has version 8, as uuids have that are made under an owner key, and this owner does not manage it. Either another owner manages it, or we
made it under a key that is lost: nobody can tell these apart. So a name is not enough to take it in or to remove it; its id or serial is, with a
warning. Make sure first that no other stack manages it: two owners of one object would undo each other's work. If the key is not lost, give it
as \`TENANCY_OWNER_KEY\`, or as \`TENANCY_PREVIOUS_OWNER_KEY\` when there is a newer one.`,
});

/** A warning: an owner key without an owner does nothing (Terraform only). */
export const ownerKeyUnused = warning({
  code: "TENANCY_OWNER_KEY_UNUSED",
  title: "The owner key has no effect because there is no owner",
  summary: "the owner key has no effect, because there is no owner",
  advice: "Set `owner` in the provider's configuration (TENANCY_OWNER), or unset TENANCY_OWNER_KEY.",
  explain: `
\`TENANCY_OWNER_KEY\` is set, and the provider has no \`owner\`. Uuids are made of the owner's name and the key together; without an owner they
are random, and nothing can be recognised by them. Under Terraform that is allowed, because its state knows what is ours.`,
});

/** Most records that the warning names. */
const MOST = 10;

/**
 * A warning: records whose uuids anybody could have chosen count as managed. The fact: text of their keys, as far as they are known; undefined
 * where nobody has looked.
 */
export const unkeyedRecords = warning<readonly string[] | undefined>({
  code: "TENANCY_UNKEYED_RECORDS",
  title: "Records without an owner key count as managed in this run",
  summary: "records without an owner key count as managed in this run, and anybody may have made their uuids",
  detail: (records) => {
    if (records?.length === 0) return "There are none any more.";
    if (records === undefined) return undefined;
    const more = records.length > MOST ? `, and ${records.length - MOST} more` : "";
    return `${records.length === 1 ? "It is" : "They are"} ${records.slice(0, MOST).join(", ")}${more}.`;
  },
  advice: (records) =>
    records?.length === 0
      ? "Unset TENANCY_PREVIOUS_OWNER_KEY."
      : "When the move to the owner key is done, unset TENANCY_PREVIOUS_OWNER_KEY.",
  explain: `
\`TENANCY_PREVIOUS_OWNER_KEY=none\` makes records managed whose uuids follow from the owner's name alone, as they were made before there was an
owner key. Somebody who may choose uuids can make such a record too: it would be taken for ours, changed and deleted as ours. So this is for
the time of the move: go through the records that the warning names, write the \`uuid\` of those that stay into their declarations, make the
others anew, and unset the variable.`,
});

/** Plans, creates, updates and deletes user profiles. */
import { type Diagnostic, primaryProfile } from "../../problems";
import { createBody } from "../../schema";
import { type Connection, isPrimary, type Snapshot } from "../../service";
import { hexOfSharedSecret, isList, isObject, type ObjectValue } from "../../values";
import type {
  CreateRequest,
  DeleteRequest,
  Outcome,
  Proposal,
  ProposeContext,
  LookupResult,
  UpdateRequest,
} from "../family";
import {
  type Asked,
  askedByChanges,
  atAttributes,
  bodyOf,
  chosenUuid,
  createRecord,
  dispatchOf,
  filled,
  idIn,
  idOf,
  isEmpty,
  isWhole,
  listsBeforeCreates,
  outcomeOfCreate,
  outcomeOfUpdate,
  proposeRecord,
  readKnown,
  requireUnchanged,
  settled,
  text,
} from "../record";
import { loginOf, userProfile } from "./description";
import { inventory, keyOf, kind, profileState } from "./inventory";

/** What is planned for a user profile. */
export function proposeProfile(
  config: ObjectValue,
  prior: ObjectValue | null,
  context: Partial<ProposeContext> = {},
): Proposal {
  return proposeRecord(userProfile.attributes, config, prior, context, {
    who: ({ username }, live) => text(live?.["login"]) ?? text(username) ?? "",
    adjust: (planned, live) =>
      unsetsPassword(config) && live["password_set"] === true ? { ...planned, password_set: false } : planned,
  });
}

/** Whether the password is to be taken away. */
function unsetsPassword(config: ObjectValue): boolean {
  const unset = config["unset"];
  return isList(unset) && unset.includes("password_wo");
}

/** Creating a user profile (spec 4.4). */
export async function createProfile(connection: Connection, request: CreateRequest): Promise<Outcome> {
  const { config } = request;
  const { attributes } = userProfile;
  const { owners, client } = connection;
  const planned = filled(attributes, request.planned, proposeProfile(config, null).planned);
  const username = text(config["username"]) ?? "";
  const account = await accountNameOf(connection, config);
  const key = keyOf(account, username);
  const login = loginOf(username, account);
  const uuid = text(config["uuid"]);
  const body = withHexSecret(createBody(attributes, planned, config));
  const made = await createRecord(kind, connection, {
    text: login,
    uuid,
    locate: (snapshot): LookupResult => inventory.locate(config, snapshot, owners),
    doubt: (snapshot) => inventory.doubt(isListed(config, snapshot) ? key : undefined, snapshot),
    body: (generation) => ({ ...body, uuid: chosenUuid(uuid, key, owners, generation) }),
  });
  const look = async () => ({ self: (await client.profiles.get(idOf(made.record))).record });
  const first = isWhole(made.record, kind.members) ? { self: made.record } : undefined;
  return outcomeOfCreate(
    {
      noun: userProfile.noun,
      text: login,
      attributes,
      planned,
      config,
      first,
      look,
      deny: (_records, rights) => client.profiles.update(idOf(made.record), rights),
      stateOf: profileState,
    },
    made,
  );
}

/** A request's body with the shared secret of its second factor as the service takes it: authenticators show it otherwise. */
function withHexSecret(body: ObjectValue): ObjectValue {
  const twoFactor = body["two_factor"] ?? null;
  const secret = isObject(twoFactor) ? text(twoFactor["secret"]) : undefined;
  if (!isObject(twoFactor) || secret === undefined) return body;
  return { ...body, two_factor: { ...twoFactor, secret: hexOfSharedSecret(secret) ?? secret } };
}

/**
 * Name of the account that the profile belongs to: the caller's own where none is declared. An account that the lists lack may have
 * been made since they were read.
 */
async function accountNameOf(connection: Connection, config: ObjectValue): Promise<string> {
  const snapshot = await listsBeforeCreates(connection);
  const id = text(config["account_id"]);
  if (id === undefined) return snapshot.callerAccount?.name ?? "";
  const listed = snapshot.account(id);
  return listed?.name ?? (await connection.client.accounts.get(id)).record.name ?? "";
}

/** An account that this run has made is not in the lists that were read before. */
function isListed(config: ObjectValue, snapshot: Snapshot): boolean {
  const id = text(config["account_id"]);
  return id === undefined || snapshot.account(id) !== undefined;
}

/** Changing a user profile in place, by a PATCH of just the changed members (design: What is managed). */
export async function updateProfile(connection: Connection, request: UpdateRequest): Promise<Outcome> {
  const { attributes } = userProfile;
  const { prior, config } = request;
  const { client, directory } = connection;
  const planned = filled(attributes, request.planned, proposeProfile(config, prior).planned);
  const dispatch = dispatchOf(attributes, planned, request);
  const takesPassword = takesPasswordAway(config, prior);
  const body = withHexSecret({
    ...bodyOf(attributes, dispatch, config, "self"),
    ...(takesPassword && { password: null }),
  });
  if (isEmpty(body)) return { state: settled(attributes, planned, prior), diagnostics: [] };
  const id = idIn(prior);
  const login = text(prior["login"]) ?? id;
  const look = () => readKnown(kind, connection, prior);
  if (request.expected !== "judged") requireUnchanged(kind, await look(), prior, request.expected);
  try {
    const answer = await atAttributes(attributes, () => client.profiles.update(id, body));
    const { record } = answer;
    const first = record && isWhole(record, kind.members) ? { self: record } : undefined;
    const written = {
      noun: userProfile.noun,
      text: login,
      attributes,
      planned,
      first,
      look: async () => ({ self: await look() }),
      stateOf: profileState,
    };
    const asked = [...askedByChanges(dispatch.changes), ...(takesPassword ? [NO_PASSWORD] : [])];
    return await outcomeOfUpdate(written, prior, asked);
  } finally {
    directory.invalidate();
  }
}

/** The question to the service when the password is removed. */
const NO_PASSWORD: Asked = {
  path: ["password_set"],
  attribute: userProfile.attributes["password_set"]!,
  value: false,
};

/** Only where there is one, or where that cannot be known and the user has just asked for it. */
function takesPasswordAway(config: ObjectValue, prior: ObjectValue): boolean {
  if (!unsetsPassword(config)) return false;
  const set = prior["password_set"] ?? null;
  return set === true || (set === null && !unsetsPassword(prior));
}

/** Deleting a user profile. */
export async function deleteProfile(
  { client, directory }: Connection,
  { prior, expected }: DeleteRequest,
): Promise<readonly Diagnostic[]> {
  const id = idIn(prior);
  const record = (await client.profiles.find(id))?.record;
  if (record === undefined) return [];
  const login = text(record.login) ?? id;
  requireUnchanged(kind, record, prior, expected);
  const accountId = text(record.account_id);
  const account = accountId === undefined ? undefined : await directory.account(accountId);
  if (isPrimary(record, account)) throw primaryProfile.error(login);
  try {
    await client.profiles.delete(id, accountId === undefined ? {} : { accountId });
  } finally {
    directory.invalidate();
  }
  return [];
}

/** Creating a user profile (spec 4.4). */
import { createBody } from "../../schema";
import type { ObjectValue } from "../../values";
import type { Snapshot } from "../directory";
import type { Connection, CreateRequest, Outcome, Sought } from "../family";
import { listsBeforeCreates } from "../record/creation";
import { chosenUuid, createRecord } from "../record/create";
import { filled } from "../record/fill";
import { isWhole, text } from "../record/members";
import { outcomeOfCreate } from "../record/outcome";
import { idOf } from "../record/seek";
import { userProfile } from "./description";
import { inventory, keyOf, profileState } from "./inventory";
import { kind } from "./kind";
import { loginOf } from "./login";
import { proposeProfile } from "./propose";

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
  const body = createBody(attributes, planned, config);
  const made = await createRecord(kind, connection, {
    text: login,
    uuid,
    locate: (snapshot): Sought => inventory.locate(config, snapshot, owners),
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

/** Creating an account, and with it its primary user profile (spec 4.3). */
import type { AccountRecord } from "../../api";
import { createBody } from "../../schema";
import type { ObjectValue } from "../../values";
import type { Connection, CreateRequest, Outcome, Records } from "../family";
import { chosenUuid, createRecord } from "../record/create";
import { filled } from "../record/fill";
import { isWhole, text } from "../record/members";
import { outcomeOfCreate } from "../record/outcome";
import { idOf } from "../record/seek";
import { account } from "./description";
import { accountState, inventory, keyOf } from "./inventory";
import { kind } from "./kind";
import { proposeAccount } from "./propose";

export async function createAccount(connection: Connection, request: CreateRequest): Promise<Outcome> {
  const { config } = request;
  const { attributes } = account;
  const { owners } = connection;
  const planned = filled(attributes, request.planned, proposeAccount(config, null).planned);
  const name = text(config["name"]) ?? "";
  const key = keyOf(name);
  const uuid = text(config["uuid"]);
  const primary = { kind: "primary", names: [name] };
  const body = createBody(attributes, planned, config);
  const made = await createRecord(kind, connection, {
    text: name,
    uuid,
    locate: (snapshot) => inventory.locate(config, snapshot, owners),
    doubt: (snapshot) => inventory.doubt(key, snapshot),
    body: (generation) => ({
      ...body,
      uuid: chosenUuid(uuid, key, owners, generation),
      user_uuid: chosenUuid(text(config["user_uuid"]), primary, owners, generation),
    }),
  });
  // The answer to the POST serves for the first look, where it is the whole record.
  let answer = isWhole(made.record, kind.members) ? made.record : undefined;
  const look = async () => {
    const self = answer;
    answer = undefined;
    return lookAt(connection, made.record, self);
  };
  const written = {
    noun: account.noun,
    text: name,
    attributes,
    planned,
    config,
    first: undefined,
    look,
    deny: async ({ primary }: Records, rights: ObjectValue) =>
      primary && connection.client.profiles.update(idOf(primary), rights),
    stateOf: accountState,
  };
  return outcomeOfCreate(written, made);
}

/**
 * Both records of an account, as they are now.
 * @param read its own record, where that was read already
 */
export async function lookAt(
  { client }: Connection,
  known: AccountRecord,
  read?: AccountRecord,
): Promise<Records> {
  const self = read ?? (await client.accounts.get(idOf(known))).record;
  const profile = text(self.admin_profile_id) ?? text(known.admin_profile_id);
  const primary = profile === undefined ? undefined : (await client.profiles.find(profile))?.record;
  return { self, primary };
}

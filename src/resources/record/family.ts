/** Makes a family of its description and hooks: what both engines call, for any family of records. */
import type { CommonRecord } from "../../api";
import { type Finding, noSuchObject, primaryProfile } from "../../problems";
import type { Connection } from "../../service";
import { type ObjectValue, textOf } from "../../values";
import type { DataSource, DeleteRequest, Family, ListedResource, Outcome } from "../family";
import { createRecord } from "./create";
import { inventoryOf } from "./inventory";
import {
  ACCOUNT,
  clientDefaults,
  idIn,
  isInAccount,
  type RecordFamily,
  type RecordKind,
  titleOf,
} from "./kind";
import { checkRecord, foresee, proposeRecord } from "./plan";
import { requireUnchanged, unlessGone, updateRecord } from "./update";

/** @param dataSources what can only be read */
export function makeFamily<T extends CommonRecord>(
  family: RecordFamily<T>,
  dataSources: readonly DataSource[] = [],
): Family & { readonly resource: ListedResource } {
  const kind: RecordKind = { ...family, inventory: inventoryOf(family) };
  const { description, inventory, container } = kind;
  return {
    resource: {
      description,
      inventory,
      ...(container && { container }),
      check: (config) => checkRecord(description.attributes, config),
      propose: (config, prior, context) => proposeRecord(kind, config, prior, context),
      read: (connection, prior) => readRecord(kind, connection, prior),
      import: (connection, id) => importRecord(kind, connection, id),
      foresee: (connection, config, replaced) => foresee(kind, connection, config, replaced),
      verify: (connection, config, live) => kind.verify?.(connection, config, live),
      mayDelete: async (connection, request) => (await kind.mayDelete?.(connection, request)) ?? [],
      create: (connection, request) => createRecord(kind, connection, request),
      update: (connection, request) => updateRecord(kind, connection, request),
      delete: (connection, request) => deleteRecord(kind, connection, request),
    },
    dataSources,
  };
}

/** Reads an object that is known, with its part. */
async function readRecord(
  kind: RecordKind,
  connection: Connection,
  prior: ObjectValue,
): Promise<Outcome | undefined> {
  const { client, directory } = connection;
  const { part } = kind;
  const listed = await directory.record(kind.description.name, idIn(prior), kind.endpoint(client));
  const self = listed ?? (await unlessGone(kind, connection, prior));
  if (self === undefined) return undefined;
  const partId = part && textOf(self[part.id]);
  const primary =
    part && partId !== undefined
      ? await directory.record(part.of.description.name, partId, part.of.endpoint(client))
      : undefined;
  const records = { self, primary };
  return { state: kind.inventory.stateOf(records, prior), records, findings: [] };
}

/**
 * Imports by id, serial number or natural key.
 * @throws noSuchObject, otherOwner, primaryProfile
 */
async function importRecord(
  { inventory, description, shownAs = "key" }: RecordKind,
  { directory, owners }: Connection,
  idOrKey: string,
): Promise<Outcome> {
  const lookup = inventory.locateById(idOrKey, await directory.snapshot(), owners);
  if (lookup.kind === "refused") throw lookup.error;
  if (lookup.kind !== "live")
    throw noSuchObject.error({
      noun: description.noun,
      how: `the id, serial or ${shownAs} ${JSON.stringify(idOrKey)}`,
    });
  const state = inventory.stateOf(lookup.records, clientDefaults(description.attributes));
  return { state, records: lookup.records, findings: lookup.warnings };
}

async function deleteRecord(
  kind: RecordKind,
  connection: Connection,
  request: DeleteRequest,
): Promise<readonly Finding[]> {
  const { client, directory } = connection;
  const { prior, expected } = request;
  const id = idIn(prior);
  const record = await kind.endpoint(client).find(id);
  if (record === undefined) return [];
  requireUnchanged(kind, record, prior, expected);
  const accountId = isInAccount(kind) ? textOf(record[ACCOUNT]) : undefined;
  if (kind.isPart !== undefined && accountId !== undefined)
    if (kind.isPart(record, await directory.account(accountId)))
      throw primaryProfile.error(titleOf(kind, record) ?? id);
  await kind.beforeDelete?.(connection, record, request);
  try {
    await kind.endpoint(client).delete(id, accountId === undefined ? {} : { accountId });
  } finally {
    directory.invalidate();
  }
  return [];
}

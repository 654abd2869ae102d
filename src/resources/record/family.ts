/** Makes a family of its description and hooks: the interface of both engines, for any family of records. */
import type { CommonRecord } from "../../api";
import { notVerified, type Finding, noSuchObject, primaryProfile } from "../../problems";
import type { Connection } from "../../service";
import { type ObjectValue, textOf } from "../../lib/values";
import type { DataSource, DeleteRequest, Family, RecordResource, Outcome } from "../family";
import { createRecord } from "./create";
import { listingOf } from "./data-sources";
import { inventoryOf } from "./inventory";
import { goneWithId } from "../identity";
import {
  ACCOUNT_ID,
  clientDefaults,
  idOfState,
  isInAccount,
  knownId,
  type RecordFamily,
  type ListedRecordFamily,
  titleOf,
} from "./kind";
import { absent, checkRecord, defaultAccount, foresee, proposeRecord } from "./plan";
import { requireUnchanged, unlessGone, updateRecord } from "./update";

/** @param dataSources the read-only parts */
export function makeFamily<T extends CommonRecord>(
  recordFamily: RecordFamily<T>,
  dataSources: readonly DataSource[] = [],
): Family & { readonly resource: RecordResource } {
  const family: ListedRecordFamily = { ...recordFamily, inventory: inventoryOf(recordFamily) };
  const { description, inventory, container, shownAs } = family;
  return {
    resource: {
      kind: "record",
      description,
      inventory,
      ...(shownAs !== undefined && { listing: listingOf({ ...family, shownAs }) }),
      ...(container && { container }),
      check: (config) => checkRecord(description.attributes, config),
      propose: (config, prior, context) => proposeRecord(family, config, prior, context),
      read: (connection, prior) => readRecord(family, connection, prior),
      import: (connection, id) => importRecord(family, connection, id),
      checkBeforeCreate: (connection, config, replacedState) =>
        foresee(family, connection, config, replacedState),
      ...(isInAccount(family) && {
        defaultAccount: (connection: Connection, config: ObjectValue) =>
          defaultAccount(family, connection, config),
      }),
      mayDelete: async (connection, request) => (await family.mayDelete?.(connection, request)) ?? [],
      create: (connection, request) => createRecord(family, connection, request),
      update: (connection, request) => updateRecord(family, connection, request),
      delete: (connection, request) => deleteRecord(family, connection, request),
    },
    dataSources,
  };
}

/** Reads an object that is known, with its part. */
async function readRecord(
  family: ListedRecordFamily,
  connection: Connection,
  prior: ObjectValue,
): Promise<Outcome | undefined> {
  const { client, directory } = connection;
  const { part } = family;
  const id = knownId(prior);
  const self =
    id === undefined
      ? await listedByUuid(family, connection, prior)
      : ((await directory.record(family.description.name, id, family.endpoint(client))) ??
        (await unlessGone(family, connection, prior)));
  if (self === undefined) return undefined;
  const partId = part && textOf(self[part.id]);
  const primary =
    part && partId !== undefined
      ? await directory.record(part.of.description.name, partId, part.of.endpoint(client))
      : undefined;
  const records = { self, primary };
  return { state: family.inventory.stateOf(records, prior, connection.now()), records, findings: [] };
}

/** An object whose id is missing after its create: neither the answer nor the lists had it. */
async function listedByUuid(
  family: ListedRecordFamily,
  { directory }: Connection,
  prior: ObjectValue,
): Promise<CommonRecord | undefined> {
  const { description, inventory } = family;
  const snapshot = await directory.snapshot();
  const liveRecord = snapshot.listOf(description.name).find("uuid", textOf(prior["uuid"]) ?? "");
  const unproven = liveRecord === undefined ? inventory.unprovenAbsence(undefined, snapshot) : undefined;
  if (unproven === undefined) return liveRecord;
  throw notVerified.error(absent(description.noun, titleOf(family, prior) ?? "", unproven));
}

/**
 * Imports by id, serial number or natural key.
 * @throws noSuchObject, primaryProfile
 */
async function importRecord(
  { inventory, description, shownAs = "key" }: ListedRecordFamily,
  { directory }: Connection,
  idOrKey: string,
): Promise<Outcome> {
  const lookup = inventory.locateById(idOrKey, await directory.snapshot());
  if (lookup.kind === "refused") throw lookup.error;
  if (lookup.kind !== "live")
    throw noSuchObject.error({
      noun: description.noun,
      how: `the id, serial or ${shownAs} ${JSON.stringify(idOrKey)}`,
    });
  const state = inventory.stateOf(lookup.records, clientDefaults(description.attributes));
  return { state, records: lookup.records, findings: [] };
}

async function deleteRecord(
  family: ListedRecordFamily,
  connection: Connection,
  request: DeleteRequest,
): Promise<readonly Finding[]> {
  const { client, directory } = connection;
  const { description } = family;
  const { prior, expected: expectation } = request;
  const id = idOfState(prior);
  let record = await family.endpoint(client).find(id);
  if (record === undefined) {
    // A caller who cannot see it, or a node that lags, says the same of a record that is live (design: Complete lists).
    directory.invalidate();
    record = await unlessGone(family, connection, prior);
  }
  if (record === undefined) return [];
  const refusalFindings = goneWithId(description.noun, titleOf(family, prior) ?? id, { live: record, prior });
  if (refusalFindings !== undefined) return [refusalFindings];
  requireUnchanged(family, { self: record }, prior, expectation);
  const accountId = isInAccount(family) ? textOf(record[ACCOUNT_ID]) : undefined;
  if (family.isPart !== undefined && accountId !== undefined)
    if (family.isPart(record, await directory.account(accountId)))
      throw primaryProfile.error(titleOf(family, record) ?? id);
  await family.beforeDelete?.(connection, record, request);
  try {
    await family.endpoint(client).delete(id, accountId === undefined ? {} : { accountId });
  } finally {
    directory.invalidate();
  }
  return [];
}

/** Binds a family's resource to the runtime. */
import { invalidValue, movedOn, notImportable } from "../../problems";
import {
  fillPlanned,
  type Outcome,
  type Resource,
  type TokenKeeper,
  type UpdateRequest,
} from "../../resources";
import { diff } from "../../schema";
import type { Connection } from "../../service";
import { type ObjectValue, textOf, type Value } from "../../values";
import type {
  Call,
  CreateRequest,
  DiagnosticsResult,
  Identity,
  ImportResult,
  ReadRequest,
  ReadResult,
  ResourceDefinition,
  UpdateRequest as UpdateCall,
  WriteResult,
} from "../runtime";
import { planDelete, planObject } from "./plan";
import { grantedOf, type Notes, notesOf, notesOnDeclared, privateStateOf, withDeclaredRights } from "./notes";
import { type Bound, conformedConfig, findingsIn, schemaOf, type Service } from "./service";
import { toTerraform } from "./words";

/** A managed resource: one of the families' resources, as Terraform leads it through its life. */
export function bindResource(resource: Resource, service: Service): ResourceDefinition {
  const bound: Bound = { resource, service };
  return {
    get schema() {
      return schemaOf(resource.description);
    },
    // A token has none: it cannot be imported, and a rotation gives it another serial.
    ...(resource.import !== undefined && { identity: recordIdentity }),
    validate: (raw) => {
      service.writtenPermissions.note(resource, raw);
      return { diagnostics: toTerraform(findingsIn(resource, raw)) };
    },
    plan: (request) => planObject(bound, request),
    planDelete: ({ prior }) => planDelete(bound, prior),
    read: (request) => readObject(bound, request),
    create: (request, call) => createObject(bound, request, call),
    update: (request, call) => updateObject(bound, request, call),
    delete: ({ prior }) => deleteObject(bound, prior),
    import: (id) => importObject(bound, id),
  };
}

/** Creating, changing and deleting an object, as it was planned. */
async function createObject(
  bound: Bound,
  { planned, config: raw }: CreateRequest,
  call: Call,
): Promise<WriteResult> {
  const { resource, service } = bound;
  const config = conformedConfig(resource, raw);
  const connection = service.connectionForWrite();
  const request = {
    planned: completePlan(resource, planned, config, null, {}),
    config,
    keeper: keeperFor(call),
  };
  const outcome = await resource.create(connection, request);
  if (call.isLost) await resource.takeBack?.(connection, null, outcome.state);
  return writeResultOf(bound, config, outcome, {});
}

async function updateObject(
  bound: Bound,
  { prior, planned, config: raw, private: privateState }: UpdateCall,
  call: Call,
): Promise<WriteResult> {
  const { resource, service } = bound;
  const { seq, imported = false, notedAt, granted } = notesOf(privateState);
  const config = conformedConfig(resource, raw);
  const request = {
    prior,
    planned: completePlan(resource, planned, config, prior, { notedAt }),
    config,
    asOf: notedAt,
    granted,
    recordVersions: imported,
    keeper: keeperFor(call),
  };
  const connection = service.connectionForWrite();
  const outcome = await updateUnlessMoved(bound, connection, request, seq);
  if (call.isLost) await resource.takeBack?.(connection, prior, outcome.state);
  return writeResultOf(bound, config, outcome, { seq, notedAt, granted });
}

/** The planned object. Its unknowns that the configuration decides are known by now, and are filled in. */
function completePlan(
  resource: Resource,
  planned: ObjectValue,
  config: ObjectValue,
  prior: ObjectValue | null,
  { notedAt }: Pick<Notes, "notedAt">,
): ObjectValue {
  const anew = resource.propose(config, prior, { asOf: notedAt }).planned;
  return fillPlanned(resource.description.attributes, planned, anew);
}

/**
 * Terraform keeps tokens in its state, once it has the answer. A token that nobody will receive is revoked before those that it replaces are.
 */
function keeperFor(call: Call): TokenKeeper {
  const unlessLost = () => (call.isLost ? Promise.reject(new Error("Terraform is gone")) : Promise.resolve());
  const intent = { keep: unlessLost, drop: () => Promise.resolve() };
  return { intend: () => unlessLost().then(() => intent) };
}

async function deleteObject({ resource, service }: Bound, prior: ObjectValue): Promise<DiagnosticsResult> {
  return { diagnostics: toTerraform(await resource.delete(service.connectionForWrite(), { prior })) };
}

/** A record that was written to since it was read is read again; the plan still holds where it would be the same. */
async function updateUnlessMoved(
  { resource }: Bound,
  connection: Connection,
  request: UpdateRequest,
  seq: Notes["seq"],
): Promise<Outcome> {
  const { inventory } = resource;
  if (inventory === undefined || seq === undefined) return resource.update(connection, request);
  const { prior } = request;
  const identity = inventory.expectation({ self: prior });
  try {
    return await resource.update(connection, { ...request, expected: { ...identity, seq } });
  } catch (error) {
    if (!movedOn.is(error)) throw error;
    connection.directory.invalidate();
    const now = await resource.read(connection, prior);
    if (now === undefined || diff(resource.description.attributes, prior, now.state).length > 0) throw error;
    const expected = { ...identity, seq: sequenceIn(resource, now) };
    return resource.update(connection, { ...request, expected });
  }
}

function writeResultOf(
  { resource }: Bound,
  config: ObjectValue,
  outcome: Outcome,
  notes: Notes,
): WriteResult {
  const { state, findings } = outcome;
  const seq = outcome.records === undefined ? notes.seq : sequenceIn(resource, outcome);
  const { granted = notes.granted, ...declared } = notesOnDeclared(resource, config, outcome);
  return {
    state,
    private: privateStateOf({ ...notes, seq, ...declared, granted }),
    diagnostics: toTerraform(findings),
  };
}

/** Refreshing an object. */
async function readObject(
  { resource, service }: Bound,
  { state: prior, private: privateState }: ReadRequest,
): Promise<ReadResult> {
  const { connection } = service;
  if (connection === undefined) return { diagnostics: toTerraform(service.stateUnchecked()) };
  const notes = notesOf(privateState);
  const outcome = await resource.read(connection, withDeclaredRights(prior, notes));
  if (outcome === undefined) return { state: null };
  const { state, findings } = outcome;
  const notedAt = resource.ages?.(state) === true ? connection.now() : undefined;
  return {
    state,
    private: privateStateOf({
      ...notes,
      seq: sequenceIn(resource, outcome),
      notedAt,
      granted: grantedOf(resource.description.attributes, outcome) ?? notes.granted,
    }),
    diagnostics: toTerraform(findings),
  };
}

// Imports.

/** @throws notImportable, providerNotYetKnown, noSuchObject, … */
async function importObject({ resource, service }: Bound, id: string): Promise<ImportResult> {
  if (resource.import === undefined) throw notImportable.error(resource.description.type);
  const outcome = await resource.import(service.requireConnection("so nothing can be imported"), id);
  const { state, findings } = outcome;
  const recordId = textOf(state["id"]);
  if (recordId !== undefined) service.imported.add(recordId);
  const { attributes } = resource.description;
  const granted = grantedOf(attributes, outcome);
  const notes = { imported: true, seq: sequenceIn(resource, outcome), granted };
  return {
    imported: [
      { state, private: privateStateOf("permissions" in attributes ? { ...notes, rights: [] } : notes) },
    ],
    diagnostics: toTerraform(findings),
  };
}

/**
 * What stays the same for a record's whole life. Names do not: others may rename an account, and then each login in it changes. Nor does a
 * uuid: the service lets others change it, and a user may declare another one. Either member says which record is meant.
 */
const recordIdentity: Identity = {
  attributes: {
    id: { type: "string", description: "Id at this service, of the form `<type>:<n>:<n>`." },
    serial: { type: "string", description: "Serial number." },
  },
  of: ({ id = null, serial = null }) => ({ id, serial }),
  idFor: wantedRecord,
};

/** @throws invalidValue */
function wantedRecord({ id, serial }: ObjectValue): string {
  const wanted = filledText(serial) ?? filledText(id);
  if (wanted !== undefined) return wanted;
  throw invalidValue.error("an identity needs id or serial", {
    advice:
      "Write at least one of them. To import by name or login, write `id = ` in the import block itself, without `identity`.",
  });
}

function filledText(value: Value | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Sequence number of the record that an outcome is about, where it shows one. */
function sequenceIn({ inventory }: Resource, { records }: Outcome): number | bigint | undefined {
  return records === undefined ? undefined : inventory?.expectation(records).seq;
}

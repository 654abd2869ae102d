/** Binds a family's resource to the runtime. */
import { type Finding, invalidValue, notImportable, secretWithoutVersion, tokenMayEnd } from "../problems";
import {
  type Expectation,
  fillPlanned,
  goneWithId,
  type Outcome,
  type Resource,
  type TokenKeeper,
  updatesPassword,
} from "../resources";
import { diff, versionPath, writeOnlyAttributes } from "../schema";
import { formatPath, type ObjectValue, textOf, type Value, valueAt } from "../lib/values";
import type {
  Call,
  CreateRequest,
  DeleteRequest as DeleteCall,
  DiagnosticsResult,
  Identity,
  ImportResult,
  ReadRequest,
  ReadResult,
  ResourceDefinition,
  UpdateRequest as UpdateCall,
  WriteResult,
} from "../lib/plugin-runtime";
import { deletionOf, keyOf, refusalsOfRotation, refusalsOfSelfChange } from "./guards";
import { isFirstVersion, planDelete, planObject } from "./plan";
import {
  grantedOf,
  type Notes,
  notesOf,
  notesOnDeclared,
  notesOnPassword,
  notesOnRefreshedPassword,
  privateStateOf,
  withDeclaredRights,
} from "./notes";
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
      return {
        diagnostics: toTerraform([...findingsIn(resource, raw), ...secretsWithoutVersion(resource, raw)]),
      };
    },
    plan: (request) => planObject(bound, request),
    planDelete: (request) => planDelete(bound, request),
    read: (request) => readObject(bound, request),
    create: (request, call) => createObject(bound, request, call),
    update: (request, call) => updateObject(bound, request, call),
    delete: (request) => deleteObject(bound, request),
    import: (id) => importObject(bound, id),
  };
}

/** A record's write-only values that no version sends again. A token's password is used when the token is created, and never again. */
function secretsWithoutVersion(
  { description: { attributes }, kind }: Resource,
  raw: ObjectValue,
): readonly Finding[] {
  if (kind === "token") return [];
  return writeOnlyAttributes(attributes)
    .filter(({ path }) => isGiven(valueAt(raw, path)) && !isGiven(valueAt(raw, versionPath(path))))
    .map(({ path }) => secretWithoutVersion.at(formatPath(path), { attribute: path }));
}

function isGiven(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
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
  if (call.isLost) await resource.undoCreate?.(connection, null, outcome.state);
  return writeResultOf(bound, config, outcome, {});
}

async function updateObject(
  bound: Bound,
  { prior, planned, config: raw, private: privateState }: UpdateCall,
  call: Call,
): Promise<WriteResult> {
  const { resource, service } = bound;
  const { seq, partSeq, imported = false, notedAt, granted } = notesOf(privateState);
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
  const allChanges = diff(resource.description.attributes, prior, request.planned);
  const changes = imported ? allChanges.filter((change) => !isFirstVersion(change)) : allChanges;
  const refusals = [
    ...(await refusalsOfSelfChange(bound, connection, {
      action: "update",
      before: prior,
      after: request.planned,
      changes,
      asOf: notedAt,
    })),
    ...refusalsOfRotation(connection, prior, request.planned),
  ];
  if (refusals.length > 0) return { diagnostics: toTerraform(refusals) };
  const expected = expectationOf(resource, prior, { seq, partSeq });
  const outcome = await resource.update(connection, { ...request, expected });
  if (call.isLost) await resource.undoCreate?.(connection, prior, outcome.state);
  // Terraform does not call the provider for a token that stays as it is, so nobody tries the user's tokens.
  const mayEnd = updatesPassword({ action: "update", before: prior, attributes: changes })
    ? [tokenMayEnd.at(keyOf(prior))]
    : [];
  const findings = [...outcome.findings, ...mayEnd];
  return writeResultOf(bound, config, { ...outcome, findings }, { seq, partSeq, notedAt, granted });
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

async function deleteObject(
  bound: Bound,
  { prior, private: privateState }: DeleteCall,
): Promise<DiagnosticsResult> {
  const { resource, service } = bound;
  const connection = service.connectionForWrite();
  const refusals = await refusalsOfSelfChange(bound, connection, deletionOf(prior));
  if (refusals.length > 0) return { diagnostics: toTerraform(refusals) };
  const { seq } = notesOf(privateState);
  // The plan has warned of members that it does not show; where no number was noted, the record goes as it is.
  const expected = seq === undefined ? undefined : expectationOf(resource, prior, { seq });
  const findings = await resource.delete(connection, { prior, expected });
  return { diagnostics: toTerraform(findings) };
}

/** What a write expects of the record that it goes to; undefined where nothing was noted of it. */
function expectationOf(
  { inventory }: Resource,
  prior: ObjectValue,
  noted: Sequences,
): Expectation | undefined {
  return inventory && { ...inventory.expectation({ self: prior }), ...noted };
}

function writeResultOf(
  { resource, service }: Bound,
  config: ObjectValue,
  outcome: Outcome,
  notes: Notes,
): WriteResult {
  const { state, findings } = outcome;
  service.secrets.addFrom(state);
  const { granted = notes.granted, ...declared } = notesOnDeclared(resource, config, outcome);
  return {
    state,
    private: privateStateOf({
      ...notes,
      ...sequencesIn(resource, outcome),
      ...notesOnPassword(outcome),
      ...declared,
      granted,
    }),
    diagnostics: toTerraform(findings),
  };
}

/** Refreshing an object. */
async function readObject(
  { resource, service }: Bound,
  { state: prior, private: privateState }: ReadRequest,
): Promise<ReadResult> {
  const { connection, secrets } = service;
  secrets.addFrom(prior);
  if (connection === undefined) return { diagnostics: toTerraform(service.stateUnchecked()) };
  const notes = notesOf(privateState);
  const outcome = await resource.read(connection, withDeclaredRights(prior, notes));
  if (outcome === undefined) return { state: null };
  const { state, findings } = outcome;
  const gone = goneWithId(resource.description.noun, keyOf(prior), { live: state, prior });
  if (gone !== undefined) return { state: null, diagnostics: toTerraform([gone]) };
  const id = textOf(state["id"]);
  if (id !== undefined && resource.kind === "record") service.refreshed.set(id, state);
  const notedAt = resource.ages?.(state) === true ? connection.now() : undefined;
  return {
    state,
    private: privateStateOf({
      ...notes,
      ...sequencesIn(resource, outcome),
      ...notesOnRefreshedPassword(prior, outcome, notes),
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
  const notes = { imported: true, ...sequencesIn(resource, outcome), granted };
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

type Sequences = Pick<Notes, "seq" | "partSeq">;

/** Sequence numbers of the records that an outcome is about; without those that it does not show. */
function sequencesIn({ inventory }: Resource, { records }: Outcome): Sequences {
  if (records === undefined) return {};
  const { seq, partSeq } = inventory?.expectation(records) ?? {};
  return { ...(seq !== undefined && { seq }), ...(partSeq !== undefined && { partSeq }) };
}

/** Binds a family's resource to the runtime. */
import { type Finding, invalidValue, notImportable, secretWithoutVersion } from "../problems";
import { plansNewToken, goneWithId, type Resource } from "../resources";
import { acceptingExtraRights } from "../service";
import { versionPath, writeOnlyAttributes } from "../schema";
import type { Connection } from "../service";
import { formatPath, type ObjectValue, textOf, type Value, valueAt } from "../lib/values";
import type {
  Identity,
  ImportResult,
  ReadRequest,
  ReadResult,
  ResourceDefinition,
} from "../lib/plugin-runtime";
import { applyDelete, applyResourceChange } from "./apply";
import { planDelete, planResourceChange } from "./plan";
import {
  notesAfterImport,
  notesAfterRefresh,
  notesOf,
  noteOfTime,
  type Notes,
  privateStateOf,
  withDeclaredRights,
} from "./private-state";
import { type Bound, findingsIn, schemaOf, type Service } from "./service";
import { keyOf, toTerraform } from "./words";

/** A managed resource: one of the families' resources, as Terraform leads it through its life. */
export function bindResource(resource: Resource, service: Service): ResourceDefinition {
  const bound: Bound = { resource, service };
  return {
    get schema() {
      return schemaOf(resource.description);
    },
    // A token has none: it cannot be imported, and a rotation gives it another serial.
    ...(resource.import !== undefined && { identity: recordIdentity }),
    validate: (config) => ({
      diagnostics: toTerraform([
        ...acceptingExtraRights(findingsIn(resource, config), service.extraRights),
        ...warningsOfUnversionedSecrets(resource, config),
      ]),
    }),
    plan: (request) => planResourceChange(bound, request),
    planDelete: (request) => planDelete(bound, request),
    read: (request) => readResource(bound, request),
    create: (request, call) => applyResourceChange(bound, { ...request, prior: null }, call),
    update: (request, call) => applyResourceChange(bound, request, call),
    delete: (request) => applyDelete(bound, request),
    import: (id) => importResource(bound, id),
  };
}

/** A record's write-only values that no version sends again. A token's password is used when the token is created, and never again. */
function warningsOfUnversionedSecrets(
  { description: { attributes }, kind }: Resource,
  config: ObjectValue,
): readonly Finding[] {
  if (kind === "token") return [];
  const isSet = (value: Value | undefined) => value !== undefined && value !== null;
  return writeOnlyAttributes(attributes)
    .filter(({ path }) => isSet(valueAt(config, path)) && !isSet(valueAt(config, versionPath(path))))
    .map(({ path }) => secretWithoutVersion.at(formatPath(path), { attribute: path }));
}

/** Refreshes an object. */
async function readResource(
  { resource, service }: Bound,
  { state: prior, private: privateState }: ReadRequest,
): Promise<ReadResult> {
  const { connection, walk, secrets } = service;
  secrets.addFrom(prior);
  if (connection === undefined) return { diagnostics: toTerraform(service.stateUnchecked()) };
  const notes = notesOf(privateState);
  const outcome = await resource.read(connection, withDeclaredRights(prior, notes));
  if (outcome === undefined) return { state: null };

  const { state, findings } = outcome;
  const warning = goneWithId(resource.description.noun, keyOf(prior), { live: state, prior });
  if (warning !== undefined) return { state: null, diagnostics: toTerraform([warning]) };

  const id = textOf(state["id"]);
  if (id !== undefined && resource.kind === "record") walk.refreshedStates.set(id, state);
  const notedAt = noteOfTime(resource, state, connection.now());
  const isWaiting = await isTokenWaiting(resource, connection, state, { ...notes, notedAt });
  const notesNow = notesAfterRefresh(resource, outcome, { state: prior, notes }, notedAt);
  return {
    state,
    private: privateStateOf({ ...notesNow, isWaiting }),
    diagnostics: toTerraform(findings),
  };
}

/** The user is read only where the next plan would create a token. */
async function isTokenWaiting(
  resource: Resource,
  connection: Connection,
  state: ObjectValue,
  { notedAt: asOf, isRotationPending: rotate }: Notes,
): Promise<boolean> {
  if (resource.kind !== "token") return false;
  const { planned } = resource.propose(state, state, { asOf, rotate });
  return plansNewToken(planned) && resource.waits(connection, state);
}

/** @throws notImportable, providerNotYetKnown, noSuchObject, … */
async function importResource({ resource, service }: Bound, id: string): Promise<ImportResult> {
  if (resource.import === undefined) throw notImportable.error(resource.description.type);
  const outcome = await resource.import(service.requireConnection("so nothing can be imported"), id);
  const { state, findings } = outcome;
  const recordId = textOf(state["id"]);
  if (recordId !== undefined) service.walk.importedIds.add(recordId);
  return {
    imported: [{ state, private: privateStateOf(notesAfterImport(resource, outcome)) }],
    diagnostics: toTerraform(findings),
  };
}

/**
 * The members that stay the same for a record's whole life. Names do not: others may rename an account, and then each login in it changes. Nor does a
 * uuid: the service lets others change it, and a user may declare another one. Either member says which record is meant.
 */
const recordIdentity: Identity = {
  attributes: {
    id: { type: "string", description: "Id at this service, of the form `<type>:<n>:<n>`." },
    serial: { type: "string", description: "Serial number." },
  },
  of: ({ id = null, serial = null }) => ({ id, serial }),
  idFor: ({ id, serial }) => {
    const text = [serial, id].find((value) => typeof value === "string" && value !== "");
    if (text !== undefined) return text as string;
    throw invalidValue.error("an identity needs id or serial", {
      advice:
        "Write at least one of them. To import by name or login, write `id = ` in the import block itself, without `identity`.",
    });
  },
};

/** Plans a change under Terraform, and judges it by the guards. */
import { deletedAsItIs, type Finding, importReplaced, tokenRotates, versionRecorded } from "../problems";
import { type AttributeChange, type Description, diff, isVersionName, secretPath } from "../schema";
import { type DefaultAccount, goneWithId, toldOfRotation } from "../resources";
import type { Connection } from "../service";
import { formatPath, isList, isObject, isUnknown, type ObjectValue, type Path, textOf } from "../lib/values";
import type { DeleteRequest, PlanDeleteResult, PlanRequest, PlanResult } from "../lib/plugin-runtime";
import {
  foresee,
  judgedAsDeleted,
  keyOf,
  losingUser,
  noteOwnToken,
  refusalsOfDelete,
  refusalsOfRotation,
  refusalsOfSecondAddress,
  refusalsOfSelfChange,
  tokenKeyOf,
} from "./guards";
import { noLongerDeclaredIn, type Notes, notesOf, passwordAppearedIn, privateStateOf } from "./notes";
import { type Bound, conformedConfig, misplacedSecrets } from "./service";
import { toTerraform } from "./words";

// Planning: the resource proposes a state, and the guards may refuse it.

/**
 * Core validates a configuration right before it has it planned, so that is not done again. A replacement comes in two
 * calls: one with the object as it is, and one for a new object, with the private state of the first.
 */
export async function planObject(
  bound: Bound,
  { prior, config: raw, private: privateState }: PlanRequest,
): Promise<PlanResult> {
  const { resource } = bound;
  bound.service.refreshed.delete(textOf(prior?.["id"]) ?? "");
  if (prior !== null) noteOwnToken(bound.service, prior);
  bound.service.secrets.addFrom(prior);
  const { replacedObject, ...notes } = notesOf(privateState);
  const config = conformedConfig(resource, raw);
  const misplaced = misplacedSecrets(bound.service, resource.description, config);
  const asOf = notes.notedAt;
  const { granted } = notes;
  const proposal = resource.propose(config, prior, { asOf, granted });
  const { action, changes, replacedBy, findings } = proposal;
  const place = prior === null ? await defaultAccount(bound, config) : undefined;
  const planned = place === undefined ? proposal.planned : { ...proposal.planned, account_id: place.id };
  if (prior !== null && Object.hasOwn(resource.description.attributes, "access_api"))
    bound.service.plannedUsers.set(keyOf(prior), planned);
  const recorded = notes.imported === true ? changes.filter(isFirstVersion) : [];
  const sent = changes.filter((change) => !recorded.includes(change));
  const undeclared = [
    ...bound.service.writtenPermissions.findings(resource, raw, prior),
    // A replacement has a warning of its own for values that nobody declares.
    ...(prior === null || action === "replace"
      ? []
      : [...noLongerDeclaredIn(resource, config, prior, notes), ...passwordAppearedIn(config, prior, notes)]),
  ];
  const refusals =
    prior === null
      ? await refusalsOfNew(bound, config, replacedObject)
      : await judgeByGuards(bound, async (connection) => [
          ...refusalsOfSecondAddress(bound, prior, action),
          ...(await refusalsOfSelfChange(bound, connection, {
            action,
            before: prior,
            after: planned,
            changes: sent,
            asOf,
          })),
          // An object that is made again in place has another id: a token that is rotated.
          ...(action === "replace" || isUnknown(planned["id"]) ? [] : losingUser(bound, prior)),
          ...(action === "update" && isUnknown(planned["id"])
            ? [
                ...findingsOnRotation(connection, prior, planned),
                ...(await foresee(bound, connection, config)),
              ]
            : []),
        ]);
  return {
    planned,
    requiresReplace: replacedBy,
    private: privateStateOf(
      prior === null
        ? // Core hands it to both halves of a replacement: the delete compares the number, the create leaves it alone.
          { seq: replacedObject === undefined ? undefined : notes.seq }
        : { ...notes, replacedObject: factsForDelete(resource.description, prior) },
    ),
    diagnostics: toTerraform([
      ...findings,
      ...(place?.findings ?? []),
      ...misplaced,
      ...undeclared,
      ...recorded.map(({ path }) => firstVersion(prior ?? {}, path)),
      ...refusals,
      ...(prior === null ? [] : replacedImport(bound, prior, replacedBy)),
    ]),
  };
}

/** Asked in the plan and again while Terraform applies: a value that a plan shows as known has to stay known. */
async function defaultAccount(
  { resource, service }: Bound,
  config: ObjectValue,
): Promise<DefaultAccount | undefined> {
  return service.connection && resource.defaultAccount?.(service.connection, config);
}

/** Refuses to replace an object that this plan imports: the user who imports it wants to keep it. */
function replacedImport(
  { resource, service }: Bound,
  prior: ObjectValue,
  replacedBy: readonly Path[],
): readonly Finding[] {
  const [first] = replacedBy;
  const id = textOf(prior["id"]);
  if (first === undefined || id === undefined || !service.imported.has(id)) return [];
  const { noun } = resource.description;
  return [importReplaced.at({ noun, key: keyOf(prior), because: formatPath(first) }, { attribute: first })];
}

export async function planDelete(
  bound: Bound,
  { prior, private: privateState }: DeleteRequest,
): Promise<PlanDeleteResult> {
  const { service } = bound;
  if (service.connection === undefined) return { diagnostics: toTerraform(service.stateUnchecked()) };
  const refusals = await judgeByGuards(bound, (connection) => refusalsOfDelete(bound, connection, prior));
  const notes = notesOf(privateState);
  const { seq, findings } = (await lookUnread(bound, prior)) ?? { seq: notes.seq, findings: [] };
  return { private: privateStateOf({ ...notes, seq }), diagnostics: toTerraform([...refusals, ...findings]) };
}

/**
 * Core may plan a delete by a state that it has not just read: Terraform 1.11 reads what is no longer declared after it has planned the delete,
 * for nothing, and a destroy is planned by another process than the one that refreshed. So the record is taken from the lists, which the
 * guards have read: the delete is for the record as it is known at the plan, and a warning tells what the plan does not show.
 * @returns undefined if this run has read the object, or nothing can be seen of it
 */
async function lookUnread(
  { resource, service }: Bound,
  prior: ObjectValue,
): Promise<{ readonly seq: Notes["seq"]; readonly findings: readonly Finding[] } | undefined> {
  const { connection, hasWritten, refreshed } = service;
  const { description, kind, inventory } = resource;
  const id = textOf(prior["id"]);
  if (id === undefined || kind === "token" || connection === undefined) return undefined;
  if (hasWritten || refreshed.has(id)) return undefined;
  if (inventory.listed(id, await connection.directory.snapshot()) === undefined) return undefined;
  const now = await resource.read(connection, prior);
  if (now?.records === undefined) return undefined;
  const gone = goneWithId(description.noun, keyOf(prior), { live: now.state, prior });
  if (gone !== undefined) return { seq: undefined, findings: [gone] };
  const changed = diff(description.attributes, prior, now.state).map(({ path }) => formatPath(path));
  return {
    seq: inventory.expectation(now.records).seq,
    findings:
      changed.length === 0 ? [] : [deletedAsItIs.at({ noun: description.noun, key: keyOf(prior), changed })],
  };
}

/** @param replacedObject the object that is deleted first, if this is a replacement */
function refusalsOfNew(
  bound: Bound,
  config: ObjectValue,
  replacedObject: ObjectValue | undefined,
): Promise<readonly Finding[]> {
  return judgeByGuards(bound, async (connection) => {
    if (replacedObject !== undefined)
      return [
        ...(await refusalsOfDelete(bound, connection, replacedObject, { isReplaced: true })),
        ...(await foresee(bound, connection, config, replacedObject)),
      ];
    const foreseen = await foresee(bound, connection, config);
    return foreseen.length === 0 ? [] : ((await judgedAsDeleted(bound, connection, config)) ?? foreseen);
  });
}

/**
 * Judges nothing while Terraform applies: Core plans each object once more then. The guards were judged in the plan, the first write may
 * have changed what was live, and each write looks for itself.
 */
async function judgeByGuards(
  { service }: Bound,
  judge: (connection: Connection) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { connection, hasWritten } = service;
  return connection === undefined || hasWritten ? [] : judge(connection);
}

// What a plan tells of tokens and passwords.

/** What the rotation does, or why it may not. */
function findingsOnRotation(
  connection: Connection,
  before: ObjectValue,
  after: ObjectValue,
): readonly Finding[] {
  const refusals = refusalsOfRotation(connection, before, after);
  if (refusals.length > 0) return refusals;
  const told = toldOfRotation(before, after, connection.now());
  return [tokenRotates.at({ key: tokenKeyOf(before), told })];
}

/** The first version of a secret of an imported object is only noted: the object may have the value already. */
export function isFirstVersion({ path, before, after }: AttributeChange): boolean {
  return isVersionName(String(path.at(-1))) && before === null && after !== null;
}

function firstVersion(prior: ObjectValue, path: Path): Finding {
  return versionRecorded.at({ key: keyOf(prior), secret: formatPath(secretPath(path)) }, { attribute: path });
}

/**
 * The values that tell whether an object may be deleted. Nested and secret values are left out: private state, which holds the others, is
 * not encrypted.
 */
function factsForDelete({ attributes }: Description, prior: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(prior).filter(
      ([name, value]) =>
        value !== null && !isObject(value) && !isList(value) && attributes[name]?.sensitive === false,
    ),
  );
}

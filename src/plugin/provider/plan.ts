/** Plans a change under Terraform, and judges it by the guards. */
import {
  alreadyLive,
  type Finding,
  importReplaced,
  passwordRefused,
  passwordUnverified,
  retiresEarly,
  selfChange,
  tokenRotates,
} from "../../problems";
import { endedEarly, selfChangeOf, type Intention, isOwn, type Self, toldOfRotation } from "../../resources";
import type { Description } from "../../schema";
import type { Connection } from "../../service";
import { formatPath, isList, isObject, isUnknown, type ObjectValue, type Path, textOf } from "../../values";
import type { DiagnosticsResult, PlanRequest, PlanResult } from "../runtime";
import { noLongerDeclaredIn, notesOf, privateStateOf } from "./notes";
import { type Bound, conformedConfig } from "./service";
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
  const { replacedObject, ...notes } = notesOf(privateState);
  const config = conformedConfig(resource, raw);
  const asOf = notes.notedAt;
  const { granted } = notes;
  const { action, planned, changes, replacedBy, findings } = resource.propose(config, prior, {
    asOf,
    granted,
  });
  const undeclared = [
    ...bound.service.writtenPermissions.findings(resource, config, prior),
    ...(prior === null ? [] : noLongerDeclaredIn(resource, config, prior, notes)),
  ];
  const refusals =
    prior === null
      ? await refusalsOfNew(bound, config, replacedObject)
      : await judgeByGuards(bound, async (connection) => [
          ...(await refusalsOfSelfChange(bound, connection, {
            action,
            before: prior,
            after: planned,
            changes,
            asOf,
          })),
          ...(await refusedPassword(bound, connection, config, prior)),
          // An object that is made again in place has another id: a token that is rotated.
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
      prior === null ? {} : { ...notes, replacedObject: factsForDelete(resource.description, prior) },
    ),
    diagnostics: toTerraform([
      ...findings,
      ...undeclared,
      ...refusals,
      ...(prior === null ? [] : replacedImport(bound, prior, replacedBy)),
    ]),
  };
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

export async function planDelete(bound: Bound, prior: ObjectValue): Promise<DiagnosticsResult> {
  const { service } = bound;
  if (service.connection === undefined) return { diagnostics: toTerraform(service.stateUnchecked()) };
  const refusals = await judgeByGuards(bound, (connection) => refusalsOfDelete(bound, connection, prior));
  return { diagnostics: toTerraform(refusals) };
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
        ...(await refusalsOfDelete(bound, connection, replacedObject)),
        ...(await foresee(bound, connection, config, replacedObject)),
      ];
    const foreseen = await foresee(bound, connection, config);
    const refusals = foreseen.length === 0 ? [] : await refusalsOfRename(bound, connection, config);
    return refusals.length === 0 ? foreseen : refusals;
  });
}

async function foresee(
  { resource }: Bound,
  connection: Connection,
  config: ObjectValue,
  replacedObject?: ObjectValue,
): Promise<readonly Finding[]> {
  return (await resource.foresee?.(connection, config, replacedObject)) ?? [];
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

// Guards, judged before anything is written (design: Guards).

/** Refusals of a delete, or of a replacement. */
async function refusalsOfDelete(
  bound: Bound,
  connection: Connection,
  prior: ObjectValue,
): Promise<readonly Finding[]> {
  const { resource, service } = bound;
  const id = textOf(prior["id"]);
  if (id !== undefined) service.deleting.add(id);
  const isRenamed = id !== undefined && service.declaredAnew.has(id);
  return [
    ...(isRenamed ? deletedAndCreated(resource, prior, id) : []),
    ...((await resource.mayDelete?.(connection, { prior, going: service.deleting })) ?? []),
    ...(await refusalsOfSelfChange(bound, connection, {
      action: "delete",
      before: prior,
      after: null,
      changes: [],
      asOf: undefined,
    })),
  ];
}

/**
 * A construct that was renamed without a `moved` block: Terraform deletes the record at one address and creates it at another, in any order.
 * Deleted first, it is made anew, without what was in it; created first, it is refused, and then deleted. The plan calls come in any order,
 * too, so each of the two looks for the other.
 */
async function refusalsOfRename(
  { resource, service }: Bound,
  { directory, owners }: Connection,
  config: ObjectValue,
): Promise<readonly Finding[]> {
  const lookup = resource.inventory?.locate(config, await directory.snapshot(), owners);
  const record = lookup?.kind === "live" ? lookup.records.self : undefined;
  const id = textOf(record?.["id"]);
  if (record === undefined || id === undefined) return [];
  service.declaredAnew.add(id);
  return service.deleting.has(id) ? deletedAndCreated(resource, record, id) : [];
}

function deletedAndCreated(
  { description: { noun } }: Bound["resource"],
  record: ObjectValue,
  id: string,
): readonly Finding[] {
  const detail =
    "One plan would delete it at one address and create it at another, in an order that is left to chance. " +
    "If it is to be made anew, take its declaration out, apply, and put it back.";
  return [alreadyLive.at({ noun, key: keyOf(record), id }, { detail })];
}

/** Refusals of changes that take from the run what it works with. */
async function refusalsOfSelfChange(
  { resource, service }: Bound,
  connection: Connection,
  change: Pick<Intention, "action" | "before" | "after" | "changes" | "asOf">,
): Promise<readonly Finding[]> {
  const { before } = change;
  const intention: Intention = { ...change, kind: resource.description.name, id: textOf(before?.["id"]) };
  const effect = selfChangeOf(intention);
  if (effect === undefined) return [];
  const self: Self = {
    snapshot: await connection.directory.snapshot(),
    worksWith: (token) => service.token !== undefined && token["access_token"] === service.token,
    // Terraform's users cannot allow it, so an unknown fact refuses nothing.
    mayBeAnyone: false,
  };
  if (!isOwn(intention, self)) return [];
  const key = keyOf(before ?? {});
  const where = effect.attribute === undefined ? {} : { attribute: effect.attribute };
  return [selfChange.at({ key, harm: effect.what }, where)];
}

function keyOf(record: ObjectValue): string {
  return textOf(record["login"]) ?? textOf(record["name"]) ?? "";
}

/** What the rotation does, or why it may not: no flag allows an early end, but the declaration can, with more tokens kept, or a shorter time. */
function findingsOnRotation(
  connection: Connection,
  before: ObjectValue,
  after: ObjectValue,
): readonly Finding[] {
  const now = connection.now();
  const ends = endedEarly(before, after, now);
  const key = [textOf(before["login"]), textOf(before["name"])].join("/");
  if (ends.length > 0) return [retiresEarly.at({ key, ends })];
  return [tokenRotates.at({ key, told: toldOfRotation(before, after, now) })];
}

/** `verify_password`: Terraform sends a write-only value when its version changes, so that one which is refused can only be told of. */
async function refusedPassword(
  { resource }: Bound,
  connection: Connection,
  config: ObjectValue,
  prior: ObjectValue,
): Promise<readonly Finding[]> {
  const isSent = config["password_wo_version"] !== prior["password_wo_version"];
  const verdict = isSent ? undefined : await resource.verify?.(connection, config, () => prior);
  if (verdict === undefined || verdict === "accepted") return [];
  const login = prior["login"] as string;
  return [
    verdict === "refused"
      ? passwordRefused.at({ login, isVersioned: (config["password_wo_version"] ?? null) !== null })
      : passwordUnverified.at({ login, why: verdict.unknown }),
  ];
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

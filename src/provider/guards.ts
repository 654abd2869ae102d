/**
 * Judges, before the first write, the objects that a plan of Terraform's would delete, end, or take from the run itself (design: Guards).
 */
import {
  type Finding,
  retiresEarly,
  selfChange,
  sentences,
  tokenRotates,
  tokensStay,
  tokenWaits,
} from "../problems";
import { endedEarly, selfChangeOf, type Intention, isOwn, tokensOf, describeRotation } from "../resources";
import type { Connection } from "../service";
import { isUnknown, type ObjectValue, textOf } from "../lib/values";
import type { Bound, Service } from "./service";
import { keyOf, tokenKeyOf } from "./words";

/** A change as the rule for self-changes judges it. */
type JudgedChange = Pick<Intention, "action" | "after" | "changes" | "asOf"> & {
  readonly before: ObjectValue;
};

/** Judges an object with prior state: it stays, is updated, or is replaced. Of a replacement, the second call judges the delete. */
export async function judgeChange(
  bound: Bound,
  connection: Connection,
  desired: ObjectValue,
  change: JudgedChange & { readonly after: ObjectValue },
): Promise<readonly Finding[]> {
  const { resource, service } = bound;
  const { walk } = service;
  const { action, before: prior, after: planned } = change;
  // An object that is made again in place has another id: a token that is rotated.
  const isRotated = action === "update" && isUnknown(planned["id"]);

  walk.refreshedStates.delete(textOf(prior["id"]) ?? "");
  if (resource.kind === "record")
    walk.plannedUsers.set(keyOf(prior), { ...planned, password_wo: desired["password_wo"] ?? null });

  const creation = isRotated ? await findingsBeforeCreate(bound, connection, desired) : [];
  const isWaiting = creation.some(({ code }) => code === tokenWaits.code);
  return [
    ...(await refusalsOfSelfChange(bound, connection, change)),
    ...(isRotated && !isWaiting ? findingsOfRotation(connection, prior, planned) : []),
    ...creation,
  ];
}

/**
 * Judges an object without prior state. If a record is live in its place that this walk has refreshed, and not planned with its state, the plan
 * is likely to delete it: the object is tainted, and Terraform plans it without its state; or a construct was renamed without a `moved` block.
 *
 * The record is found by the declared name or uuid. If those change at the same time, or the account is not known yet, the delete is judged
 * when the plan is applied, as it is without a refresh.
 * @param replacedObject the object that is deleted first, if this is the second call of a replacement
 */
export async function judgeCreate(
  bound: Bound,
  connection: Connection,
  desired: ObjectValue,
  replacedObject: ObjectValue | undefined,
): Promise<readonly Finding[]> {
  if (replacedObject !== undefined)
    return [
      ...(await judgeDelete(bound, connection, replacedObject)),
      ...(await findingsBeforeCreate(bound, connection, desired, replacedObject)),
    ];

  const findings = await findingsBeforeCreate(bound, connection, desired);
  if (findings.length === 0) return [];
  const { directory } = connection;
  const lookup = bound.resource.inventory?.locate(desired, await directory.snapshot());
  const record = lookup?.kind === "live" ? lookup.records.self : undefined;
  const recordInTheWay = record ?? (lookup?.kind === "refused" ? lookup.found?.self : undefined);
  const goingObject = bound.service.walk.refreshedStates.get(textOf(recordInTheWay?.["id"]) ?? "");
  if (goingObject === undefined) return findings;
  const refusals = await judgeDelete(bound, connection, goingObject);
  return [
    ...refusals.map((refusal) => ({ ...refusal, detail: sentences(refusal.detail, UNTAINT) })),
    ...(await findingsBeforeCreate(bound, connection, desired, goingObject)),
  ];
}

const UNTAINT = "If the state marks it as tainted, the command `untaint` keeps it.";

/** Judges a delete, or the delete in a replacement. */
export async function judgeDelete(
  bound: Bound,
  connection: Connection,
  prior: ObjectValue,
): Promise<readonly Finding[]> {
  return [
    ...(bound.resource.kind === "token" ? findingsOfRevocation(connection, prior) : []),
    ...((await bound.resource.mayDelete?.(connection, { prior })) ?? []),
    ...(await refusalsOfSelfChange(bound, connection, deletionOf(prior))),
  ];
}

/** Findings of the family on a create that is yet to be tried. */
async function findingsBeforeCreate(
  { resource, service: { walk } }: Bound,
  connection: Connection,
  desired: ObjectValue,
  replacedObject?: ObjectValue,
): Promise<readonly Finding[]> {
  const plannedUser = (login: string) => walk.plannedUser(login);
  return (await resource.checkBeforeCreate?.(connection, desired, replacedObject, plannedUser)) ?? [];
}

/**
 * Refusals of changes that would take the run's own access. Judged at plan, and again before each update and delete, since a plan that is
 * made before the provider's configuration is known cannot be judged. The caller stays the same, so a run reads the lists for this once.
 */
export async function refusalsOfSelfChange(
  { resource, service }: Bound,
  { directory }: Connection,
  change: JudgedChange,
): Promise<readonly Finding[]> {
  const { before: prior } = change;
  const intention: Intention = { ...change, kind: resource.description.name, id: textOf(prior["id"]) };
  const effect = selfChangeOf(intention);
  if (effect === undefined) return [];
  const worksWith = (token: ObjectValue) => isOwnToken(service, token);
  // No list shows tokens.
  if (resource.kind === "token" && !holdsOwnToken(service, prior)) return [];
  // Terraform's users cannot allow a self-change, so an unknown fact refuses nothing.
  const self = { snapshot: await directory.beforeCreates(), worksWith, mayBeAnyone: false };
  if (!isOwn(intention, self)) return [];
  const { what: harm, attribute } = effect;
  return [selfChange.at({ key: keyOf(prior), harm }, attribute === undefined ? {} : { attribute })];
}

/** The change that {@link refusalsOfSelfChange} judges for a delete. */
export function deletionOf(before: ObjectValue): JudgedChange {
  return { action: "delete", before, after: null, changes: [], asOf: undefined };
}

/** True if a state of a token, or of tokens that it replaced, holds the one that the run works with. */
export function holdsOwnToken(service: Service, state: ObjectValue): boolean {
  return tokensOf(state).some((token) => isOwnToken(service, token));
}

/** Notes that it does, where the second call of a replacement has the state without its secrets. */
export const OWN_TOKEN = "own_token";

function isOwnToken({ token: ownSecret }: Service, token: ObjectValue): boolean {
  return token[OWN_TOKEN] === true || (ownSecret !== undefined && token["access_token"] === ownSecret);
}

/**
 * Refuses a rotation that ends an earlier token before its time: no flag allows it, but the declaration can, with more kept tokens, or a
 * shorter time. Judged at plan, and again before the update: the number of kept tokens, or the service, may be known only in the apply.
 */
export function refusalsOfRotation(
  connection: Connection,
  prior: ObjectValue,
  planned: ObjectValue,
): readonly Finding[] {
  const ends = endedEarly(prior, planned, connection.now());
  return ends.length === 0 ? [] : [retiresEarly.at({ key: tokenKeyOf(prior), ends })];
}

/** A warning about the fate of the existing tokens, unless the rotation is refused. */
function findingsOfRotation(
  connection: Connection,
  prior: ObjectValue,
  planned: ObjectValue,
): readonly Finding[] {
  const refusals = refusalsOfRotation(connection, prior, planned);
  if (refusals.length > 0) return refusals;
  return [
    tokenRotates.at({
      key: tokenKeyOf(prior),
      reason: describeRotation(prior, planned, connection.now()),
    }),
    ...findingsOfRevocation(connection, prior),
  ];
}

function findingsOfRevocation({ tokensRevocable }: Connection, prior: ObjectValue) {
  return tokensRevocable === false ? [tokensStay.at({ tokens: [tokenKeyOf(prior)] })] : [];
}

/**
 * Judges, before the first write, the objects that a plan of Terraform's would delete, end, or take from the run itself (design: Guards).
 * Each judgement writes to the journal before it awaits anything: Terraform has objects planned in parallel.
 */
import {
  alreadyLive,
  deletedAndKept,
  type Finding,
  retiresEarly,
  selfChange,
  sentences,
  tokenLosesUser,
  tokenRotates,
  tokenWaits,
} from "../problems";
import { endedEarly, selfChangeOf, type Intention, isOwn, tokensOf, describeRotation } from "../resources";
import type { Connection } from "../service";
import { isUnknown, type ObjectValue, textOf } from "../lib/values";
import type { Conflict } from "./journal";
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
  const { journal } = service;
  const { action, before: prior, after: planned } = change;
  const id = textOf(prior["id"]);
  const isReplaced = action === "replace";
  // An object that is made again in place has another id: a token that is rotated.
  const isRotated = action === "update" && isUnknown(planned["id"]);

  const conflict = id === undefined ? undefined : journal.recordDeclared(id, { isReplaced });
  let isUserDeleted = false;
  if (resource.kind === "token") {
    if (id !== undefined && tokensOf(prior).some((token) => isOwnToken(service, token)))
      journal.ownTokenSeen(id);
    if (!isReplaced && !isRotated) isUserDeleted = journal.tokenKept(tokenNameOf(prior));
  } else journal.userPlanned(keyOf(prior), { ...planned, password_wo: desired["password_wo"] ?? null });

  const creation = isRotated ? await findingsBeforeCreate(bound, connection, desired) : [];
  const isWaiting = creation.some(({ code }) => code === tokenWaits.code);
  return [
    ...(conflict === undefined ? [] : [conflictError(conflict, bound, prior)]),
    ...(await refusalsOfSelfChange(bound, connection, change)),
    ...(isUserDeleted ? [tokenLosesUser.at({ key: tokenKeyOf(prior), login: keyOf(prior) })] : []),
    ...(isRotated && !isWaiting ? findingsOfRotation(connection, prior, planned) : []),
    ...creation,
  ];
}

/**
 * Judges an object without prior state. If a record is live in its place, the plan may be about to delete that record: at another address,
 * because a construct was renamed without a `moved` block; or at this one, because the object is tainted and Terraform plans it without its state.
 *
 * The record is found by the declared name or uuid. If those change at the same time, or the account is not known yet, a tainted object
 * looks like an object whose own plan call is yet to come. Its delete is then judged when the plan is applied, as it is without a refresh.
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
      ...(await judgeDelete(bound, connection, replacedObject, { isReplaced: true })),
      ...(await findingsBeforeCreate(bound, connection, desired, replacedObject)),
    ];

  const findings = await findingsBeforeCreate(bound, connection, desired);
  if (findings.length === 0) return [];
  const { directory } = connection;
  const lookup = bound.resource.inventory?.locate(desired, await directory.snapshot());
  const record = lookup?.kind === "live" ? lookup.records.self : undefined;
  const recordInTheWay = record ?? (lookup?.kind === "refused" ? lookup.found?.self : undefined);
  const id = textOf(recordInTheWay?.["id"]);
  if (recordInTheWay === undefined || id === undefined) return findings;

  const { journal } = bound.service;
  const conflict = journal.recordCreated(id);
  if (conflict !== undefined) return [conflictError(conflict, bound, recordInTheWay)];
  const taintedObject = journal.refreshedState(id);
  if (taintedObject === undefined) return findings;
  const refusals = await refusalsOfDelete(bound, connection, taintedObject);
  return [
    ...refusals.map((refusal) => ({ ...refusal, detail: sentences(refusal.detail, UNTAINT) })),
    ...(await findingsBeforeCreate(bound, connection, desired, taintedObject)),
  ];
}

const UNTAINT = "If the state marks it as tainted, the command `untaint` keeps it.";

/** Judges a delete, or the delete in a replacement. */
export async function judgeDelete(
  bound: Bound,
  connection: Connection,
  prior: ObjectValue,
  { isReplaced = false } = {},
): Promise<readonly Finding[]> {
  const id = textOf(prior["id"]);
  const conflicts = id === undefined ? [] : bound.service.journal.recordDeleted(id, { isReplaced });
  return [
    ...conflicts.map((conflict) => conflictError(conflict, bound, prior)),
    ...(await refusalsOfDelete(bound, connection, prior)),
  ];
}

/** Findings on a delete, without conflicts with other addresses. */
async function refusalsOfDelete(
  bound: Bound,
  connection: Connection,
  prior: ObjectValue,
): Promise<readonly Finding[]> {
  const { resource, service } = bound;
  const { journal } = service;
  if (resource.kind === "token") journal.tokenDeleted(tokenNameOf(prior));
  const endingTokens = resource.kind === "token" ? [] : journal.userDeleted(keyOf(prior));
  return [
    ...((await resource.mayDelete?.(connection, { prior, going: journal.deletedIds })) ?? []),
    ...endingTokens.map((token) => tokenLosesUser.at({ key: tokenKeyOf({ ...token }), login: token.login })),
    ...(await refusalsOfSelfChange(bound, connection, deletionOf(prior))),
  ];
}

/** Findings of the family on a create that is yet to be tried. */
async function findingsBeforeCreate(
  { resource, service: { journal } }: Bound,
  connection: Connection,
  desired: ObjectValue,
  replacedObject?: ObjectValue,
): Promise<readonly Finding[]> {
  const plannedUser = (login: string) => journal.plannedUser(login);
  return (await resource.checkBeforeCreate?.(connection, desired, replacedObject, plannedUser)) ?? [];
}

function conflictError(
  conflict: Conflict,
  { resource: { description } }: Bound,
  record: ObjectValue,
): Finding {
  const facts = { noun: description.noun, key: keyOf(record), id: textOf(record["id"]) ?? "" };
  switch (conflict) {
    case "created and deleted":
      return alreadyLive.at(facts, {
        detail:
          "One plan would delete it at one address and create it at another, in an order that is left to chance. " +
          "To create it again, remove its declaration, apply, and add the declaration again.",
      });
    case "created and kept":
      return alreadyLive.at(facts, {
        detail:
          "The state has it at one address, and this plan would create it at another. If it is declared twice, take one of the declarations out.",
      });
    case "deleted and kept":
      return deletedAndKept.at(facts, {
        advice:
          "If its declaration moved, add a `moved` block instead of the `import` block. " +
          "Otherwise have the address that goes forgotten, with a `removed` block and `destroy = false`.",
      });
  }
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
  if (resource.kind === "token" && !tokensOf(prior).some(worksWith)) return [];
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

/** True if the run works with the token. The second call of a replacement has the token without its secret. */
function isOwnToken({ token: ownSecret, journal }: Service, token: ObjectValue): boolean {
  if ("access_token" in token) return ownSecret !== undefined && token["access_token"] === ownSecret;
  return journal.isOwnToken(textOf(token["id"]) ?? "");
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
  ];
}

function tokenNameOf(token: ObjectValue) {
  return { login: textOf(token["login"]) ?? "", name: textOf(token["name"]) ?? "" };
}

/** Judges, before anything is written, what a plan of Terraform's would delete, take from the run itself, or end (design: Guards). */
import {
  alreadyLive,
  deletedAndKept,
  type Finding,
  retiresEarly,
  selfChange,
  sentences,
  tokenLosesUser,
} from "../problems";
import {
  accountOf,
  endedEarly,
  selfChangeOf,
  type Intention,
  isOwn,
  type Self,
  tokensOf,
} from "../resources";
import type { Connection } from "../service";
import { type ObjectValue, textOf, UNKNOWN } from "../lib/values";
import type { Bound, Service } from "./service";

/** Refusals of a delete, or of a replacement. */
export async function refusalsOfDelete(
  bound: Bound,
  connection: Connection,
  prior: ObjectValue,
  { isReplaced = false } = {},
): Promise<readonly Finding[]> {
  const { resource, service } = bound;
  const id = textOf(prior["id"]);
  const isRenamed = id !== undefined && service.declaredAnew.has(id);
  const others = (service.addresses.get(id ?? "") ?? 0) - (isReplaced ? 1 : 0);
  return [
    ...(isRenamed ? deletedAndCreated(resource, prior, id) : []),
    ...(id !== undefined && others > 0 ? [keptElsewhere(resource, prior, id)] : []),
    ...(await judgeDelete(bound, connection, prior)),
  ];
}

/**
 * A record that the state has at this address, and that the plan deletes or creates at another one: Terraform does not know that the two are
 * the same. The plan calls come in any order, so each of them looks for the others.
 */
export function refusalsOfSecondAddress(
  { resource, service }: Bound,
  prior: ObjectValue,
  action: Intention["action"],
): readonly Finding[] {
  const id = textOf(prior["id"]);
  if (id === undefined) return [];
  const { addresses, deleting, declaredAnew } = service;
  addresses.set(id, (addresses.get(id) ?? 0) + 1);
  if (declaredAnew.has(id)) return action === "replace" ? [] : declaredTwice(resource, prior, id);
  return deleting.has(id) ? [keptElsewhere(resource, prior, id)] : [];
}

function keptElsewhere(
  { description: { noun } }: Bound["resource"],
  record: ObjectValue,
  id: string,
): Finding {
  const advice =
    "If its declaration moved, add a `moved` block in place of the `import` block. " +
    "Otherwise have the address that goes forgotten, with a `removed` block and `destroy = false`.";
  return deletedAndKept.at({ noun, key: keyOf(record), id }, { advice });
}

function declaredTwice(
  { description: { noun } }: Bound["resource"],
  record: ObjectValue,
  id: string,
): readonly Finding[] {
  const detail =
    "The state has it at one address, and this plan would create it at another. If it is declared twice, take one of the declarations out.";
  return [alreadyLive.at({ noun, key: keyOf(record), id }, { detail })];
}

/** Judged without a look for renamed constructs. */
async function judgeDelete(
  bound: Bound,
  connection: Connection,
  prior: ObjectValue,
): Promise<readonly Finding[]> {
  const { resource, service } = bound;
  const id = textOf(prior["id"]);
  if (id !== undefined) service.deleting.add(id);
  return [
    ...((await resource.mayDelete?.(connection, { prior, going: service.deleting })) ?? []),
    ...endingWithUser(bound, prior),
    ...(await refusalsOfSelfChange(bound, connection, deletionOf(prior))),
  ];
}

/**
 * Findings on an object that is planned as new, and is live because this plan deletes it, too: one that was renamed, or a tainted one.
 *
 * Renamed without a `moved` block: Terraform deletes the record at one address and creates it at another, in any order. Deleted first, it is
 * made anew, without what was in it; created first, it is refused, and then deleted. The plan calls come in any order, too, so each of the
 * two looks for the other.
 *
 * Tainted: Core has it planned as new, without its state, and replaces it. It is found by the declared name or uuid. Where those change at the
 * same time, or the account is not yet known, nothing tells it from objects whose own plan call is yet to come: then its delete is judged
 * when the plan is applied, as it is where nothing was refreshed.
 *
 * @returns undefined if nothing tells that the plan deletes it
 */
export async function judgedAsDeleted(
  bound: Bound,
  connection: Connection,
  config: ObjectValue,
): Promise<readonly Finding[] | undefined> {
  const { resource, service } = bound;
  const { directory, owners } = connection;
  const lookup = resource.inventory?.locate(config, await directory.snapshot(), owners);
  const records =
    lookup?.kind === "live" ? lookup.records : lookup?.kind === "refused" ? lookup.found : undefined;
  const record = records?.self;
  const id = textOf(record?.["id"]);
  if (record === undefined || id === undefined) return undefined;
  const tainted = service.refreshed.get(id);
  const isDeclaredTwice = tainted !== undefined && service.declaredAnew.has(id);
  service.declaredAnew.add(id);
  if (service.deleting.has(id) || isDeclaredTwice) return deletedAndCreated(resource, record, id);
  if (service.addresses.has(id)) return declaredTwice(resource, record, id);
  if (tainted === undefined) return undefined;
  const refusals = await judgeDelete(bound, connection, tainted);
  return [
    ...refusals.map((refusal) => ({ ...refusal, detail: sentences(refusal.detail, UNTAINT) })),
    ...(await foresee(bound, connection, config, tainted)),
  ];
}

const UNTAINT = "If the state marks it as tainted, the command `untaint` keeps it.";

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

/**
 * Refusals of changes that take from the run what it works with. Judged at plan, and again before each update and delete, since nothing can be
 * judged in a plan that is made before the provider's configuration is known. The caller stays the same, so a run reads the lists for this once.
 */
export async function refusalsOfSelfChange(
  { resource, service }: Bound,
  { directory }: Connection,
  change: Pick<Intention, "action" | "before" | "after" | "changes" | "asOf">,
): Promise<readonly Finding[]> {
  const { before } = change;
  const { name: kind } = resource.description;
  const intention: Intention = { ...change, kind, id: textOf(before?.["id"]) };
  const effect = selfChangeOf(intention);
  if (effect === undefined) return [];
  const worksWith = (token: ObjectValue) =>
    "access_token" in token
      ? service.token !== undefined && token["access_token"] === service.token
      : service.ownTokens.has(textOf(token["id"]) ?? "");
  // Lists tell nothing about tokens.
  if (kind === "authorization" && !tokensOf(before ?? {}).some(worksWith)) return [];
  const self: Self = {
    snapshot: await directory.beforeCreates(),
    worksWith,
    // Terraform's users cannot allow it, so an unknown fact refuses nothing.
    mayBeAnyone: false,
  };
  if (!isOwn(intention, self)) return [];
  const key = keyOf(before ?? {});
  const where = effect.attribute === undefined ? {} : { attribute: effect.attribute };
  return [selfChange.at({ key, harm: effect.what }, where)];
}

/**
 * Refuses a rotation that ends an earlier token before its time: no flag allows it, but the declaration can, with more tokens kept, or a shorter
 * time. Judged at plan, and again before the update: it may be the apply that tells how many are kept, or who is asked.
 */
export function refusalsOfRotation(
  connection: Connection,
  before: ObjectValue,
  after: ObjectValue,
): readonly Finding[] {
  const ends = endedEarly(before, after, connection.now());
  return ends.length === 0 ? [] : [retiresEarly.at({ key: tokenKeyOf(before), ends })];
}

export function deletionOf(before: ObjectValue) {
  return { action: "delete", before, after: null, changes: [], asOf: undefined } as const;
}

/** The token that the run works with may be one that a rotation has replaced, and that is still good. */
export function noteOwnToken({ token, ownTokens }: Service, state: ObjectValue): void {
  const id = textOf(state["id"]);
  if (token === undefined || id === undefined) return;
  if (tokensOf(state).some(({ access_token }) => access_token === token)) ownTokens.add(id);
}

export function keyOf(record: ObjectValue): string {
  return textOf(record["login"]) ?? textOf(record["name"]) ?? "";
}

export function tokenKeyOf(token: ObjectValue): string {
  return [textOf(token["login"]), textOf(token["name"])].join("/");
}

/** The user of a token whose plan is yet to come may be any. */
const NOT_PLANNED_YET: ObjectValue = { access_api: UNKNOWN, two_factor_auth: UNKNOWN };

export async function foresee(
  { resource, service: { plannedUsers, refreshed } }: Bound,
  connection: Connection,
  config: ObjectValue,
  replacedObject?: ObjectValue,
): Promise<readonly Finding[]> {
  const plannedUser = (login: string) => {
    const isToCome = [...refreshed.values()].some((state) => keyOf(state) === login);
    return plannedUsers.get(login) ?? (isToCome ? NOT_PLANNED_YET : undefined);
  };
  return (await resource.checkBeforeCreate?.(connection, config, replacedObject, plannedUser)) ?? [];
}

// Tokens that end although the plan keeps them.

/** A warning of a kept token whose user the same plan deletes or replaces. The plan calls for the two come in any order, so each looks for the other. */
export function losingUser(
  { resource: { kind }, service: { deletedLogins, keptTokens } }: Bound,
  prior: ObjectValue,
): readonly Finding[] {
  const login = textOf(prior["login"]);
  if (kind !== "token" || login === undefined) return [];
  const name = textOf(prior["name"]) ?? "";
  keptTokens.set(login, [...(keptTokens.get(login) ?? []), name]);
  return deletedLogins.has(login) || deletedLogins.has(accountOf(login))
    ? [tokenLosesUser.at({ key: `${login}/${name}`, login })]
    : [];
}

/**
 * Tokens that end because the same plan deletes or replaces their user, or the user's account. A token that is deleted or replaced itself is
 * kept no longer.
 */
function endingWithUser(
  { resource: { kind }, service: { deletedLogins, keptTokens } }: Bound,
  prior: ObjectValue,
): readonly Finding[] {
  const isToken = kind === "token";
  const login = isToken ? textOf(prior["login"]) : keyOf(prior);
  if (login === undefined) return [];
  if (!isToken) {
    const isTold = (one: string) => deletedLogins.has(one) || deletedLogins.has(accountOf(one));
    // The login of a primary user is the account's name: each other user of the account goes along.
    const ending = [...keptTokens].filter(
      ([one]) => (one === login || accountOf(one) === login) && !isTold(one),
    );
    deletedLogins.add(login);
    return ending.flatMap(([one, names]) =>
      names.map((name) => tokenLosesUser.at({ key: `${one}/${name}`, login: one })),
    );
  }
  const kept = keptTokens.get(login) ?? [];
  keptTokens.set(
    login,
    kept.filter((name) => name !== textOf(prior["name"])),
  );
  return [];
}

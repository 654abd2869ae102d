/** Compares one declared token with the store's tokens, and plans its change; rotates one on request, although its keepers have not changed. */
import type { TokenEntry } from "../../credentials";
import type { Change, ObservedRecord } from "../../plan";
import {
  ambiguousToken,
  endsAnothersToken,
  type Finding,
  noSuchToken,
  notImportable,
  tokenUndeclared,
  tokenWithoutUser,
  twinRecords,
  whereaboutsOf,
} from "../../problems";
import { doubtOfUser, endedState, idOf, previousOf } from "../../resources";
import { withIgnored } from "../../schema";
import {
  formatPath,
  isKnownAfterApply,
  isUnknown,
  normalForm,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Path,
  textOf,
} from "../../lib/values";
import type { Selection } from "../load/selection";
import { ObjectChange, type Prune } from "../change";
import type { DeclaredObject, PlannedObject, Rotation } from "../planned-object";
import type { ReadTarget } from "../target";
import { sensitiveInToken, stateOfToken, withoutSecrets } from "../store";
import { doubtOfTokensUser, notVerified } from "./unseen";

export interface PlanTokenOptions {
  readonly plannedAt: Date;
  /** Natural key, as far as it can be foreseen. */
  readonly foreseenKey: () => string;
  /** True if the run makes the user: then a kept token of the login belongs to an earlier user. */
  readonly isNewUser: (login: string) => boolean;
  /** A token that is to be rotated, whatever its keepers say. */
  readonly rotation?: Rotation | undefined;
}

/** @throws notImportable */
export function planToken(declared: DeclaredObject, options: PlanTokenOptions): PlannedObject {
  const { resource, target } = declared;
  if (declared.importId !== undefined) throw notImportable.error(resource.description.type);
  const login = loginOf(declared);
  const name = declared.config["name"];
  const isKnown = login !== undefined && typeof name === "string";
  const foreseen = isKnown ? tokenKey({ login, name }) : options.foreseenKey();
  const kept = isKnown ? target.ledger.tokens.get({ login, name }) : undefined;
  const living = kept !== undefined && isOfLiveUser(kept, target, options) ? kept : undefined;
  const left = living && target.refused.get(living.record.serial);
  const isKept = living !== undefined && left === undefined;
  const outlived = left ?? [];
  const entry = isKept || outlived.length > 0 ? living : undefined;
  const rotation = rotationOf(kept, options);
  const { config, wanted, prior, lacking } = compared(declared, entry, outlived, rotation);
  const sensitive = sensitiveWith(declared, config, entry);
  const proposal = resource.propose(wanted, prior, {
    asOf: options.plannedAt,
    rotate: rotation !== undefined,
  });
  const twins = login === undefined ? [] : target.snapshot.profilesSharing(login);
  if (twins.length > 1 && mints({ action: proposal.action, after: proposal.planned }))
    throw twinRecords.error({ noun: "user profile", key: login ?? "", ids: twins.map(idOf) });
  const change = new ObjectChange(
    { ...declared, sensitive: [...sensitive, ...sensitiveInToken(entry)] },
    {
      action: proposal.action,
      key: foreseen,
      before: prior,
      proposal,
      claim: entry === undefined ? undefined : "managed",
      notes: [...(isKept ? [] : fateOfKept(target, foreseen)), ...lacking.map(lackingNote)],
      observedRecord: entry === undefined ? undefined : observedTokenRecord(entry, target),
    },
  );
  return {
    change,
    proposal,
    lookup: undefined,
    remembered: undefined,
    recorded: [],
    findings: proposal.findings,
    rotation,
    ...declared,
    sensitive,
    config,
  };
}

/** What a plan says of the token in the store that another one is to take the place of. */
function fateOfKept(target: ReadTarget, key: string): readonly string[] {
  const kept = target.ledger.tokens.list().find((entry) => tokenKey(entry) === key);
  if (kept === undefined) return [];
  const isRefused = target.refused.has(kept.record.serial);
  const doubt = isRefused ? undefined : doubtOfTokensUser(kept, target);
  return [doubt === undefined ? "the token in the store is no longer good" : notVerified(doubt)];
}

/** What is declared of a token, and what is kept of it: both as a proposal takes them. */
interface Compared {
  readonly config: ObjectValue;
  /** The configuration, in which what a snapshot does not tell counts as unchanged. */
  readonly wanted: ObjectValue;
  readonly prior: ObjectValue | null;
  readonly lacking: readonly Path[];
}

function compared(
  declared: DeclaredObject,
  entry: TokenEntry | undefined,
  outlived: readonly string[],
  rotation: Rotation | undefined,
): Compared {
  const { block, target } = declared;
  const first = withRotation(declared.config, rotation);
  if (entry === undefined) return { config: first, wanted: first, prior: null, lacking: [] };
  const client = { ...clientOnly({ ...declared, config: first }), ...retentionKept(entry, rotation) };
  const state = stateIn(entry, client, outlived);
  // A snapshot holds no secret of a token.
  const prior = target.takenAt === undefined ? state : withoutSecrets(entry, state);
  const config = withRotation(withIgnored(declared.config, prior, block.lifecycle.ignoreChanges), rotation);
  if (target.takenAt === undefined) return { config, wanted: config, prior, lacking: [] };
  return { config, prior, ...withUntoldKeepers({ ...declared, config }, prior) };
}

/** The retention that the store remembers. The rotation of a compromised token is not compared with it: it ends the replaced tokens once. */
function retentionKept({ retention }: TokenEntry, rotation: Rotation | undefined): ObjectValue {
  if (retention === undefined || rotation?.compromised === true) return {};
  return { retain_previous_for: retention.for, retain_previous: retention.count };
}

/** Keepers that `ignore_changes` keeps are as sensitive as they were, whatever is declared in their place. */
function sensitiveWith(
  declared: DeclaredObject,
  config: ObjectValue,
  entry: TokenEntry | undefined,
): readonly Path[] {
  return config["keepers"] === declared.config["keepers"]
    ? declared.sensitive
    : [...declared.sensitive, ...sensitiveInToken(entry)];
}

function rotationOf(kept: TokenEntry | undefined, { rotation }: PlanTokenOptions): Rotation | undefined {
  if (kept === undefined || rotation === undefined) return undefined;
  const { login, name, record } = kept;
  return isCalled(rotation.token, { login, name, serial: record.serial }) ? rotation : undefined;
}

/** The declared login, or that of the run's own credentials; undefined while it is unknown. */
export function loginOf({ config, target }: Pick<DeclaredObject, "config" | "target">): string | undefined {
  const login = config["login"] ?? target.connection.username ?? null;
  return typeof login === "string" ? login : undefined;
}

/** Natural key of a token: `csi@acme/csi-prod`. */
export function tokenKey({ login, name }: Pick<TokenEntry, "login" | "name">): string {
  return `${login}/${name}`;
}

export function observedTokenRecord(entry: TokenEntry, { readAt }: ReadTarget): ObservedRecord {
  const { id, serial } = entry.record;
  return { id, serial, accountId: undefined, seq: undefined, key: tokenKey(entry), readAt };
}

/** True if a planned change creates a new token, or one in the place of another. */
export function mints(change: Pick<Change, "action" | "after">): boolean {
  // First the action: the state of a record that stays as it is costs much, and is made only where somebody looks at it.
  return change.action !== "none" && isKnownAfterApply(change.after?.["access_token"]);
}

/** No token outlives its user. */
function isOfLiveUser(entry: TokenEntry, target: ReadTarget, { isNewUser }: PlanTokenOptions): boolean {
  if (isUserGone(entry, target)) return false;
  return target.unlisted.has(entry.record.serial) || !isNewUser(entry.login);
}

/** @param outlived serials of the tokens that are left of one that has ended; none: the token itself is good */
function stateIn(entry: TokenEntry, client: ObjectValue, outlived: readonly string[]): ObjectValue {
  const state = stateOfToken(entry, client);
  if (outlived.length === 0) return state;
  return endedState(
    state,
    previousOf(state).filter(({ serial }) => outlived.includes(textOf(serial) ?? "")),
  );
}

/** Sensitive keepers that the snapshot lacks, or whose declared values are not known, count as unchanged, and are noted. */
function withUntoldKeepers(
  { config, sensitive }: DeclaredObject,
  prior: ObjectValue,
): Pick<Compared, "wanted" | "lacking"> {
  const { keepers: declared = null } = config;
  const { keepers: kept = null } = prior;
  const isLacking =
    declared !== NOT_IN_SNAPSHOT && isUnknown(declared)
      ? sensitive.some(([name]) => name === "keepers")
      : kept === NOT_IN_SNAPSHOT && declared !== null && declared !== kept;
  if (!isLacking) return { wanted: config, lacking: [] };
  return { wanted: { ...config, keepers: kept }, lacking: [["keepers"]] };
}

/** How a plan marks a value whose change it could not see. */
export function lackingNote(path: Path): string {
  return `${formatPath(path)} is not in the snapshot: only the apply will tell whether it changes`;
}

/** Attributes that only the client knows are as declared, unless the store remembers them. */
function clientOnly({ resource, config }: DeclaredObject): ObjectValue {
  const { attributes } = resource.description;
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, attribute]) => !attribute.shown && !attribute.writeOnly)
      .map(([name, attribute]) => [name, config[name] ?? attribute.defaultValue ?? null]),
  );
}

// A token ends with its user. It does not belong to a later user of the same login.

/** True if the user for whom the token was created has certainly been deleted, and the service refuses the token. */
export function isUserGone(entry: TokenEntry, target: Pick<ReadTarget, "snapshot" | "unlisted">): boolean {
  return !target.unlisted.has(entry.record.serial) && isUserUnlisted(entry, target);
}

/** As far as the lists can tell. */
export function isUserUnlisted(
  { login, record }: TokenEntry,
  { snapshot }: Pick<ReadTarget, "snapshot">,
): boolean {
  const profile = snapshot.profileWithLogin(login);
  if (profile === undefined) return doubtOfUser(login, snapshot) === undefined;
  const [userId, id] = [textOf(record["user_id"]), textOf(profile.id)];
  return userId !== undefined && id !== undefined && userId !== id && userId !== profile.serial;
}

/** Whether a delete ends the tokens of a login: it takes their user, or the account that the user is in. */
export function endsTokensOf(login: string, { target, change }: Prune): boolean {
  const user = target.snapshot.profileWithLogin(login);
  return user !== undefined && [user.id, user.account_id].includes(change.observedRecord.id);
}

/** Declared tokens that would cease with what is deleted: the next run could not create them again. */
export function tokensWithoutUser(
  objects: readonly PlannedObject[],
  prunes: readonly Prune[],
): readonly Finding[] {
  return objects.flatMap((object): readonly Finding[] => {
    const login = object.resource.kind === "token" ? loginOf(object) : undefined;
    if (login === undefined) return [];
    const end = prunes.find(
      (prune) => prune.target.origin === object.target.origin && endsTokensOf(login, prune),
    );
    if (end === undefined) return [];
    const gone = `the ${end.resource.description.noun} ${JSON.stringify(end.change.title)}`;
    return [tokenWithoutUser.at({ token: object.change.title, gone }, whereaboutsOf(object.change))];
  });
}

/** Tokens that the store keeps for owners outside this run, and that cease with what is deleted: the plan has no rows for them. */
export function endedTokensOfOthers(
  targets: readonly ReadTarget[],
  prunes: readonly Prune[],
): readonly Finding[] {
  if (prunes.length === 0) return [];
  const services = new Map(targets.map((target) => [target.origin, target]));
  return [...services.values()].flatMap(({ origin, ledger }) => {
    const here = targets.filter((target) => target.origin === origin).map(({ owners }) => owners.current);
    const others = ledger.neighbours.filter((one) => one.origin === origin && !here.includes(one.owner));
    return others.flatMap(({ owner, tokens }) =>
      tokens.flatMap((token): readonly Finding[] => {
        const end = prunes.find(
          (prune) => prune.target.origin === origin && endsTokensOf(token.login, prune),
        );
        if (end === undefined) return [];
        const { change, resource } = end;
        const gone = `the ${resource.description.noun} ${JSON.stringify(change.title)}`;
        return [endsAnothersToken.at({ token: tokenKey(token), owner, gone }, whereaboutsOf(change))];
      }),
    );
  });
}

// Rotation of one token on request (`tenancy token rotate`), although its keepers have not changed.

/** What identifies a token to people. */
interface TokenNames {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
}

export function isCalled(wanted: string, { login, name, serial }: TokenNames): boolean {
  const text = normalForm(wanted);
  return [name, tokenKey({ login, name }), serial].some((one) => normalForm(one) === text);
}

/** The configuration of a rotation: a compromised token keeps none of the tokens that it replaces. */
export function withRotation(config: ObjectValue, rotation: Rotation | undefined): ObjectValue {
  if (rotation?.compromised !== true) return config;
  return { ...config, retain_previous: 0, retain_previous_for: "0s" };
}

/**
 * A run that rotates one token is about nothing else.
 * @throws noSuchToken, ambiguousToken, tokenUndeclared
 */
export function selectionOfRotation(
  objects: readonly PlannedObject[],
  { token }: Rotation,
  store: string,
): Selection {
  const rotated = objects.filter(({ rotation }) => rotation !== undefined);
  const [one, ...others] = rotated;
  if (one === undefined) throw unrotated(objects, token, store);
  if (others.length > 0) throw ambiguousToken.error({ name: token, candidates: rotated.map(candidate) });
  const { address } = one.change;
  return {
    isPartial: true,
    hasBlock: (other) => other === one.block.address,
    hasObject: (other) => other === address,
  };
}

function unrotated(objects: readonly PlannedObject[], token: string, store: string): Error {
  const ledgers = new Set(objects.map(({ target }) => target.ledger));
  const kept = [...ledgers].flatMap(({ tokens }) => tokens.list());
  const found = kept.find(({ login, name, record: { serial } }) => isCalled(token, { login, name, serial }));
  if (found !== undefined) return tokenUndeclared.error(tokenKey(found));
  return noSuchToken.error({ name: token, store, known: kept.map(tokenKey) });
}

function candidate({ change: { key, before } }: PlannedObject): string {
  return `${key} (${textOf(before?.["serial"]) ?? "unknown"})`;
}

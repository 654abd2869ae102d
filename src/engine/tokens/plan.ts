/** Compares one declared token with the store's token of the same login and name, and plans its change. */
import type { TokenEntry } from "../../credentials";
import { notImportable, twinRecords } from "../../problems";
import { idOf, endedState, previousOf } from "../../resources";
import { withIgnored } from "../../schema";
import { type ObjectValue, type Path, textOf, isUnknown, NOT_IN_SNAPSHOT } from "../../lib/values";
import { ObjectChange } from "../change";
import { lackingNote, notVerified } from "../diff/unseen";
import type { Rotation, DeclaredObject, PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { sensitiveInToken, observedTokenRecord, withoutSecrets, stateOfToken } from "./entry";
import { loginOf, tokenKey, mints, isCalled } from "./identity";
import { withRotation } from "./rotation";
import { doubtOfTokensUser, isUserGone } from "./user";

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

/** Attributes that only the client knows are as declared, unless the store remembers them. */
function clientOnly({ resource, config }: DeclaredObject): ObjectValue {
  const { attributes } = resource.description;
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, attribute]) => !attribute.shown && !attribute.writeOnly)
      .map(([name, attribute]) => [name, config[name] ?? attribute.defaultValue ?? null]),
  );
}

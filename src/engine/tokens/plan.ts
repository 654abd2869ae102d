/** Compares one declared token with the state's token of the same login and name, and plans its change. */
import type { TokenEntry } from "../../state";
import { notImportable, tokenWaits, twinRecords } from "../../problems";
import { endedState, idOf, previousOf } from "../../resources";
import { withIgnored } from "../../schema";
import { isUnknown, NOT_IN_SNAPSHOT, type ObjectValue, type Path, textOf } from "../../lib/values";
import { ObjectChange } from "../change";
import { lackingNote, mayExist } from "../diff/unseen";
import type { DeclaredObject, PlannedObject, Rotation } from "../planned-object";
import type { ReadTarget } from "../target";
import { observedTokenRecord, sensitiveInToken, stateOfToken, withoutSecrets } from "./entry";
import { createsToken, isCalled, loginOf, tokenKey } from "./identity";
import { withRotation } from "./rotation";
import { isUserDeleted, unprovenAbsenceOfTokenUser } from "./user";

export interface PlanTokenOptions {
  readonly plannedAt: Date;
  /** Natural key, as far as it can be foreseen. */
  readonly foreseenKey: () => string;
  /** True if the run creates the user: then a stored token of the login belongs to an earlier user. */
  readonly isNewUser: (login: string) => boolean;
  /** True if the plan leaves the user with this login without access: suspended, or ended. */
  readonly isWithoutAccess: (login: string) => boolean;
  /** A token to rotate, independent of its keepers. */
  readonly rotation?: Rotation | undefined;
}

/** The state's token for a declaration, and whether this run may rely on it. */
type StoredToken =
  | { readonly state: "none" }
  /** The state exists, and cannot be opened: it may know the token. */
  | { readonly state: "not known" }
  | { readonly state: "user deleted"; readonly entry: TokenEntry }
  | {
      readonly state: "refused";
      readonly entry: TokenEntry;
      /** Serials of the tokens that it replaced, and that may still be good. */
      readonly goodPredecessors: readonly string[];
    }
  | { readonly state: "good"; readonly entry: TokenEntry };

/** @throws notImportable, twinRecords */
export function planToken(declaredObject: DeclaredObject, options: PlanTokenOptions): PlannedObject {
  const { resource, target } = declaredObject;
  if (declaredObject.importId !== undefined) throw notImportable.error(resource.description.type);
  const login = loginOf(declaredObject);
  const { name } = declaredObject.config;
  const isKeyKnown = login !== undefined && typeof name === "string";
  const key = isKeyKnown ? tokenKey({ login, name }) : options.foreseenKey();

  // While the login is not known, the run creates the user: a token in the state was an earlier user's.
  const entry = isKeyKnown
    ? target.part.tokens.get({ login, name })
    : target.part.tokens.list().find((one) => tokenKey(one) === key);
  const isUserNew = !isKeyKnown || options.isNewUser(login);
  const storedToken: StoredToken =
    target.part.isClosed && !isUserNew ? { state: "not known" } : storedTokenOf(entry, target, isUserNew);
  const rotation = isKeyKnown ? requestedRotation(entry, options.rotation) : undefined;

  const comparison = compareWithState(declaredObject, storedToken, rotation);
  const { prior, notInSnapshot } = comparison;
  const context = { asOf: options.plannedAt, rotate: rotation !== undefined };
  const proposed = resource.propose(comparison.desired, prior, context);

  // A new token of a user without access would be useless. Its keepers do not change, so a later apply rotates it.
  const isWaiting =
    rotation === undefined &&
    login !== undefined &&
    createsToken({ action: proposed.action, after: proposed.planned }) &&
    options.isWithoutAccess(login);
  const config = isWaiting ? withPriorKeepers(comparison.config, prior) : comparison.config;
  const proposal = isWaiting
    ? resource.propose(withPriorKeepers(comparison.desired, prior), prior, { ...context, isWaiting })
    : proposed;

  // With two users of one login, the user of a new token would be unknown.
  const twins = login === undefined ? [] : target.snapshot.profilesSharing(login);
  if (twins.length > 1 && createsToken({ action: proposal.action, after: proposal.planned }))
    throw twinRecords.error({ noun: "user profile", key: login ?? "", ids: twins.map(idOf) });

  const managedEntry = prior === null ? undefined : entry;
  // Keepers that ignore_changes keeps have their old sensitivity, independent of the declared ones.
  const areKeepersKept = config["keepers"] !== declaredObject.config["keepers"];
  const sensitive = areKeepersKept
    ? [...declaredObject.sensitive, ...sensitiveInToken(managedEntry)]
    : declaredObject.sensitive;
  const change = new ObjectChange(
    { ...declaredObject, sensitive: [...sensitive, ...sensitiveInToken(managedEntry)] },
    {
      action: proposal.action,
      key,
      before: prior,
      proposal,
      claim: managedEntry && "managed",
      notes: [...notesOn(storedToken, target), ...notInSnapshot.map(lackingNote)],
      observedRecord: managedEntry && observedTokenRecord(managedEntry, target),
    },
  );
  return {
    change,
    proposal,
    lookup: undefined,
    remembered: undefined,
    recorded: [],
    findings: [...proposal.findings, ...(isWaiting ? [tokenWaits.at({ key })] : [])],
    rotation,
    isWaiting,
    ...declaredObject,
    sensitive,
    config,
  };
}

/** A configuration that rotates nothing because of its keepers or its readers. */
export function withPriorKeepers(config: ObjectValue, prior: ObjectValue | null): ObjectValue {
  if (prior === null) return config;
  return { ...config, keepers: prior["keepers"] ?? null, seal_to: prior["seal_to"] ?? null };
}

/** @param isUserNew true if the run creates the user, according to the lists */
function storedTokenOf(entry: TokenEntry | undefined, target: ReadTarget, isUserNew: boolean): StoredToken {
  if (entry === undefined) return { state: "none" };
  const { serial } = entry.record;
  const belongsToEarlierUser = isUserNew && !target.unlisted.has(serial);
  if (belongsToEarlierUser || isUserDeleted(entry, target)) return { state: "user deleted", entry };
  const goodPredecessors = target.refused.get(serial);
  return goodPredecessors === undefined
    ? { state: "good", entry }
    : { state: "refused", entry, goodPredecessors };
}

/** The notes of a plan on a token in the state that another one is to replace. */
function notesOn(storedToken: StoredToken, target: ReadTarget): readonly string[] {
  if (storedToken.state === "not known") return ["not known without the state"];
  if (storedToken.state === "none" || storedToken.state === "good") return [];
  const { entry } = storedToken;
  const unproven = target.refused.has(entry.record.serial)
    ? undefined
    : unprovenAbsenceOfTokenUser(entry, target);
  return [unproven === undefined ? "the token in the state is no longer valid" : mayExist(unproven)];
}

function requestedRotation(
  entry: TokenEntry | undefined,
  rotation: Rotation | undefined,
): Rotation | undefined {
  if (entry === undefined || rotation === undefined) return undefined;
  const { login, name, record } = entry;
  return isCalled(rotation.token, { login, name, serial: record.serial }) ? rotation : undefined;
}

/**
 * Compares a declaration with the token in the state.
 * @returns `config`, the configuration with ignored values and the requested rotation; `desired`, the same, but values that a snapshot lacks count as
 *   unchanged, with their paths in `notInSnapshot`; `prior`, null if the run may not rely on the token
 */
function compareWithState(
  declaredObject: DeclaredObject,
  storedToken: StoredToken,
  rotation: Rotation | undefined,
) {
  const { block, resource, target } = declaredObject;
  const first = withRotation(declaredObject.config, rotation);
  if (storedToken.state === "not known") {
    const prior = unknownToken(resource, first);
    return { config: first, desired: first, prior, notInSnapshot: [] };
  }
  const state = stateOf(storedToken, {
    ...clientOnlyValues(resource, first),
    ...(storedToken.state !== "none" && rememberedRetention(storedToken.entry, rotation)),
  });
  if (storedToken.state === "none" || state === null)
    return { config: first, desired: first, prior: null, notInSnapshot: [] };

  const isSnapshot = target.takenAt !== undefined;
  const prior = isSnapshot ? withoutSecrets(storedToken.entry, state) : state;
  const config = withRotation(
    withIgnored(declaredObject.config, prior, block.lifecycle.ignoreChanges),
    rotation,
  );
  if (!isSnapshot || !areKeepersHidden(declaredObject, config, prior))
    return { config, desired: config, prior, notInSnapshot: [] };
  const keepers = prior["keepers"] ?? null;
  return { config, desired: { ...config, keepers }, prior, notInSnapshot: [["keepers"] as Path] };
}

/** Represents a token that the state may have: as declared, and otherwise unknown. */
function unknownToken(resource: DeclaredObject["resource"], config: ObjectValue): ObjectValue {
  const attributes = Object.entries(resource.description.attributes).filter(
    ([, { shown: isShown }]) => isShown,
  );
  return {
    ...clientOnlyValues(resource, config),
    ...Object.fromEntries(attributes.map(([name]) => [name, config[name] ?? NOT_IN_SNAPSHOT])),
    previous: [],
  };
}

/** The state of a stored token that the run may rely on. Of a refused token only the good ones that it replaced are left. */
function stateOf(storedToken: StoredToken, clientOnly: ObjectValue): ObjectValue | null {
  if (storedToken.state === "good") return stateOfToken(storedToken.entry, clientOnly);
  if (storedToken.state !== "refused" || storedToken.goodPredecessors.length === 0) return null;
  const { entry, goodPredecessors } = storedToken;
  const state = stateOfToken(entry, clientOnly);
  const good = previousOf(state).filter(({ serial }) => goodPredecessors.includes(textOf(serial) ?? ""));
  return endedState(state, good);
}

/** Attributes that only the client knows are as declared, unless the state remembers them. */
function clientOnlyValues({ description }: DeclaredObject["resource"], config: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(description.attributes)
      .filter(([, attribute]) => !attribute.shown && !attribute.writeOnly)
      .map(([name, attribute]) => [name, config[name] ?? attribute.defaultValue ?? null]),
  );
}

/** The rotation of a compromised token is not compared with the retention in the state: it ends the replaced tokens once. */
function rememberedRetention({ retention }: TokenEntry, rotation: Rotation | undefined): ObjectValue {
  if (retention === undefined || rotation?.compromised === true) return {};
  const { for: duration, count, rotate_after = null } = retention;
  return { retain_previous_for: duration, retain_previous: count, rotate_after };
}

/** True if the snapshot lacks the keepers, or if they are sensitive and have no value here: then they cannot be comparison. */
function areKeepersHidden({ sensitive }: DeclaredObject, config: ObjectValue, prior: ObjectValue): boolean {
  const { keepers: desired = null } = config;
  if (desired === null || desired === NOT_IN_SNAPSHOT) return false;
  return isUnknown(desired)
    ? sensitive.some(([name]) => name === "keepers")
    : prior["keepers"] === NOT_IN_SNAPSHOT;
}

/** Judges whether tokens end with their user: a token does not belong to a later user of the same login. */
import { partKey, type TokenEntry } from "../../state";
import { type Finding, tokensStay, tokenWithoutUser, whereaboutsOf, endsAnothersToken } from "../../problems";
import { previousOf, unprovenAbsenceOfUser } from "../../resources";
import type { UnprovenAbsence } from "../../service";
import { textOf } from "../../lib/values";
import type { Prune } from "../change";
import type { PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { createsToken, loginOf, tokenKey } from "./identity";

// A token ends with its user. It does not belong to a later user of the same login.

/** True if the user for whom the token was created has certainly been deleted, and the service refuses the token. */
export function isUserDeleted(entry: TokenEntry, target: Pick<ReadTarget, "snapshot" | "unlisted">): boolean {
  return !target.unlisted.has(entry.record.serial) && isUserUnlisted(entry, target);
}

/** According to the lists. */
export function isUserUnlisted(
  { login, record }: TokenEntry,
  { snapshot }: Pick<ReadTarget, "snapshot">,
): boolean {
  const profile = snapshot.profileWithLogin(login);
  if (profile === undefined) return unprovenAbsenceOfUser(login, snapshot) === undefined;
  const [userId, id] = [textOf(record["user_id"]), textOf(profile.id)];
  return userId !== undefined && id !== undefined && userId !== id && userId !== profile.serial;
}

/** True if a delete ends the tokens of a login: it takes their user, or the account that the user is in. */
export function endsTokensOf(login: string, { target, change }: Prune): boolean {
  const user = target.snapshot.profileWithLogin(login);
  return user !== undefined && [user.id, user.account_id].includes(change.observedRecord.id);
}

/** Declared tokens that would end with a deleted object: the next run could not create them again. */
export function checkTokenUsers(
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
    const deletedObject = `the ${end.resource.description.noun} ${JSON.stringify(end.change.title)}`;
    return [tokenWithoutUser.at({ token: object.change.title, deletedObject }, whereaboutsOf(object.change))];
  });
}

/** Tokens of other stacks that end with a deleted object: the plan has no rows for them. */
export function warnEndedTokensOfOthers(
  targets: readonly ReadTarget[],
  prunes: readonly Prune[],
): readonly Finding[] {
  if (prunes.length === 0) return [];
  const services = new Map(targets.map((target) => [target.origin, target]));
  const ownParts = new Set(targets.map(({ part }) => partKey(part.name)));
  return [...services.values()].flatMap(({ origin, part }) => {
    const others = part.neighbours.filter((one) => one.origin === origin && !ownParts.has(partKey(one)));
    return others.flatMap(({ stack, tokens }) =>
      tokens.flatMap((token): readonly Finding[] => {
        const end = prunes.find(
          (prune) => prune.target.origin === origin && endsTokensOf(token.login, prune),
        );
        if (end === undefined) return [];
        const { change, resource } = end;
        const deletedObject = `the ${resource.description.noun} ${JSON.stringify(change.title)}`;
        return [
          endsAnothersToken.at({ token: tokenKey(token), stack, deletedObject }, whereaboutsOf(change)),
        ];
      }),
    );
  });
}

/** Tokens that a plan would revoke at a service that is said to revoke none. A token ends with its user in any case. */
export function warnUnrevocable(
  objects: readonly PlannedObject[],
  prunes: readonly Prune[],
): readonly Finding[] {
  const replacements = objects.filter(({ resource, change }) => {
    if (resource.kind === "record" || change.action === "none" || change.before === null) return false;
    return createsToken(change) || previousOf(change.after).length < previousOf(change.before).length;
  });
  const removals = prunes.filter(
    (one) => one.resource.kind === "token" && !prunes.some((end) => isEndedBy(one, end)),
  );
  const tokens = [...replacements, ...removals]
    .filter(({ target }) => target.connection.tokensRevocable === false)
    .map(({ change }) => change.title);
  return tokens.length === 0 ? [] : [tokensStay.at({ tokens })];
}

/** True if another delete ends the token. */
export function isEndedBy({ resource, target, change }: Prune, end: Prune): boolean {
  if (resource.kind === "record" || target.origin !== end.target.origin) return false;
  return endsTokensOf(textOf(change.before["login"]) ?? "", end);
}

/** Why the user of a token may be live although no list shows the user; undefined where the lists decide. */
export function unprovenAbsenceOfTokenUser(
  { login, record }: TokenEntry,
  { snapshot, unlisted }: Pick<ReadTarget, "snapshot" | "unlisted">,
): UnprovenAbsence | undefined {
  if (snapshot.profileWithLogin(login) !== undefined) return undefined;
  if (unlisted.has(record.serial))
    return { blocksCreate: true, reason: "its user is live, and not in the list of profiles" };
  return unprovenAbsenceOfUser(login, snapshot);
}

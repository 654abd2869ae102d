/**
 * Finds tokens that an earlier state may contain: their users existed before the present state. Creating such a token again could leave a forgotten one,
 * so the user has to confirm it with `--init-state` (design: Tokens).
 */
import type { StatePart, TokenIdentity, PossiblyIssuedToken } from "../../state";
import { absentState, type TenancyError, type Finding, stateElsewhere } from "../../problems";
import { isTokenType } from "../../resources";
import type { Snapshot } from "../../service";
import { groupedBy, normalForm, isKnownText } from "../../lib/values";
import type { PlannedObject, EvaluationResult } from "../planned-object";
import type { ReadTarget } from "../target";
import { createsToken, loginOf } from "./identity";

/** Judges whether a token that is to be created may have been created before, and its state lost. */
export function mayBeIssuedAlready(
  {
    part,
    snapshot,
  }: {
    readonly part: StatePart;
    readonly snapshot: Snapshot;
  },
  token: TokenIdentity,
): boolean {
  const userId = userIdOf(token.login, snapshot);
  if (userId === undefined || part.tokens.get(token) !== undefined) return false;
  if (!part.exists) return true;
  const { possiblyIssued } = part;
  const notes = [possiblyIssued.get(token), possiblyIssued.get({ login: token.login, name: null })];
  return notes.some((note) => note?.user_id === userId);
}

/** @returns an error for each target whose part of the state does not show whether tokens of the plan exist already */
export function absentStates(
  objects: readonly PlannedObject[],
  state: string,
): ReadonlyMap<ReadTarget, TenancyError> {
  const uncertainTokens = objects.filter((object) => {
    const token = tokenOf(object);
    return createsToken(object.change) && token !== undefined && mayBeIssuedAlready(object.target, token);
  });
  return new Map(
    [...groupedBy(uncertainTokens, ({ target }) => target)].map(([target, newTokens]) => {
      const tokens = newTokens.map(({ change }) => change.title);
      return [target, absentState.error({ state, part: target.part, tokens })];
    }),
  );
}

/** The note of a new part of the state: the declared tokens whose users are live. */
export function possiblyIssuedTokens(
  { snapshot, provider }: ReadTarget,
  { objects, unread: unreadBlocks, offlineObjects: foreseen }: EvaluationResult,
): readonly PossiblyIssuedToken[] {
  const here = objects.filter(
    ({ resource, target }) => resource.kind === "token" && target.provider === provider,
  );
  const tokens = here.map(foreseenToken);
  const isWhole =
    unreadBlocks.length === 0 &&
    foreseen.every(({ type }) => !isTokenType(type)) &&
    tokens.every((token) => token !== undefined);
  // If the declared tokens are not known, every user may have one.
  const possibleTokens = isWhole ? tokens : snapshot.profiles.map(({ login }) => ({ login, name: null }));
  return possibleTokens.flatMap((token) => {
    const user_id = typeof token?.login === "string" ? userIdOf(token.login, snapshot) : undefined;
    return token === undefined || user_id === undefined
      ? []
      : [{ login: token.login as string, name: token.name, user_id }];
  });
}

/**
 * Says where the state knows a service for another stack alone, or the logins that are declared for it under another address: a stack
 * may have got another name, and one service may have two addresses.
 * @param siblings the other stacks of the app: their entries are no sign of that
 */
export function knownElsewhere(
  { targets, objects }: Pick<EvaluationResult, "targets" | "objects">,
  state: string,
  siblings: ReadonlySet<string>,
): readonly Finding[] {
  return targets.flatMap((target): readonly Finding[] => {
    const { part, origin } = target;
    const { stack } = part.name;
    const where = { address: `provider.${target.provider}` };
    const others = part.exists
      ? []
      : part.neighbours.filter(
          (one) => one.origin === origin && one.stack !== stack && !siblings.has(one.stack),
        );
    if (others.length > 0) {
      const stacks = [...new Set(others.map((one) => one.stack))];
      return [stateElsewhere.at({ state, origin, stack, stacks }, where)];
    }
    const namesakes = part.neighbours.filter((one) => one.origin !== origin && one.stack === stack);
    if (namesakes.length === 0) return [];
    const logins = liveLoginsOf(objects, target);
    return namesakes.flatMap(({ origin: otherOrigin, logins: known }) => {
      const sharedLogins = logins.filter((login) => known.has(login));
      if (sharedLogins.length === 0) return [];
      return [stateElsewhere.at({ state, origin, otherOrigin, logins: sharedLogins }, where)];
    });
  });
}

/** Live declared users without any entry in the state, and users for whom a token is to be created. */
function liveLoginsOf(objects: readonly PlannedObject[], target: ReadTarget): readonly string[] {
  const logins = objects
    .filter((object) => object.target === target)
    .flatMap((object) => {
      if (object.resource.kind === "record") return target.part.exists ? [] : [object.change.key];
      const token = tokenOf(object);
      return token !== undefined && createsToken(object.change) && target.part.tokens.get(token) === undefined
        ? [token.login]
        : [];
    })
    .filter((login) => userIdOf(login, target.snapshot) !== undefined);
  return [...new Set(logins.map(normalForm))];
}

function tokenOf(object: PlannedObject): TokenIdentity | undefined {
  const login = loginOf(object);
  const name = object.config["name"];
  return object.resource.kind === "token" && login !== undefined && typeof name === "string"
    ? { login, name }
    : undefined;
}

/** The login of a user whom the run makes is known by the token's planned key alone. Undefined where that is not whole either. */
export function foreseenToken(object: PlannedObject): TokenIdentity | undefined {
  const { key } = object.change;
  const name = object.config["name"];
  if (object.resource.kind === "record" || typeof name !== "string" || !isKnownText(key)) return undefined;
  return tokenOf(object) ?? { login: key.slice(0, -`/${name}`.length), name };
}

/** Undefined where there is no such user. */
function userIdOf(login: string, snapshot: Snapshot): string | undefined {
  const user = snapshot.profileWithLogin(login);
  return user && (user.id ?? user.serial ?? "");
}

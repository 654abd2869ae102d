/** Assembles the family of authorizations, which are persistent API tokens. */
import {
  ApiError,
  asWarning,
  type Finding,
  invalidValue,
  tokenCreationImpossible,
  TenancyError,
  throwAll,
  tokenNotVerified,
  tokenWaits,
  versionWithoutValue,
  type WayToCreateToken,
} from "../../problems";
import type { ProfileRecord } from "../../api";
import { type Connection, isPrimary } from "../../service";
import { parseDuration } from "../../schema";
import { isObject, isUnknown, type ObjectValue, textOf, UNKNOWN } from "../../lib/values";
import { inEffect } from "../ends";
import type { DeleteRequest, Family, Outcome, TokenResource, UpdateRequest } from "../family";
import { stateAfterWrite } from "../record";
import { authorization } from "./description";
import { createToken } from "./create";
import {
  endedState,
  isEnded,
  previousOf,
  proposeToken,
  retainedTokens,
  retentionOf,
  retiredEntry,
  revocableOf,
  rotates,
  staysUntilRefused,
  tokensOf,
  withUser,
} from "./plan";
import { otherReason, revoke, tryRevoke } from "./revoke";
import { checkReaders, readersOf, seal } from "./seal";
import { SECOND_FACTOR } from "./with-password";

export { authorizationMembers } from "./description";
export {
  endedState,
  endedEarly,
  endOf,
  endOfLife,
  previousOf,
  retainedByRotation,
  retainedTokens,
  retentionOf,
  tokensOf,
  describeRotation,
  isRotatedByAge,
  rotationDay,
  plansNewToken,
} from "./plan";
export { identitiesIn, isSealed, openSealed, readersOf } from "./seal";
export { unprovenAbsenceOfUser, revoke } from "./revoke";
export { removeTemporaryPassword } from "./with-password";

const { attributes } = authorization;

/** Rules between the attributes of a token. */
function checkTokenConfig(config: ObjectValue): readonly Finding[] {
  const loginWith = config["login_with"] ?? "password";
  const isGiven = (name: string): boolean => (config[name] ?? null) !== null;
  if (isUnknown(loginWith)) return [];
  if (loginWith !== "password" && !isGiven("login"))
    return [
      tokenCreationImpossible.at(
        { why: `"${textOf(loginWith)}" needs a login`, instead: ["login"] },
        { attribute: ["login"] },
      ),
    ];
  const readers = checkReaders(config, true);
  if (readers.length > 0) return readers;
  if (isGiven("password_wo_version") && !isGiven("password_wo"))
    return [versionWithoutValue.at("password_wo", { attribute: ["password_wo_version"] })];
  return checkAge(config);
}

/** A token that is due before the one that it replaced has ended would end it early. */
function checkAge(config: ObjectValue): readonly Finding[] {
  const age = parseDuration(textOf(config["rotate_after"]) ?? "");
  const { forMs: overlap } = retentionOf(config);
  if (age === undefined) return [];
  const least = parseDuration("1d") ?? 0;
  if (age < least || age <= (overlap ?? 0))
    return [
      invalidValue.at(
        age < least ? "must be at least one day" : "must be longer than `retain_previous_for`",
        {
          attribute: ["rotate_after"],
          advice: (say) =>
            `Set a longer ${say.name("rotate_after")}, or a shorter ${say.name("retain_previous_for")}.`,
        },
      ),
    ];
  return [];
}

/** Reasons that will keep a token from being created. A secret that is known only at apply counts as good. */
async function checkBeforeCreate(
  connection: Connection,
  config: ObjectValue,
  _replaced?: ObjectValue,
  plannedUser?: (login: string) => ObjectValue | undefined,
): Promise<readonly Finding[]> {
  const { username, hasCodes, directory } = connection;
  const loginWith = config["login_with"] ?? "password";
  const declaredLogin = config["login"] ?? null;
  if (isUnknown(declaredLogin)) return [];
  const login = textOf(declaredLogin) ?? username;
  const refusal = (why: string, instead: readonly WayToCreateToken[], attribute: string) => [
    tokenCreationImpossible.at({ login, why, instead }, { attribute: [attribute] }),
  ];
  const isWithoutPassword = loginWith === "password" && (config["password_wo"] ?? null) === null;
  if (login === undefined)
    return isWithoutPassword ? refusal(NOT_GIVEN, ["login and password"], "login") : [];

  // The user after the plan. Attributes that are not in the plan keep their live values. If the lists cannot be read, the creation itself
  // will show the error.
  const lists = await directory.snapshot().catch(() => undefined);
  const profile = lists?.profileWithLogin(login);
  const { access = null, two_factor: twoFactor = null } = profile ?? {};
  const planned = plannedUser?.(login);
  const user = planned && inEffect(planned);
  if (hasNoAccess(profile, planned))
    return [tokenWaits.at({ key: `${login}/${textOf(config["name"]) ?? ""}` })];
  const hasAccess = user?.["access_api"] ?? (isObject(access) ? (access["api"] ?? null) : null);
  const factor = user?.["two_factor_auth"] ?? (isObject(twoFactor) ? (twoFactor["auth"] ?? null) : null);
  if (hasAccess === false)
    return refusal("the user has no API access", ["API access", "another user"], "login");
  const account = lists?.account(textOf(profile?.account_id) ?? "");
  const isOfAccount = profile !== undefined && isPrimary(profile, account);
  const isAccountDisabled = account?.disabled === true;
  if (isAccountDisabled || (profile?.activated === false && planned?.["activated"] !== true))
    return refusal(
      isAccountDisabled ? "the account is disabled" : "the user is not activated",
      ["an active user"],
      "login",
    );
  // The run itself has a session already, and knows its own codes.
  if (login === username && hasCodes && loginWith === "password") return [];
  const obstacle =
    (textOf(factor) ?? "none") === "none"
      ? await passwordObstacle(connection, { config, profile, planned, isOfAccount })
      : SECOND_FACTOR;
  if (obstacle === undefined) return [];
  return refusal(obstacle.why, obstacle.instead, isWithoutPassword ? "password_wo" : "login_with");
}

const NOT_GIVEN = "its password is not given";

interface PasswordUser {
  readonly config: ObjectValue;
  readonly profile: ProfileRecord | undefined;
  readonly planned: ObjectValue | undefined;
  /** True for the primary user of an account, whose password can be replaced, but not taken away. */
  readonly isOfAccount: boolean;
}

/** A temporary password would replace a password in use; a declared password needs a user who has one. */
async function passwordObstacle(
  { directory, username }: Connection,
  { config, profile, planned, isOfAccount }: PasswordUser,
): Promise<{ readonly why: string; readonly instead: readonly WayToCreateToken[] } | undefined> {
  const isOwn = (config["login"] ?? username) === username;
  const isTemporary = config["login_with"] === "temporary_password";
  if (!isTemporary && isOwn) return undefined;
  const single =
    isTemporary && typeof profile?.id === "string" && profile.password_set === undefined
      ? await directory.profile(profile.id).catch(() => undefined)
      : undefined;
  const hasPassword = passwordAfter(single ?? profile, planned);
  if (!isTemporary && hasPassword === false)
    return { why: "the user has no password", instead: ["a declared password", "a temporary password"] };
  if (!isTemporary)
    return (config[PASSWORD] ?? null) === null ? { why: NOT_GIVEN, instead: ["password"] } : undefined;
  const { [PASSWORD]: declaredPassword } = planned ?? {};
  if (hasPassword === true && (declaredPassword ?? null) === null)
    return {
      why: "the user has a password that is not declared",
      instead: ["with the password", "a new password", ...(isOfAccount ? [] : (["no password"] as const))],
    };
  if (hasPassword === true)
    return { why: "the user has a declared password", instead: ["with the password"] };
  return hasPassword === undefined && profile !== undefined && !isUnknown(planned?.["password_set"] ?? null)
    ? { why: "the service does not say that the user has no password", instead: ["with the password"] }
    : undefined;
}

const PASSWORD = "password_wo";

/** True if the user has a password after the plan; undefined where that is not known. */
function passwordAfter(
  profile: ProfileRecord | undefined,
  planned: ObjectValue | undefined,
): boolean | undefined {
  const declaredPassword = planned?.[PASSWORD];
  const isDeclared = declaredPassword === undefined ? undefined : declaredPassword !== null;
  if (profile === undefined) return isDeclared;
  const live = profile.password_set;
  const set = planned?.["password_set"] ?? (isDeclared === true ? UNKNOWN : live);
  if (typeof set === "boolean") return set;
  if (!isUnknown(set ?? null) || isDeclared === undefined) return undefined;
  return isDeclared || (typeof live === "boolean" ? live : undefined);
}

/**
 * True if a user has neither web nor API access: the user is suspended, or the access has ended.
 * @param planned the user as a plan leaves the user. @default as the user is live
 */
export function hasNoAccess(profile: ProfileRecord | undefined, planned?: ObjectValue): boolean {
  const access = isObject(profile?.access) ? profile.access : {};
  const user = planned && inEffect(planned);
  return (["web", "api"] as const).every((way) => (user?.[`access_${way}`] ?? access[way]) === false);
}

async function waits({ directory, username }: Connection, token: ObjectValue): Promise<boolean> {
  const login = textOf(token["login"]) ?? username;
  if (login === undefined) return false;
  try {
    return hasNoAccess((await directory.snapshot()).profileWithLogin(login));
  } catch (error) {
    // The creation itself will show the error.
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Checks whether a token is still valid. Nothing is forgotten on a guess (design: Tokens). */
async function readTokenState(connection: Connection, known: ObjectValue): Promise<Outcome | undefined> {
  // Without a time no retention ends. A service that revokes tokens after all counts it from now.
  const timeOf = ({ retired_at: at = null }: ObjectValue) =>
    connection.tokensRevocable === false ? null : (at ?? connection.now().toISOString());
  const previous = previousOf(known).map((token) => ({ ...token, retired_at: timeOf(token) }));
  const prior: ObjectValue = previous.length === 0 ? known : { ...known, previous };
  const token = textOf(prior["access_token"]);
  const serial = textOf(prior["serial"]) ?? "unknown";
  const unverified = (why: string): Outcome => ({
    state: prior,
    findings: [tokenNotVerified.at({ serial, why })],
  });
  try {
    if (token === undefined && isEnded(prior)) {
      const outcome = await readPredecessors(connection, prior);
      return outcome ?? ((await waits(connection, prior)) ? { state: prior, findings: [] } : undefined);
    }
    // Without an identity a sealed token cannot be presented, so it counts as good.
    if (token === undefined && textOf(prior["access_token_sealed"]) !== undefined)
      return { state: prior, findings: [] };
    if (token === undefined) return unverified("its secret is not known");
    const check = await connection.client.callerAs({ kind: "bearer", token });
    if (check.status === 200) return { state: prior, findings: [] };
    if (check.status === 403) return unverified("the service knows it, and denies it access (403)");
    const reason = await otherReason(connection, prior, token);
    if (reason !== undefined) return unverified(`it is refused (401), and ${reason}`);
    return await readPredecessors(connection, prior);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unverified(error.message);
  }
}

/** If a token has ended outside Tenancy, the tokens that it replaced stay, unless the service proves that they have ended, too. */
async function readPredecessors(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const mayBeGood: ObjectValue[] = [];
  for (const token of previousOf(prior))
    if (!(await isProvenEnded(connection, withUser(token, prior)))) mayBeGood.push(token);
  return mayBeGood.length === 0 ? undefined : { state: endedState(prior, mayBeGood), findings: [] };
}

/** A token without a known secret proves nothing. */
async function isProvenEnded(connection: Connection, token: ObjectValue): Promise<boolean> {
  const secret = textOf(token["access_token"]);
  if (secret === undefined) return false;
  const { status } = await connection.client.callerAs({ kind: "bearer", token: secret });
  return status === 401 && (await otherReason(connection, token, secret)) === undefined;
}

/** Rotation in place: the old token stays valid for a while, and is revoked afterwards (design: Tokens). */
async function updateToken(connection: Connection, request: UpdateRequest): Promise<Outcome> {
  const { prior, planned, config, asOf, rotate: isForced = false, isWaiting = false } = request;
  const isRotation = !isWaiting && (isForced || rotates(config, prior, asOf));
  const now = connection.now();
  const predecessors = isRotation
    ? tokensOf(prior).map((token) => (token === prior ? retiredEntry(prior, now) : token))
    : previousOf(prior);
  // Plain tokens are sealed when they retire, and revoked with the secret that is at hand.
  const keptPredecessors = isRotation
    ? await Promise.all(predecessors.map((token) => seal(token, readersOf(config))))
    : predecessors;
  const stateWith = (record: ObjectValue): ObjectValue => ({
    ...stateAfterWrite(attributes, planned, record),
    previous: keptPredecessors,
  });
  const { state, findings }: Outcome = isRotation
    ? await createToken(connection, request, stateWith)
    : { state: stateWith(prior), findings: [] };

  // A token that could not be revoked stays in the list, so that the next apply tries again.
  const tokensToKeep = new Set(retainedTokens(predecessors, retentionOf(config), asOf));
  const previous: ObjectValue[] = [];
  const notes: Finding[] = [];
  const isListed = connection.tokensRevocable === false;
  for (const [index, token] of predecessors.entries()) {
    if (!tokensToKeep.has(token) || (isRotation && staysUntilRefused(token)))
      try {
        notes.push(...(await revoke(connection, withUser(token, state))));
        continue;
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        const findings = isListed ? asWarning(error) : error.toFindings();
        notes.push(...findings.map((one) => ({ ...one, attribute: ["previous"] })));
        if (isListed && request.keeper?.noteUnrevoked !== undefined) {
          request.keeper.noteUnrevoked(textOf(token["serial"]) ?? "");
          continue;
        }
      }
    previous.push(keptPredecessors[index] ?? token);
  }
  return { state: { ...state, previous }, findings: [...findings, ...notes] };
}

/** Revokes a token and the tokens that it replaced. @throws if one of them is still valid; all are tried */
async function deleteTokens(connection: Connection, { prior }: DeleteRequest): Promise<readonly Finding[]> {
  const warnings: Finding[] = [];
  const failures: TenancyError[] = [];
  for (const token of revocableOf(prior)) {
    try {
      warnings.push(...(await revoke(connection, token)));
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      failures.push(error);
    }
  }
  throwAll(failures);
  return warnings;
}

/** Tokens cannot be imported: the service does not show their secrets. */
export const resource: TokenResource = {
  kind: "token",
  description: authorization,
  check: checkTokenConfig,
  ages: (state) => previousOf(state).length > 0,
  propose: proposeToken,
  checkBeforeCreate,
  waits,
  read: readTokenState,
  create: (connection, request) =>
    createToken(connection, request, (record) => stateAfterWrite(attributes, request.planned, record)),
  update: updateToken,
  async undoCreate(connection, prior, state) {
    if ((state["serial"] ?? null) !== (prior?.["serial"] ?? null)) await tryRevoke(connection, state);
  },
  delete: deleteTokens,
};

export const family: Family = { resource };

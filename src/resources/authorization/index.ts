/** Assembles the family of authorizations, which are persistent API tokens. */
import {
  ApiError,
  type Finding,
  tokenCreationImpossible,
  SeveralFailures,
  switchUserUnset,
  TenancyError,
  tokenNotVerified,
  versionWithoutValue,
} from "../../problems";
import type { Connection } from "../../service";
import { isObject, isUnknown, type ObjectValue, textOf, type Value } from "../../lib/values";
import type { CreateRequest, DeleteRequest, Family, Outcome, TokenResource, UpdateRequest } from "../family";
import { stateAfterWrite } from "../record";
import { authorization } from "./description";
import { mintToken } from "./mint";
import {
  endedState,
  isEnded,
  kept,
  previousOf,
  proposeToken,
  retentionOf,
  retiredEntry,
  revocableOf,
  rotates,
  tokensOf,
  withUser,
} from "./plan";
import { otherReason, revoke, tryRevoke } from "./revoke";
import { SECOND_FACTOR } from "./with-password";

export { authorizationMembers } from "./description";
export {
  endedState,
  endedEarly,
  endOf,
  endOfLife,
  kept,
  keptByRotation,
  previousOf,
  retentionOf,
  tokensOf,
  toldOfRotation,
} from "./plan";
export { isAbout } from "./mint";
export { doubtOfUser, revoke } from "./revoke";
export { takeAwayLeftPassword } from "./with-password";

const { attributes } = authorization;

/** Rules between the attributes of a token, and what a plan can say of its creating tokens. */
function checkToken(config: ObjectValue): readonly Finding[] {
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
  if (isGiven("password_wo_version") && !isGiven("password_wo"))
    return [versionWithoutValue.at("password_wo", { attribute: ["password_wo_version"] })];
  return [];
}

/** Reasons that will keep a token from being created. A secret that is known only at apply counts as good. */
async function foreseeMinting(
  connection: Connection,
  config: ObjectValue,
  _replaced?: ObjectValue,
  plannedUser?: (login: string) => ObjectValue | undefined,
): Promise<readonly Finding[]> {
  const { username, canSwitchUser } = connection;
  const loginWith = config["login_with"] ?? "password";
  const login = config["login"] ?? null;
  if (loginWith === "switch_user" && !canSwitchUser) return [switchUserUnset.at()];
  if (isUnknown(login)) return [];
  const whose = textOf(login) ?? username;
  if (loginWith === "password" && (config["password_wo"] ?? null) === null && (whose ?? null) !== username)
    return [
      tokenCreationImpossible.at(
        {
          login: whose,
          why: "its password is not given",
          instead: ["login and password", "another way"],
        },
        { attribute: [login === null ? "login" : "password_wo"] },
      ),
    ];
  if (whose === undefined) return [];
  const user = await userAsPlanned(connection, whose, plannedUser?.(whose));
  return foreseeUser(connection, whose, textOf(loginWith), user);
}

/** What a user may be able to do when the token is created. */
interface ForeseenUser {
  readonly access_api: Value;
  readonly two_factor_auth: Value;
}

/** @param planned state as the plan leaves the user; what it lacks stays as it is live */
async function userAsPlanned(
  { directory }: Connection,
  login: string,
  planned: ObjectValue | undefined,
): Promise<ForeseenUser> {
  // Where the lists cannot be read, the creation itself will tell.
  const lists = await directory.snapshot().catch(() => undefined);
  const user = lists?.profileWithLogin(login);
  const { access = null, two_factor: twoFactor = null } = user ?? {};
  return {
    access_api: planned?.["access_api"] ?? (isObject(access) ? (access["api"] ?? null) : null),
    two_factor_auth:
      planned?.["two_factor_auth"] ?? (isObject(twoFactor) ? (twoFactor["auth"] ?? null) : null),
  };
}

function foreseeUser(
  { username, hasCodes }: Connection,
  login: string,
  loginWith: string | undefined,
  user: ForeseenUser,
): readonly Finding[] {
  if (user.access_api === false)
    return [
      tokenCreationImpossible.at(
        { login, why: "the user has no API access", instead: ["API access", "another user"] },
        { attribute: ["login"] },
      ),
    ];
  // An administrator who acts as the user has a session already, and so has the run itself, which knows its own codes.
  if (loginWith === "switch_user" || (login === username && hasCodes)) return [];
  const factor = textOf(user.two_factor_auth) ?? "none";
  return factor === "none"
    ? []
    : [tokenCreationImpossible.at({ login, ...SECOND_FACTOR }, { attribute: ["login_with"] })];
}

/** A new token. */
async function createToken(connection: Connection, request: CreateRequest): Promise<Outcome> {
  return mintToken(connection, request, (shown) => stateAfterWrite(attributes, request.planned, shown));
}

/** Checks whether a token is still valid. Nothing is forgotten on a guess (design: Tokens). */
async function readToken(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const token = textOf(prior["access_token"]);
  const serial = textOf(prior["serial"]) ?? "unknown";
  const unproven = (why: string): Outcome => ({
    state: prior,
    findings: [tokenNotVerified.at({ serial, why })],
  });
  try {
    if (token === undefined && isEnded(prior)) return await withoutToken(connection, prior);
    if (token === undefined) return unproven("its secret is not known");
    const check = await connection.client.callerAs({ kind: "bearer", token });
    if (check.status === 200) return { state: prior, findings: [] };
    if (check.status === 403) return unproven("the service knows it, and denies it access (403)");
    const reason = await otherReason(connection, prior, token);
    if (reason !== undefined) return unproven(`it is refused (401), and ${reason}`);
    return await withoutToken(connection, prior);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unproven(error.message);
  }
}

/** What is left of a token that has ended outside: those that it replaced, and that the service does not prove to have ended. */
async function withoutToken(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const left: ObjectValue[] = [];
  for (const token of previousOf(prior))
    if (!(await isProvenEnded(connection, withUser(token, prior)))) left.push(token);
  return left.length === 0 ? undefined : { state: endedState(prior, left), findings: [] };
}

/** Whether a token has certainly ended. A token whose secret is not at hand proves nothing. */
async function isProvenEnded(connection: Connection, token: ObjectValue): Promise<boolean> {
  const secret = textOf(token["access_token"]);
  if (secret === undefined) return false;
  const { status } = await connection.client.callerAs({ kind: "bearer", token: secret });
  return status === 401 && (await otherReason(connection, token, secret)) === undefined;
}

// Rotation in place: the old token stays valid for a while, and is revoked afterwards (design: Tokens).

async function updateToken(connection: Connection, request: UpdateRequest): Promise<Outcome> {
  const { prior, planned, config, asOf, rotate: isForced = false } = request;
  const rotated = isForced || rotates(config, prior) ? await rotate(connection, request) : undefined;
  const state = rotated?.state ?? {
    ...stateAfterWrite(attributes, planned, prior),
    previous: previousOf(prior),
  };
  const stay = new Set(kept(previousOf(state), retentionOf(config), asOf));
  const purge = await revokeReplaced(connection, state, stay);
  return {
    state: { ...state, previous: purge.left },
    findings: [...(rotated?.findings ?? []), ...purge.findings],
  };
}

async function rotate(connection: Connection, request: UpdateRequest): Promise<Outcome> {
  const { prior, planned } = request;
  const now = connection.now();
  const previous = tokensOf(prior).map((token) => (token === prior ? retiredEntry(prior, now) : token));
  return mintToken(connection, request, (shown) => ({
    ...stateAfterWrite(attributes, planned, shown),
    previous,
  }));
}

interface Purge {
  readonly left: readonly ObjectValue[];
  readonly findings: readonly Finding[];
}

/** A token that could not be revoked stays in the list, so that the next apply tries again. */
async function revokeReplaced(
  connection: Connection,
  state: ObjectValue,
  stay: ReadonlySet<ObjectValue>,
): Promise<Purge> {
  const left: ObjectValue[] = [];
  const findings: Finding[] = [];
  for (const token of previousOf(state)) {
    if (stay.has(token)) left.push(token);
    else
      try {
        await revoke(connection, withUser(token, state));
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        left.push(token);
        findings.push(...error.toFindings({ attribute: ["previous"] }));
      }
  }
  return { left, findings };
}

// Revocation of a token, and of the tokens that it replaced.

/** @throws where one of them is still good; all are tried */
async function deleteToken(connection: Connection, { prior }: DeleteRequest): Promise<readonly Finding[]> {
  const failures: TenancyError[] = [];
  for (const token of revocableOf(prior)) {
    try {
      await revoke(connection, token);
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      failures.push(error);
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return [];
  if (others.length === 0) throw first;
  throw new SeveralFailures(failures);
}

/** Tokens cannot be imported: the service does not show their secrets. */
export const resource: TokenResource = {
  kind: "token",
  description: authorization,
  check: checkToken,
  ages: (state) => previousOf(state).length > 0,
  propose: proposeToken,
  checkBeforeCreate: foreseeMinting,
  read: readToken,
  create: createToken,
  update: updateToken,
  async undoCreate(connection, prior, state) {
    if (state["access_token"] !== prior?.["access_token"]) await tryRevoke(connection, state);
  },
  delete: deleteToken,
};

export const family: Family = { resource };

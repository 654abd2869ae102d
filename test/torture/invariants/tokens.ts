import { isTokenCreation } from "../world/exchange";
import { declaredUsers, type TokenName } from "../model/declaration";
import type { KeptTokens } from "../world/kept-state";
import { profileWithLogin, tokenWith } from "../world/snapshot";
import type { CreatedToken } from "../world/chronicle";
import type { Invariant, Witness } from "./invariant";
import { seesEveryAccount, userIn } from "./whose";
import { writesOf } from "./writes";

export const tokens: Invariant = {
  title: "each token ever created is kept with its secret, or refused, or reported",
  violations: (witness) =>
    witness.chronicle.createdTokens
      .filter((token) => !isAccountedFor(token, witness))
      .map(({ serial, login }) => `the token ${serial} of ${login} is good, and nobody knows it`),
};

function isAccountedFor({ serial, secret, login }: CreatedToken, witness: Witness): boolean {
  const { after, state, chronicle } = witness;
  if (
    tokenWith(serial, after) === undefined ||
    chronicle.settledTokens.has(serial) ||
    isTakenForRevoked(serial, witness)
  )
    return true;
  const stored = state.after?.everywhere;
  return holds(stored, { serial, secret }) || hasIntent(stored, login);
}

/** The service said that it had revoked the token, and then refused the token, for its user was suspended: the run could not have done more. */
export function isTakenForRevoked(
  serial: string,
  { chronicle, service }: Pick<Witness, "chronicle" | "service">,
): boolean {
  return service.revokes === "ignores" && chronicle.revokedTokens.has(serial);
}

function hasIntent(kept: KeptTokens | undefined, login: string): boolean {
  return kept?.intents.some((intent) => intent.login === login) === true;
}

function holds(kept: KeptTokens | undefined, { serial, secret }: Pick<CreatedToken, "serial" | "secret">) {
  return [
    ...(kept?.tokens ?? []).map(({ record }) => record),
    ...(kept?.tokens ?? []).flatMap(({ previous }) => previous),
    ...(kept?.failedRevocations ?? []),
  ].some((token) => token.serial === serial && token.access_token === secret);
}

/**
 * Live tokens that nobody remembers, looked for once no user is suspended any more and nothing else happens. A token counts although a run has
 * told of it: a run may have said that it revoked a token which works again now.
 * @param works true if the service accepts a token now
 */
export async function forgottenTokens(
  { chronicle, service }: Witness,
  kept: KeptTokens | undefined,
  works: (secret: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const token of chronicle.createdTokens) {
    const { serial, secret, login } = token;
    if (chronicle.lostTokens.has(serial) || holds(kept, token) || hasIntent(kept, login)) continue;
    if (isTakenForRevoked(serial, { chronicle, service })) continue;
    if (await works(secret)) findings.push(`the token ${serial} of ${login} works, and is forgotten`);
  }
  return findings;
}

/** Holds for runs that have read the state and the service. Another run may have settled an intent meanwhile. */
export const openIntents: Invariant = {
  title: "an open intent is reported with its user by every run until it is settled, or the user is gone",
  violations: ({ state, outcome, before }) => {
    if (outcome.planned.length === 0 || outcome.isUnread === true) return [];
    const open = new Set(state.after?.intents.map(({ id }) => id));
    const lines = outcome.printed.flatMap((text) => text.split("\n"));
    const logins = new Set([...before.profiles.values()].map(({ login }) => login));
    return (state.before?.intents ?? [])
      .filter(({ id, login }) => open.has(id) && logins.has(login))
      .filter(
        ({ login }) => !lines.some((line) => line.includes("TENANCY_OPEN_INTENT") && line.includes(login)),
      )
      .map(({ login, name }) => `the open intent of ${login}/${name} is not reported`);
  },
};

export const unaskedTokens: Invariant = {
  title: "where the state is gone, no token is created unasked for a user who is live",
  violations: ({ state, flags, before, exchanges }) => {
    if (state.before?.isKnown === true || flags.initState) return [];
    return exchanges.flatMap((exchange) => {
      if (!isTokenCreation(exchange)) return [];
      return exchange.commits.flatMap((commit) => {
        if (commit.kind !== "token" || commit.after === undefined) return [];
        // A user of that login whom the run made anew has no tokens from before.
        const was = before.profiles.get(commit.after.user_id);
        return was === undefined ? [] : [`a token was created for ${was.login} without a state`];
      });
    });
  },
};

/** Also where the token's user has another id by now: only a refusal of the token itself says that it has ended. */
export const unchangedTokens: Invariant = {
  title: "no token is revoked that works and is declared as before",
  violations: (witness) => {
    const { declaration, state, verb } = witness;
    if (verb === "destroy" || state.isShared === true) return [];
    return writesOf(witness).flatMap(({ method, path, commits }) =>
      commits.flatMap(({ kind, before }) => {
        if (method !== "DELETE" || !path.startsWith("/api/authorization/") || kind !== "token") return [];
        const known = state.before?.tokens.find(({ record }) => record.serial === before?.serial);
        const user = known && userIn(declaration, known.login);
        const declaredToken = known && user?.tokens[known.name as TokenName];
        return declaredToken !== undefined && known?.keepers?.rotation === String(declaredToken.keepers)
          ? [`${method} ${path} revoked the token ${known.login}/${known.name}`]
          : [];
      }),
    );
  },
};

/** One service may have two addresses, and a run does not find what the state keeps under the other one. */
export const otherAddress: Invariant = {
  title: "a plan says where the state knows the same logins under another address",
  violations: (witness) => {
    const { declaration, before, exchanges, outcome, state, verb } = witness;
    if (outcome.planned.length === 0 || outcome.isUnread === true || verb === "destroy") return [];
    // The plan does not know a user to be live whom a list leaves out, or who is in an account that the caller does not see.
    if (!seesEveryAccount(witness)) return [];
    if (exchanges.some(({ strike }) => strike?.kind === "lagging list" || strike?.kind === "short list"))
      return [];
    const { before: stateBefore } = state;
    if (stateBefore === undefined || stateBefore.isKnown) return [];
    const rivals = exchanges.flatMap((exchange) => [...exchange.rivals.before, ...exchange.rivals.after]);
    const deletedLogins = new Set(
      rivals.map((commit) =>
        commit.kind === "profile" && commit.after === undefined ? commit.before?.login : undefined,
      ),
    );
    const logins = declaredUsers(declaration)
      .map(({ login }) => login)
      .filter((login) => stateBefore.everywhere.tokens.some((token) => token.login === login))
      .filter((login) => profileWithLogin(before, login) !== undefined)
      // Somebody else may have deleted the user before the lists were read.
      .filter((login) => !deletedLogins.has(login));
    return outcome.printed.some((text) => text.includes("TENANCY_STATE_ELSEWHERE"))
      ? []
      : logins.map((login) => `the state knows ${login} under another address, and nobody was told`);
  },
};

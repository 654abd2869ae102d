import { isMinting } from "../world/exchange";
import { profileWithLogin } from "../world/snapshot";
import type { MintedToken } from "../world/chronicle";
import type { Invariant, Witness } from "./invariant";

export const tokens: Invariant = {
  title: "each token ever minted is kept with its secret, or refused, or reported",
  violations: (witness) =>
    witness.chronicle.minted
      .filter((token) => !isAccountedFor(token, witness))
      .map(({ serial, login }) => `the token ${serial} of ${login} is good, and nobody knows it`),
};

function isAccountedFor({ id, serial, secret, login }: MintedToken, witness: Witness): boolean {
  const { after, store, chronicle } = witness;
  if (!after.tokens.has(id) || chronicle.settled.has(serial)) return true;
  const kept = store.after;
  const holdsSecret = [
    ...(kept?.tokens ?? []).map(({ record }) => record),
    ...(kept?.tokens ?? []).flatMap(({ previous }) => previous),
    ...(kept?.failedRevocations ?? []),
  ].some((token) => token.serial === serial && token.access_token === secret);
  return holdsSecret || kept?.intents.some((intent) => intent.login === login) === true;
}

/** Once a run has come so far as to read the store and the service. What was settled meanwhile may have been so by another run. */
export const openIntents: Invariant = {
  title: "an open intent is reported by every run until it is settled",
  violations: ({ store, outcome }) => {
    if (outcome.planned.length === 0) return [];
    const open = new Set(store.after?.intents.map(({ id }) => id));
    return (store.before?.intents ?? [])
      .filter(({ id }) => open.has(id) && !outcome.printed.some((text) => text.includes(id)))
      .map(({ login, name }) => `the open intent of ${login}/${name} is not reported`);
  },
};

export const askedMinting: Invariant = {
  title: "where the store is gone, nothing is minted unasked for a user who is live",
  violations: ({ store, flags, before, exchanges, after }) => {
    if (store.before !== undefined || flags.initStore) return [];
    return exchanges.flatMap((exchange) => {
      if (!isMinting(exchange)) return [];
      return exchange.commits.flatMap((commit) => {
        if (commit.kind !== "token" || commit.after === undefined) return [];
        const user = after.profiles.get(commit.after.user_id) ?? before.profiles.get(commit.after.user_id);
        const was = user && profileWithLogin(before, user.login);
        return was === undefined ? [] : [`a token was minted for ${was.login} without a store`];
      });
    });
  },
};

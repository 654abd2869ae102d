/** Keeps minted tokens: an intent on disk before, the token on disk after, success reported only then (design: Tokens). */
import { randomUUID } from "node:crypto";
import type { CredentialStore, Ledger, TokenEntry, TokenIdentity } from "../../credentials";
import type { MintIntent, TokenKeeper } from "../../resources";
import { failedRevocationsOf } from "./failed-revocations";
import { tokenOfState } from "./token-state";

export interface KeeperOptions {
  readonly store: CredentialStore;
  readonly ledger: Ledger;
  readonly now: () => Date;
  /** Called before anything is noted or sent. @throws TenancyError where the token must not be minted */
  readonly demand: (token: TokenIdentity) => void;
}

export function tokenKeeper({ store, ledger, now, demand }: KeeperOptions): TokenKeeper {
  return {
    keptFor(login) {
      const ending = new Set(ledger.failedRevocations.list().map(({ serial }) => serial));
      return ledger.tokens
        .list()
        .filter((entry) => entry.login.normalize("NFC") === login.normalize("NFC"))
        .flatMap(({ record, previous }) => [record, ...previous])
        .filter(({ serial }) => !ending.has(serial));
    },
    async intend(login, name, mintWith): Promise<MintIntent> {
      demand({ login, name });
      const intent = { id: randomUUID(), login, name, mint_with: mintWith, started_at: now().toISOString() };
      ledger.intents.put(intent);
      await store.save();
      return {
        async keep(state) {
          const undo = putToken(ledger, tokenOfState(state), now());
          ledger.intents.remove(intent);
          const doubt = ledger.doubtfulTokens.get({ login, name });
          ledger.doubtfulTokens.remove({ login, name });
          try {
            await store.save();
          } catch (error) {
            undo();
            ledger.intents.put(intent);
            if (doubt !== undefined) ledger.doubtfulTokens.put(doubt);
            throw error;
          }
        },
        async drop() {
          ledger.intents.remove(intent);
          await store.save();
        },
      };
    },
  };
}

/**
 * Puts a token into the ledger. One that it takes the place of, and that it does not keep as a previous one, is revoked until it is
 * refused.
 * @returns what makes the ledger as it was
 */
function putToken({ tokens, failedRevocations }: Ledger, token: TokenEntry, at: Date): () => void {
  const before = tokens.get(token);
  const kept = new Set([token.record, ...token.previous].map(({ serial }) => serial));
  const replaced =
    before === undefined ? [] : failedRevocationsOf(before, at).filter(({ serial }) => !kept.has(serial));
  replaced.forEach((one) => failedRevocations.put(one));
  tokens.put(token);
  return () => {
    replaced.forEach(({ serial }) => failedRevocations.remove({ serial }));
    tokens.remove(token);
    if (before !== undefined) tokens.put(before);
  };
}

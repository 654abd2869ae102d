/** Keeps minted tokens: an intent on disk before, the token on disk after, success reported only then (design §6). */
import { randomUUID } from "node:crypto";
import type { CredentialStore, Ledger } from "../../credentials";
import type { MintIntent, TokenKeeper } from "../../resources";
import { tokenOfState } from "./token-state";

export function tokenKeeper(store: CredentialStore, ledger: Ledger, now: () => Date): TokenKeeper {
  return {
    async intend(login, name, mintWith): Promise<MintIntent> {
      const id = randomUUID();
      ledger.intents.put({ id, login, name, mint_with: mintWith, started_at: now().toISOString() });
      await store.save();
      return {
        async keep(state) {
          ledger.tokens.put(tokenOfState(state));
          ledger.intents.remove({ id });
          await store.save();
        },
        async drop() {
          ledger.intents.remove({ id });
          await store.save();
        },
      };
    },
  };
}

/** `tenancy token list`: what the store keeps. Contacts nobody, and changes nothing. */
import { openStore } from "../../credentials";
import { ownerAt } from "../../ownership";
import type { PlanOptions, StackSource } from "../options";
import { storeOptionsOf } from "../store/store-options";
import { keptTokens, type KeptTokens } from "./kept-tokens";
import { tokenPlaces } from "./token-places";

export async function listTokens(
  sources: readonly StackSource[],
  options: PlanOptions,
): Promise<readonly KeptTokens[]> {
  const store = openStore(storeOptionsOf(options));
  const kept = new Map<string, KeptTokens>();
  for (const source of sources.length === 0 ? [undefined] : sources) {
    for (const { origin, owners } of await tokenPlaces(source, options)) {
      const ledger = await store.ledger(origin, owners.current, owners.previous);
      kept.set(ownerAt(origin, owners), keptTokens(store.description, ledger));
    }
  }
  return [...kept.values()];
}

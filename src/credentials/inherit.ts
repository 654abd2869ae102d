/** What an owner keeps passes to the name that follows it (`previous_owners`). */
import type { PreviousToken, TokenEntry } from "./entries";
import type { ObjectMemory } from "./memory";
import type { Part } from "./part";

/**
 * Adds to a part what a former one of the same origin holds. Where both know a thing, the part's own knowledge counts; a token
 * that gives way so becomes a previous one, to be revoked as such.
 */
export function inherit(part: Part, former: Part): void {
  for (const [key, token] of former.tokens) {
    const own = part.tokens.get(key);
    part.tokens.set(key, own === undefined ? token : { ...own, previous: withPrevious(own, token) });
  }
  for (const [key, memory] of former.objects)
    if (!part.objects.has(key)) part.objects.set(key, withoutDigests(memory));
  addMissing(part.intents, former.intents);
  addMissing(part.failedRevocations, former.failedRevocations);
  addMissing(part.doubtfulTokens, former.doubtfulTokens);
}

function withPrevious(own: TokenEntry, former: TokenEntry): PreviousToken[] {
  const { id, serial, access_token, created_at } = former.record;
  const outdated: PreviousToken = {
    id,
    serial,
    access_token,
    created_at: typeof created_at === "string" ? created_at : null,
    retired_at: new Date().toISOString(),
  };
  const known = new Set([own.record, ...own.previous].map((token) => token.serial));
  const added = [outdated, ...former.previous].filter((token) => !known.has(token.serial));
  return [...own.previous, ...added];
}

/** Digests are keyed with the key of the part that they were made for. */
function withoutDigests(memory: ObjectMemory): ObjectMemory {
  return { ...memory, digests: new Map() };
}

function addMissing<Entry>(entries: Map<string, Entry>, more: ReadonlyMap<string, Entry>): void {
  for (const [key, entry] of more) if (!entries.has(key)) entries.set(key, entry);
}

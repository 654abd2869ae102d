/** Moves entries from one part of the state into another, as their declarations have moved. */
import { normalForm } from "../lib/values";
import { type Entries, KIND_NAMES } from "./entries";
import type { ObjectsPart } from "./object-document";

interface PartContent {
  readonly entries: Entries;
  readonly objects: ObjectsPart;
}

/** Moves all entries of these objects and tokens. Entries that `to` has itself stay. @returns the keys of moved objects and tokens */
export function moveEntries(
  from: PartContent,
  to: PartContent,
  isMoved: (key: string) => boolean,
): readonly string[] {
  const movedKeys = new Set<string>();
  for (const [key, entry] of from.objects.objects) {
    const own = to.objects.objects.get(key);
    const isKnown = own !== undefined && own.record?.past !== true;
    if (isKnown || entry.record?.past === true || !isMoved(key)) continue;
    from.objects.objects.delete(key);
    to.objects.objects.set(key, entry);
    movedKeys.add(key);
  }
  for (const kind of KIND_NAMES) {
    const [source, target] = [from.entries[kind], to.entries[kind]] as [
      Map<string, NamedEntry>,
      Map<string, NamedEntry>,
    ];
    for (const [key, entry] of source) {
      const names = namesOf(entry);
      if (target.has(key) || !names.some(isMoved)) continue;
      source.delete(key);
      target.set(key, entry);
      if (kind === "tokens") names.forEach((name) => movedKeys.add(name));
    }
  }
  return [...movedKeys];
}

interface NamedEntry {
  readonly login: string;
  /** Absent from a password; null means every token of the user. */
  readonly name?: string | null;
}

/** The token of an entry, or the user of a password: the primary user of an account is known by the account's key. */
function namesOf({ login, name }: NamedEntry): readonly string[] {
  if (name === undefined) return [`user_profile:${login}`, `account:${login}`].map(normalForm);
  return name === null ? [] : [normalForm(`authorization:${login}/${name}`)];
}

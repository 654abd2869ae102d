/**
 * Before the first delete, everything that is to be deleted is looked at once more, so that nothing inside an account is touched for
 * nothing. Each record is read by itself again right before it goes.
 */
import type { CommonRecord } from "../../api";
import { AccountNotEmpty, MovedOn, TenancyError } from "../../errors";
import type { Sighting } from "../../plan";
import { strangersIn, type Snapshot } from "../../resources";
import { differenceOf } from "../../resources/record/unchanged";
import { diff } from "../../schema";
import { plainText } from "../../values";
import { goingIds, type Prune } from "../planning/pruning/prune";
import { identityOf } from "../store/token-state";
import { placeFor, type Places } from "./open-places";
import type { Place } from "./place";

/** What a delete is to find, or why there is to be none. */
export type Rechecked = { readonly refusal: TenancyError } | { readonly seq: Sighting["seq"] };

export async function recheck(
  prunes: readonly Prune[],
  places: Places,
  allowNonempty: boolean,
): Promise<ReadonlyMap<Prune, Rechecked>> {
  const going = goingIds(prunes);
  const providers = new Set(prunes.map(({ change }) => change.provider));
  const lists = new Map<string, Promise<Snapshot>>();
  for (const provider of providers) lists.set(provider, placeFor(places, provider).lists(0));
  const found = await Promise.all(
    prunes.map(async (prune): Promise<readonly [Prune, Rechecked]> => {
      const place = placeFor(places, prune.change.provider);
      try {
        const snapshot = await lists.get(prune.change.provider);
        const { inventory } = prune.resource;
        if (snapshot === undefined || inventory === undefined) requireSameToken(prune, place);
        else {
          const seq = sameRecord(prune, inventory.listed(idOf(prune), snapshot));
          requireNoNewcomers(prune, snapshot);
          if (!allowNonempty) await requireEmpty(prune, place, snapshot, going);
          return [prune, { seq }];
        }
        return [prune, { seq: undefined }];
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        return [prune, { refusal: error }];
      }
    }),
  );
  return new Map(found);
}

/** The store is locked only now: another run may have rotated the token since. */
function requireSameToken({ change }: Prune, { ledger }: Place): void {
  const before = change.before ?? {};
  const entry = ledger.tokens.get(identityOf(before));
  if (entry !== undefined && entry.record.serial !== before["serial"])
    throw new MovedOn("token", change.title, "another run has rotated it");
}

/**
 * What this run has deleted inside a record may have raised its sequence number; somebody else's change is still one.
 * @returns the sequence number that it has now
 */
export async function recheckContainer(prune: Prune, { connection }: Place): Promise<Sighting["seq"]> {
  const { inventory } = prune.resource;
  return sameRecord(prune, await inventory?.find(connection.client, idOf(prune)));
}

function idOf({ change }: Prune): string {
  return change.sighting?.id ?? "";
}

/** A record that only counts differently has the same plan. @returns the sequence number that it has now */
function sameRecord({ change, resource }: Prune, self: CommonRecord | undefined): Sighting["seq"] {
  const { sighting, description, title } = change;
  const { inventory } = resource;
  if (sighting === undefined || inventory === undefined) return undefined;
  const { uuid, accountId, seq } = sighting;
  // What is not listed any more is read by its id before it is taken for gone.
  if (self === undefined) return seq;
  const now = inventory.expectation({ self });
  const noun = description.noun;
  const difference = differenceOf(now, { uuid, accountId, key: sighting.key });
  if (difference !== undefined) throw new MovedOn(noun, title, difference);
  if (now.seq === seq) return seq;
  const changes = diff(description.attributes, change.before, inventory.stateOf({ self }, change.before));
  if (changes.length > 0)
    throw new MovedOn(noun, title, `${changes.map(({ path }) => path.join(".")).join(", ")} changed`);
  return now.seq;
}

/** Who came into an account after the plan was made would cease unseen and uncounted, whoever made them and whatever is allowed. */
function requireNoNewcomers(prune: Prune, snapshot: Snapshot): void {
  const { change, resource, target } = prune;
  if (resource.container === undefined) return;
  const id = idOf(prune);
  const seen = new Set(target.snapshot.profilesOf(id).map((user) => user.id));
  const newcomer = snapshot.profilesOf(id).find((user) => !seen.has(user.id));
  if (newcomer === undefined) return;
  const login = plainText(newcomer.login ?? "", 128);
  throw new MovedOn(change.description.noun, change.title, `the user ${login} has come into it`);
}

async function requireEmpty(
  prune: Prune,
  { connection }: Place,
  snapshot: Snapshot,
  going: ReadonlySet<string>,
): Promise<void> {
  const { change, resource } = prune;
  if (change.before?.["allow_nonempty_delete"] === true) return;
  const held = await resource.container?.contentsOf(connection, idOf(prune), snapshot);
  const findings = held === undefined ? [] : [...held.storage, ...strangersIn(held, going)];
  if (findings.length > 0) throw new AccountNotEmpty(change.title, findings);
}

/** Checks whether tokens of the state still work: tokens of a seemingly deleted user at each plan, all tokens with `--verify-tokens`. */
import type { TokenEntry } from "../../state";
import { type Finding, forbidden } from "../../problems";
import { previousOf } from "../../resources";
import { incompleteness } from "../../service";
import { isObject, textOf, type Value } from "../../lib/values";
import { isUserDeleted, isUserUnlisted } from "./user";
import { tokenKey } from "./identity";
import { tokenFamily } from "../families";
import type { ReadTarget } from "../target";
import { stateOfToken } from "./entry";

/**
 * The target, knowing which tokens have a user who is live although no list shows the user's id. A record that is known by its id is absent
 * only after a look for that id (design: Complete lists), and only the refusal of the token itself proves that the token has ended: a migration
 * gives users other ids, and their tokens go on working. This costs a few requests for each token whose user seems to be gone.
 */
export async function withUnlistedUsers(target: ReadTarget): Promise<ReadTarget> {
  const { connection, part, snapshot } = target;
  const unlisted = new Set<string>();
  const untried: TokenEntry[] = [];
  await Promise.all(
    part.tokens.list().map(async (entry) => {
      const { serial, user_id: userId } = entry.record;
      if (!isUserUnlisted(entry, target)) return;
      const isListed = snapshot.profileWithLogin(entry.login) !== undefined;
      if (!isListed && typeof userId === "string" && (await mayBeLive(connection, userId)))
        unlisted.add(serial);
      else untried.push(entry);
    }),
  );
  const trial = await tryTokens(untried, target);
  await Promise.all(
    untried.map(async (entry) => {
      const { serial } = entry.record;
      const hasEnded = trial.refused.get(serial)?.length === 0;
      if (!hasEnded && !(await isOfAnotherUser(entry, target))) unlisted.add(serial);
    }),
  );
  return knowingUnlisted({ ...target, ...trial }, unlisted);
}

/** True if the service says of a working token that its user is another one than the present user of the login. */
async function isOfAnotherUser({ login, record }: TokenEntry, target: ReadTarget): Promise<boolean> {
  const profile = target.snapshot.profileWithLogin(login);
  if (profile === undefined) return false;
  const { access_token: token } = record;
  if (token === null) return false;
  const { client } = target.connection;
  const check = await client.callerAs({ kind: "bearer", token });
  if (check.status !== 200) return false;
  const { user } = check.caller as { readonly user?: Value };
  const references = [check.caller.serial, ...(isObject(user) ? [user["id"], user["serial"]] : [])].filter(
    (reference) => typeof reference === "string",
  );
  return (
    references.length > 0 &&
    !references.some((reference) => reference === profile.id || reference === profile.serial)
  );
}

/**
 * Tries tokens of the state.
 * @returns the tokens that are gone, as the target knows them then. A token that is refused for another reason is a warning, and is kept.
 */
export async function tryTokens(
  entries: readonly TokenEntry[],
  target: ReadTarget,
): Promise<Pick<ReadTarget, "refused" | "warnings">> {
  const resource = tokenFamily();
  const verdicts = await Promise.all(
    entries.map(async (entry) => ({
      entry,
      outcome: await resource.read(target.connection, stateOfToken(entry, {})),
    })),
  );
  const refusedSerials = new Map(target.refused);
  const warnings: Finding[] = [...target.warnings];
  for (const { entry, outcome } of verdicts) {
    const { serial } = entry.record;
    if (outcome === undefined) refusedSerials.set(serial, []);
    else if (outcome.state["serial"] !== serial)
      refusedSerials.set(
        serial,
        previousOf(outcome.state).map(({ serial }) => textOf(serial) ?? ""),
      );
    else if (outcome.findings.length === 0) refusedSerials.delete(serial);
    else warnings.push(...outcome.findings.map((one) => ({ ...one, detail: `Token ${tokenKey(entry)}.` })));
  }
  return { refused: refusedSerials, warnings };
}

/**
 * Lists that lack a live or hidden user may lack others as well: they no longer prove an absence.
 * @param unlisted serials of the tokens of such users
 */
export function knowingUnlisted(target: ReadTarget, unlisted: ReadonlySet<string>): ReadTarget {
  const lacking = target.part.tokens.list().find(({ login, record: { serial, user_id: userId } }) => {
    // A user who is listed under another login or another id is no gap in the list.
    if (target.snapshot.profileWithLogin(login) !== undefined) return false;
    return unlisted.has(serial) && target.snapshot.profile(textOf(userId) ?? "") === undefined;
  });
  if (lacking === undefined) return { ...target, unlisted };
  const userId = textOf(lacking.record["user_id"]) ?? "unknown";
  const snapshot = target.snapshot.lacking(
    `the user profile ${userId}, known as ${lacking.login}, is not in the list of profiles, and a look for that id does not say that the user profile is gone`,
  );
  const incomplete = incompleteness(snapshot);
  if (incomplete !== snapshot.unlisted) return { ...target, unlisted, snapshot, incomplete };
  return { ...target, unlisted, snapshot, incomplete, tokenOfUnlisted: tokenKey(lacking) };
}

/** Who may not be looked at may be live. */
async function mayBeLive({ directory }: ReadTarget["connection"], userId: string): Promise<boolean> {
  try {
    return (await directory.profile(userId)) !== undefined;
  } catch (error) {
    if (forbidden.is(error)) return true;
    throw error;
  }
}

// `--verify-tokens`: each token of the state is tried, and a token that is gone is created again (design: Tokens).

/** The target, with the tokens that are gone. */
export async function withRefusedTokens(target: ReadTarget): Promise<ReadTarget> {
  // The token of a deleted user is no longer valid in any case; the plan says so.
  const entriesToTry = target.part.tokens.list().filter((entry) => !isUserDeleted(entry, target));
  return { ...target, ...(await tryTokens(entriesToTry, target)) };
}

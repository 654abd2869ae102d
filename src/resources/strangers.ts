/** Finds users that are not ours in an account that is to be deleted; they must not be deleted along with it (design: Accounts). */
import { plainText } from "../values";
import type { Contents } from "./family";

/**
 * Each in a few words.
 * @param going ids of further objects that the same plan deletes: a user among them is deleted on purpose
 */
export function strangersIn({ users }: Contents, going: ReadonlySet<string> = new Set()): readonly string[] {
  return users
    .filter(({ id, isOurs }) => !isOurs && !going.has(id))
    .map(({ login }) => `the user ${plainText(login, 128)} isn't ours`);
}

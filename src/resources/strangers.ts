/** The users of others in what is to be deleted, which are not to cease by the way (design: Accounts). */
import { plainText } from "../values";
import type { Contents } from "./family";

/**
 * Each in a few words.
 * @param going ids of what is deleted besides: those who are asked for by themselves do not cease by the way, whoever made them
 */
export function strangersIn({ users }: Contents, going: ReadonlySet<string> = new Set()): readonly string[] {
  return users
    .filter(({ id, isOurs }) => !isOurs && !going.has(id))
    .map(({ login }) => `the user ${plainText(login, 128)} isn't ours`);
}

/** Conditional reads: a client that names the tag it knows gets 304 while it is still the right one. */
import type { Answer } from "../routes/route";

export function isNotModified(method: string, ifNoneMatch: string | undefined, answer: Answer): boolean {
  const etag = answer.headers?.["ETag"];
  if (ifNoneMatch === undefined || etag === undefined || method !== "GET" || answer.status !== 200)
    return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
}

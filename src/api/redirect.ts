/** Redirects: followed where that is safe, refused where credentials would leave their origin. */
import { RedirectRefused, type ApiFacts } from "../errors";
import { headerOf } from "./answer";
import type { Answer } from "./exchange";
import type { Redactor } from "./redact";

const MOST_HOPS = 5;

export function isRedirect(answer: Answer): boolean {
  return [301, 302, 303, 307, 308].includes(answer.status) && headerOf(answer, "location") !== undefined;
}

/**
 * Where a redirect leads.
 * @throws RedirectRefused unless it is a GET's, within the origin, and not the sixth in a row
 */
export function followed(from: URL, answer: Answer, given: ApiFacts, hops: number, redactor: Redactor): URL {
  const facts = { ...given, status: answer.status };
  const location = headerOf(answer, "location") ?? "";
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined) throw new RedirectRefused(facts, "nowhere", "its address cannot be read");
  const shown = redactor.plain(target.origin + target.pathname, 200);
  if (target.origin !== from.origin)
    throw new RedirectRefused(facts, shown, "credentials stay with their origin");
  if (facts.method !== "GET") throw new RedirectRefused(facts, shown, "a write is not repeated elsewhere");
  if (hops >= MOST_HOPS) throw new RedirectRefused(facts, shown, "it goes in circles");
  target.username = target.password = "";
  return target;
}

/** Answers that are not quite the service's own. */
import type { Strike } from "../model/fault";

/** A status after which nothing is tried again, so that the message is printed. */
export const ECHO_STATUS = 403;

export function htmlOf(status: number): string {
  return `<html><head><title>${status}</title></head><body><h1>${status} from the gateway</h1></body></html>`;
}

/** @param past the same list, as it was before */
export function withListsAltered<A extends { readonly body: string }>(
  answer: A,
  strike: Strike | undefined,
  past: string | undefined,
): A {
  if (!answer.body.startsWith("[")) return answer;
  if (strike?.kind === "lagging list" && past !== undefined) return { ...answer, body: past };
  if (strike?.kind !== "short list") return answer;
  const list = JSON.parse(answer.body) as readonly unknown[];
  const short = list.filter((_record, index) => ((strike.dropped >> (index % 30)) & 1) === 0);
  return { ...answer, body: JSON.stringify(short) };
}

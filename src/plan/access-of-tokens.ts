/** The effects of a token's change on access. A token has the access of its user. No I/O. */
import { plansNewToken, previousOf, readersOf, retentionOf, describeRotation } from "../resources";
import { isUnknown, type ObjectValue, SENSITIVE_TEXT, UNKNOWN_TEXT } from "../lib/values";
import { accessEntry as entry, writtenValue as written } from "./access-entry";
import type { AccessEntry, Change } from "./plan";

/** @param asOf time by which replaced tokens are judged */
export function tokenEntries(change: Change, asOf: Date | undefined): readonly AccessEntry[] {
  const { action, before, after } = change;
  const gain = entry("token", "token", "grants", "gains a token");
  const loss = entry("token", "token", "removes", "its token is revoked");
  if (action === "create") return [gain, ...readerEntries(null, after)];
  if (action === "delete") return [loss];
  if (action === "replace") return [gain, loss, ...readerEntries(before, after)];
  const rotation = entry("token", "token", "changes", describeRotation(before ?? {}, after ?? {}, asOf));
  return [
    ...(plansNewToken(after) ? [rotation] : retirements(before, after)),
    ...readerEntries(before, after),
    ...retentionEntries(change),
  ];
}

/** The readers of a sealed secret. Earlier readers keep each secret that they have read. */
function readerEntries(before: ObjectValue | null, after: ObjectValue | null): readonly AccessEntry[] {
  const [earlier, later] = [readersOf(before ?? {}), readersOf(after ?? {})];
  return [
    ...later
      .filter((one) => !earlier.includes(one))
      .map((one) => entry("reader", "seal_to", "grants", `${one} may read it`, one)),
    ...earlier
      .filter((one) => !later.includes(one))
      .map((one) => entry("reader", "seal_to", "removes", `${one} may not read its new secret`, one)),
  ];
}

/** A longer retention keeps tokens good that a rotation has replaced, or will. */
function retentionEntries({ before, after, sensitive }: Change): readonly AccessEntry[] {
  const [had, has] = [retentionOf(before ?? {}), retentionOf(after ?? {})];
  const one = (
    attribute: string,
    from: RetainedCount,
    to: RetainedCount,
    words: (value: string) => string,
  ) => {
    if (from === to) return [];
    const value = after?.[attribute] ?? null;
    const isHidden = sensitive.some(([first]) => first === attribute);
    const text = isHidden ? SENSITIVE_TEXT : isUnknown(value) ? UNKNOWN_TEXT : written(value);
    const effect =
      to === undefined ? "unknown" : from === undefined ? "changes" : from < to ? "grants" : "removes";
    return [entry("retention", attribute, effect, words(text), isHidden ? null : text)];
  };
  return [
    ...one("retain_previous_for", had.forMs, has.forMs, (value) => `replaced tokens stay valid for ${value}`),
    ...one("retain_previous", had.count, has.count, (value) => `up to ${value} replaced tokens stay valid`),
  ];
}

type RetainedCount = number | bigint | undefined;

/** Replaced tokens that end with this change, or that may end because their retention is known only after apply. */
function retirements(before: ObjectValue | null, after: ObjectValue | null): readonly AccessEntry[] {
  const remaining = new Set(previousOf(after).map(({ serial }) => serial));
  const is = isUnknown(after?.["previous"]) ? "may be" : "is";
  return previousOf(before)
    .filter(({ serial }) => !remaining.has(serial))
    .map(({ serial = null }) =>
      serial === null
        ? entry("token", "token", "removes", `a token that it replaced ${is} revoked`, null)
        : entry(
            "token",
            "token",
            "removes",
            `its replaced token ${written(serial)} ${is} revoked`,
            written(serial),
          ),
    );
}

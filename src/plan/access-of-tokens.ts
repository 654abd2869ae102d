/** The effects of a token's change on access. A token has the access of its user. No I/O. */
import { plansNewToken, previousOf, readersOf, retentionOf, describeRotation } from "../resources";
import { isUnknown, type ObjectValue, SENSITIVE_TEXT, UNKNOWN_TEXT } from "../lib/values";
import { accessEntry as entry, writtenValue as written } from "./access-entry";
import type { AccessEntry, Change } from "./plan";

/** @param asOf time by which replaced tokens are judged */
export function tokenEntries(change: Change, asOf: Date | undefined): readonly AccessEntry[] {
  const { action, before, after } = change;
  const token = shownTokenName(change);
  const gain = entry("grants", { token });
  const loss = entry("removes", { token });
  if (action === "create") return [gain, ...readerEntries(token, null, after)];
  if (action === "delete") return [loss];
  if (action === "replace") return [gain, loss, ...readerEntries(token, before, after)];
  const note = describeRotation(before ?? {}, after ?? {}, asOf);
  return [
    ...(plansNewToken(after)
      ? [entry("changes", { rotates: token }, { note })]
      : retirements(token, before, after)),
    ...readerEntries(token, before, after),
    ...retentionEntries(token, change),
  ];
}

function shownTokenName({ key, title, after, before }: Change): string {
  const name = (after ?? before)?.["name"];
  return title !== key || typeof name !== "string" ? SENSITIVE_TEXT : name;
}

/** The readers of a sealed secret. Earlier readers keep each secret that they have read. */
function readerEntries(
  token: string,
  before: ObjectValue | null,
  after: ObjectValue | null,
): readonly AccessEntry[] {
  const [earlier, later] = [readersOf(before ?? {}), readersOf(after ?? {})];
  return [
    ...later
      .filter((reader) => !earlier.includes(reader))
      .map((reader) => entry("grants", { token, reader })),
    ...earlier
      .filter((reader) => !later.includes(reader))
      .map((reader) => entry("removes", { token, reader })),
  ];
}

/** A longer retention keeps tokens good that a rotation has replaced, or will. */
function retentionEntries(token: string, { before, after, sensitive }: Change): readonly AccessEntry[] {
  const [had, has] = [retentionOf(before ?? {}), retentionOf(after ?? {})];
  const one = (attribute: string, from: RetainedCount, to: RetainedCount) => {
    if (from === to) return [];
    const value = after?.[attribute] ?? null;
    const isHidden = sensitive.some(([first]) => first === attribute);
    const text = isHidden ? SENSITIVE_TEXT : isUnknown(value) ? UNKNOWN_TEXT : written(value);
    const effect =
      to === undefined ? "unknown" : from === undefined ? "changes" : from < to ? "grants" : "removes";
    return [entry(effect, { token, [attribute]: text })];
  };
  return [
    ...one("retain_previous_for", had.forMs, has.forMs),
    ...one("retain_previous", had.count, has.count),
  ];
}

type RetainedCount = number | bigint | undefined;

/** Replaced tokens that end with this change, or that may end because their retention is known only after apply. */
function retirements(
  token: string,
  before: ObjectValue | null,
  after: ObjectValue | null,
): readonly AccessEntry[] {
  const remaining = new Set(previousOf(after).map(({ serial }) => serial));
  const perhaps = isUnknown(after?.["previous"]) ? ["perhaps"] : [];
  return previousOf(before)
    .filter(({ serial }) => !remaining.has(serial))
    .map(({ serial = null }) => {
      const notes = [...(serial === null ? ["a replaced one"] : []), ...perhaps];
      return entry(
        "removes",
        { token, ...(serial !== null && { serial: written(serial) }) },
        notes.length === 0 ? {} : { note: `(${notes.join(", ")})` },
      );
    });
}

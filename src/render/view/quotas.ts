/** The quotas of accounts: limit, earlier limit and known usage. */
import type { Change, Plan, Usage } from "../../plan";
import { equal, isUnknown, type ObjectValue, type Value } from "../../lib/values";
import { secrecyOf } from "../secrecy";
import { name, type Row, row, type Section, section, type Text, value, word } from "./document";
import { shownValue } from "./values";

/** Attributes of an account that limit its usage. */
const QUOTA = /^limits_/;

/** The quotas of all accounts that have any. Unchanged quotas are aside. */
export function quotas({ changes, usage = {} }: Plan): Section | undefined {
  const rows = changes
    .filter(({ action, description }) => action !== "delete" && quotasIn(description.attributes).length > 0)
    .flatMap((change) => quotasOf(change, usage[change.address] ?? {}));
  const isKnown = rows.some(({ gauge }) => gauge?.used !== undefined);
  return section(
    {
      id: "quotas",
      title: "Quotas",
      form: "table",
      columns: ["account", "quota", "limit", ...(isKnown ? ["used"] : [])],
    },
    rows.map((one) => ({ ...one, cells: (one.cells ?? []).slice(0, isKnown ? 3 : 2) })),
  );
}

function quotasIn(attributes: object): readonly string[] {
  return Object.keys(attributes).filter((attribute) => QUOTA.test(attribute));
}

function quotasOf(change: Change, usage: Usage): readonly Row[] {
  const { action, title, before: old, after: next, description, sensitive } = change;
  const secret = secrecyOf(description.attributes, sensitive);
  return quotasIn(description.attributes).flatMap((attribute) => {
    const before = quotaValue(old, attribute);
    const after = quotaValue(next, attribute);
    const usedAmount = usage[attribute];
    const changes = action !== "none" && !equal(before, after);
    // A quota without a limit and without usage is left out.
    const isLimited = before !== null || (after !== null && !isUnknown(after));
    if (secret([attribute]) || (!isLimited && usedAmount === undefined)) return [];
    const limit: Text = [
      ...(changes && old !== null ? [limitText(before), word(" -> ")] : []),
      limitText(after),
    ];
    return [
      row({
        ...(action !== "none" && changes && { action }),
        name: [name(title)],
        cells: [
          [name(attribute)],
          limit,
          [usedAmount === undefined ? word("unknown") : value(shownValue(usedAmount))],
        ],
        weight: changes ? "usual" : "aside",
        gauge: {
          ...gaugeOf("limit", after),
          ...(changes && old !== null && gaugeOf("before", before)),
          ...(usedAmount !== undefined && { used: Number(usedAmount) }),
        },
      }),
    ];
  });
}

function quotaValue(object: ObjectValue | null, attribute: string): Value {
  return object?.[attribute] ?? null;
}

function limitText(limit: Value) {
  return limit === null ? word("no limit") : value(shownValue(limit));
}

function gaugeOf(
  member: "limit" | "before",
  limit: Value,
): { readonly [M in "limit" | "before"]?: number | null } {
  if (limit === null) return { [member]: null };
  return typeof limit === "number" || typeof limit === "bigint" ? { [member]: Number(limit) } : {};
}

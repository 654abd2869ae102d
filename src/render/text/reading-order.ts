/** The order in which a person looks for an object. It is not the order of the work, which goes by what depends on what. */
import type { Change } from "../../plan";

/** Deletes last; kinds as they are applied, so accounts before their users; within a kind by address. */
export function inReadingOrder<Item extends Pick<Change, "address" | "action">>(
  items: readonly Item[],
): readonly Item[] {
  const kinds = [...new Set(items.map(kindOf))];
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [...items].sort(
    (a, b) =>
      Number(a.action === "delete") - Number(b.action === "delete") ||
      kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b)) ||
      compare(a.address, b.address),
  );
}

/** `tenancy_account` */
function kindOf({ address }: Pick<Change, "address">): string {
  return address.slice(0, address.indexOf("."));
}

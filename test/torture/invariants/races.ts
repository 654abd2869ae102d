/** Changes that others made after the run's last look: nobody could have seen them. */
import { shownRecords, type Exchange } from "../world/exchange";
import type { Commit } from "../world/snapshot";
import type { Witness } from "./invariant";
import type { Write } from "./writes";

/** @param isLook true if an answer shows what the write is about */
export function rivalsSinceLook(
  { index }: Write,
  { exchanges }: Pick<Witness, "exchanges">,
  isLook: (exchange: Exchange) => boolean,
): readonly Commit[] {
  const last = exchanges.filter((exchange) => exchange.index < index && isLook(exchange)).at(-1);
  return exchanges
    .filter((exchange) => exchange.index >= (last?.index ?? 0) && exchange.index <= index)
    .flatMap(({ index: at, rivals }) => [
      ...(at === last?.index ? [] : rivals.before),
      ...(at === index ? [] : rivals.after),
    ]);
}

export function isShowing(id: string): (exchange: Exchange) => boolean {
  return (exchange) => shownRecords(exchange).has(id);
}

/** Pairs of approval as texts, which tests compare and approve. */
import { parse } from "yaml";
import type { ApprovalNeeds, Pair } from "../../src/plan";
import { pairMembers } from "../../src/plan/approval-pairs";

/** A pair from its text, as in `user: jane@acme, level: 5, until: never`. */
export function pairIn(text: string): Pair {
  return parse(`{ ${text} }`, { schema: "failsafe" }) as Pair;
}

/** The texts of the pairs that grant access. */
export function broadeningIn(needs: readonly ApprovalNeeds[]): readonly string[] {
  return needs.flatMap(({ pairs }) =>
    pairs.flatMap(({ pair, broadening }) => (broadening ? [pairMembers(pair)] : [])),
  );
}

/** The rows of a table whose columns stand between `|`. */
export function rowsOf(table: string) {
  const rows = table.trim().split("\n");
  return rows.map((row) => row.split(" | ").map((cell) => cell.trim()) as [string, string]);
}

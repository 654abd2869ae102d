/** Approval that a run demands, and the entries that lie in `approvals/` meanwhile. */
import { type Approval, approvalFiles, type ApprovalNeeds, dayAhead, type Pair } from "../../../src/plan";
import { STACK } from "../../support/synthesized-app";

export type EntryKind = "whole plan" | "half of the plan" | "ended" | "another plan" | "another stack";

/** The demand as a step draws it. */
export interface ApprovalDemand {
  readonly level: "broadening" | "access";
  readonly entries: readonly EntryKind[];
}

/** The demand with its entries, as a run gets it. */
export interface DemandedApproval {
  readonly level: ApprovalDemand["level"];
  readonly entries: readonly Approval[];
}

/** A pair of a plan that may need approval. */
export interface NeededPair {
  readonly service: string;
  readonly pair: Pair;
}

/** @param plan a saved plan */
export function neededPairsIn(plan: string): readonly NeededPair[] {
  const { tenancy } = JSON.parse(plan) as {
    readonly tenancy: { readonly approval: readonly Omit<ApprovalNeeds, "stack">[] };
  };
  return tenancy.approval.flatMap(({ service, pairs }) => pairs.map(({ pair }) => ({ service, pair })));
}

/** @param pairs those of the plan that is about to be applied */
export function demandedApproval(
  { level, entries }: ApprovalDemand,
  pairs: readonly NeededPair[],
  now = new Date(),
): DemandedApproval {
  return { level, entries: entries.flatMap((kind) => entriesFor(kind, pairs, now)) };
}

function entriesFor(kind: EntryKind, needed: readonly NeededPair[], now: Date): readonly Approval[] {
  const services = [...new Set(needed.map(({ service }) => service))];
  return services.flatMap((service) => {
    const pairs = needed.flatMap((one) => (one.service === service ? [one.pair] : []));
    const entry = { stack: STACK, service, until: dayAhead(now, 7), pairs };
    switch (kind) {
      case "whole plan":
        return [entry];
      case "half of the plan":
        return [{ ...entry, pairs: pairs.slice(0, Math.ceil(pairs.length / 2)) }];
      case "ended":
        return [{ ...entry, until: dayAhead(now, -1) }];
      case "another plan":
        return [
          {
            ...entry,
            pairs: [
              { user: "zoe@acme", permission: "vss.manage_snapshots", until: "never" },
              { user: "zoe@acme", token: "prod", until: "never" },
            ],
          },
        ];
      case "another stack":
        return [{ ...entry, stack: "another" }];
    }
  });
}

/** Texts of the files in `approvals/`, by their names there. */
export function filesOf({ entries }: DemandedApproval): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(approvalFiles(entries)).map(([path, text]) => [path.split("/").at(-1) ?? "", text]),
  );
}

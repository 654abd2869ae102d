/** Approval that a run demands, and the entries that lie in `approvals/` meanwhile. */
import { approvalFiles, dayAhead, type Approval } from "../../../src/plan";
import { OWNER } from "./declaration";
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

/** A line of a plan that may need approval. */
export interface NeededLine {
  readonly origin: string;
  readonly line: string;
}

/** @param plan a saved plan */
export function neededLinesIn(plan: string): readonly NeededLine[] {
  const { tenancy } = JSON.parse(plan) as {
    readonly tenancy: {
      readonly approval: readonly {
        readonly origin: string;
        readonly lines: readonly { readonly line: string }[];
      }[];
    };
  };
  return tenancy.approval.flatMap(({ origin, lines }) => lines.map(({ line }) => ({ origin, line })));
}

/** @param lines those of the plan that is about to be applied */
export function demandedApproval(
  { level, entries }: ApprovalDemand,
  lines: readonly NeededLine[],
  now = new Date(),
): DemandedApproval {
  return { level, entries: entries.flatMap((kind) => entriesFor(kind, lines, now)) };
}

function entriesFor(kind: EntryKind, lines: readonly NeededLine[], now: Date): readonly Approval[] {
  const origins = [...new Set(lines.map(({ origin }) => origin))];
  return origins.flatMap((origin) => {
    const own = lines.flatMap((one) => (one.origin === origin ? [one.line] : []));
    const entry = { stack: STACK, origin, owner: OWNER, until: dayAhead(now, 7), allows: own };
    switch (kind) {
      case "whole plan":
        return [entry];
      case "half of the plan":
        return [{ ...entry, allows: own.slice(0, Math.ceil(own.length / 2)) }];
      case "ended":
        return [{ ...entry, until: dayAhead(now, -1) }];
      case "another plan":
        return [{ ...entry, allows: [`zoe@acme gains vss.manage_snapshots`, `zoe@acme token "prod"`] }];
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

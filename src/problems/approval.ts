/** Errors of approval: lines of a plan that nobody has approved, and files that cannot be read as approvals. */
import { TenancyError } from "./problem";

/** A level of `--require-approval` that does not exist. */
export class UnfitApprovalLevel extends TenancyError {
  static readonly code = "TENANCY_APPROVAL_LEVEL";
  static readonly explanation = `
\`--require-approval\`, \`TENANCY_REQUIRE_APPROVAL\` and the member \`requireApproval\` of the \`context\` in \`cdktf.json\` take
\`never\`, \`broadening\` or \`access\`. Anything else is an error, because a misspelt demand must not count as none. Nothing was
sent.`;

  /** @param source where it stands, as in "--require-approval" */
  constructor(found: unknown, source: string, levels: readonly string[]) {
    super(`${source} is ${shown(found)}, and that is no level of approval`, {
      advice: `Write one of ${levels.join(", ")}.`,
    });
  }
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return typeof value === "boolean" || typeof value === "number" ? String(value) : "not text";
}

/** The plan has lines that need approval and have none. */
export class ApprovalNeeded extends TenancyError {
  static readonly code = "TENANCY_APPROVAL_NEEDED";
  static readonly explanation = `
The run demands approval (\`--require-approval\`, \`TENANCY_REQUIRE_APPROVAL\`, or \`requireApproval\` in \`cdktf.json\`), and a line of
the plan is in no entry of \`tenancy.approvals\` for its stack, origin and owner, or only in entries that have ended. Nothing was written, and
the exit code is 3. The missing entry is printed. To approve it, have the owners of that file add the entry; \`tenancy approve PLAN\` writes it
from a saved plan. At a terminal, \`apply\` asks instead.

What only the apply will know cannot be approved: apply what it depends on first, with \`--only\`, or write its value into the code.`;

  /** The entries that are missing, as they stand in the file; empty where none would help. */
  readonly entries: string;

  constructor(
    facts: { readonly missing: readonly string[]; readonly unknown: readonly string[] },
    entries: string,
  ) {
    const { missing, unknown } = facts;
    const count = missing.length + unknown.length;
    super(`${count} ${count === 1 ? "change needs" : "changes need"} approval`, {
      detail: [
        ...missing.map((line) => `not approved: ${line}`),
        ...unknown.map((line) => `cannot be approved, since only the apply will know it: ${line}`),
      ].join("\n"),
      advice:
        missing.length === 0
          ? "Nothing was written. Apply what it depends on first (--only), or write its value into the code."
          : "Nothing was written. Add the missing entry to tenancy.approvals: `tenancy approve PLAN` writes it.",
    });
    this.entries = entries;
  }
}

/** The file of approvals cannot be read, or an entry of it does not hold what it must. */
export class UnfitApprovals extends TenancyError {
  static readonly code = "TENANCY_APPROVALS";
  static readonly explanation = `
\`tenancy.approvals\` is a YAML list of entries with the members \`stack\`, \`origin\`, \`owner\`, \`until\`, \`allows\` and
\`fingerprint\`, and no others. Anchors, aliases, tags and members that occur twice are refused, since they let an entry say something else
than what is read. \`until\` is a day at most 30 days ahead. \`fingerprint\` follows from the other members: an entry that was edited by
hand has a wrong one. \`tenancy approve PLAN\` writes entries. An error anywhere in the file makes all of it unfit: nothing was written.`;

  /** @param line from 1 on; undefined where it is about the whole file */
  constructor(file: string, line: number | undefined, problem: string, advice: string) {
    super(`${file}${line === undefined ? "" : `, line ${line}`}: ${problem}`, { file, advice });
  }
}

/** The service gave more to whom the run has created than the plan has shown. */
export class GrantedMore extends TenancyError {
  static readonly code = "TENANCY_GRANTED_MORE";
  static readonly explanation = `
Where approval is demanded, what the service shows after a create is compared with what the plan has shown. Here the service gave more: a right
that was denied, a wider scope, access that was not declared. Nobody has approved that. The object exists, and is kept; the next plan shows what
differs, and an apply takes it away.`;

  constructor(noun: string, key: string, more: readonly string[]) {
    super(`the service gave ${noun} ${JSON.stringify(key)} more than was approved: ${more.join("; ")}`, {
      advice: "The object exists. Run `tenancy plan`: it shows what an apply would take away.",
    });
  }
}

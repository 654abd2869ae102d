/** Errors of approval: lines of a plan that nobody has approved, and files that cannot be read as approvals. */
import { Entry, problem, TenancyError } from "./problem";
import { type Advice, inWords, type Words } from "./words";

/** A level of `--require-approval` that does not exist. */
export const unfitApprovalLevel = problem<{
  found: unknown;
  /** Where it stands, as in "--require-approval". */
  source: string;
  levels: readonly string[];
}>({
  code: "TENANCY_APPROVAL_LEVEL",
  summary: ({ found, source }) => `${source} is ${shownValue(found)}, and that is no level of approval`,
  advice: ({ levels }) => `Write one of ${levels.join(", ")}.`,
  explain: `
\`--require-approval\`, \`TENANCY_REQUIRE_APPROVAL\` and the member \`requireApproval\` of the \`context\` in \`cdktf.json\` take
\`never\`, \`broadening\` or \`access\`. Anything else is an error, because a misspelt demand must not count as none. Nothing was
sent.`,
});

function shownValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return typeof value === "boolean" || typeof value === "number" ? String(value) : "not text";
}

export const approvalNeeded = new Entry({
  code: "TENANCY_APPROVAL_NEEDED",
  explain: `
The run demands approval (\`--require-approval\`, \`TENANCY_REQUIRE_APPROVAL\`, or \`requireApproval\` in \`cdktf.json\`), and a line of
the plan is in no entry of \`tenancy.approvals\` for its stack, origin and owner, or only in entries that have ended. Nothing of that stack was
written, and of a saved plan of several stacks nothing at all. The exit code is 3. The missing entry is printed. To approve it, have the owners of that file add the entry; \`tenancy approve PLAN\` writes it
from a saved plan. At a terminal, \`apply\` asks instead.

What only the apply will know cannot be approved: apply what it depends on first, with \`--only\`, or write its value into the code.`,
});

/** Lines of the plan that no approval covers. */
interface Unapproved {
  /** The stack that was not written; undefined where no stack was. */
  readonly stack: string | undefined;
  readonly missing: readonly string[];
  /** Those that only the apply will know. */
  readonly unknown: readonly string[];
}

/** The plan has lines that need approval and have none. */
export class ApprovalNeeded extends TenancyError<Unapproved> {
  /** The entries that are missing, as they stand in the file; empty where none would help. */
  readonly entries: string;

  constructor(facts: Unapproved, entries: string) {
    const { stack, missing, unknown } = facts;
    const unwritten = stack === undefined ? "Nothing was written." : `Nothing of ${stack} was written.`;
    const count = missing.length + unknown.length;
    const finding = {
      severity: "error",
      code: approvalNeeded.code,
      summary: `${count} ${count === 1 ? "change needs" : "changes need"} approval`,
      detail: [
        ...missing.map((line) => `not approved: ${line}`),
        ...unknown.map((line) => `cannot be approved, since only the apply will know it: ${line}`),
      ].join("\n"),
      advice: (say: Words) =>
        missing.length === 0
          ? `${unwritten} Apply what it depends on first (${say.only()}), or write its value into the code.`
          : `${unwritten} Add the missing entry to tenancy.approvals${say.command(": `tenancy approve PLAN` writes it") ?? ""}.`,
    } as const;
    super(finding, facts);
    this.entries = entries;
  }
}

/** The file of approvals cannot be read, or an entry of it does not hold what it must. */
export const unfitApprovals = problem<{
  file: string;
  /** From 1 on; undefined where it is about the whole file. */
  line?: number | undefined;
  problem: string;
  advice: Advice;
}>({
  code: "TENANCY_APPROVALS",
  where: ({ file }) => ({ file }),
  summary: ({ file, line, problem }) => `${file}${line === undefined ? "" : `, line ${line}`}: ${problem}`,
  advice: ({ advice }, say) => inWords(advice, say),
  explain: `
\`tenancy.approvals\` is a YAML list of entries with the members \`stack\`, \`origin\`, \`owner\`, \`until\`, \`allows\` and
\`fingerprint\`, and no others. Anchors, aliases, tags and members that occur twice are refused, since they let an entry say something else
than what is read. \`until\` is a day at most 30 days ahead. \`fingerprint\` follows from the other members: an entry that was edited by
hand has a wrong one. \`tenancy approve PLAN\` writes entries. An error anywhere in the file makes all of it unfit: nothing was written.`,
});

/** The service gave more to whom the run has created than the plan has shown. */
export const grantedMore = problem<{ noun: string; key: string; more: readonly string[] }>({
  code: "TENANCY_GRANTED_MORE",
  summary: ({ noun, key, more }) =>
    `the service gave ${noun} ${JSON.stringify(key)} more than was approved: ${more.join("; ")}`,
  advice: (_, say) =>
    `The object exists. ${say.command("Run `tenancy plan`") ?? "Plan again"}: it shows what an apply would take away.`,
  explain: `
Where approval is demanded, what the service shows after a create is compared with what the plan has shown. Here the service gave more: a right
that was denied, a wider scope, access that was not declared. Nobody has approved that. The object exists, and is kept; the next plan shows what
differs, and an apply takes it away.`,
});

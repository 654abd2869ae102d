/** Errors of approval: lines of a plan without approval, and files that cannot be read as entries. */
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
The run demands approval (\`--require-approval\`, \`TENANCY_REQUIRE_APPROVAL\`, or \`requireApproval\` in \`cdktf.json\`). A line of the
plan is in no entry of \`approvals/\` for its stack, origin and owner, or only in entries that have ended. Nothing of that stack was
written. If a saved plan has several stacks, none of them was written. The exit code is 3. The missing entry is printed with the name of its
file. \`tenancy approve PLAN\` writes that file from a saved plan; the code owners of \`approvals/\` then approve it in a pull request. At a
terminal, \`apply\` asks instead.

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
  /** Text of each missing entry, by the path of its file in the project. Empty if no entry would help. */
  readonly entries: Readonly<Record<string, string>>;

  constructor(facts: Unapproved, entries: Readonly<Record<string, string>>) {
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
          : `${unwritten} Add the missing entry to approvals/${say.command(": `tenancy approve PLAN` writes it") ?? ""}.`,
    } as const;
    super(finding, facts);
    this.entries = entries;
  }
}

/** A file of `approvals/` is not an entry as `tenancy approve` writes it. */
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
\`approvals/\` holds entries and nothing else: regular files that \`tenancy approve PLAN\` has written, one for each entry. The name of a file is the
last day and the beginning of the fingerprint. The fingerprint is SHA-256 of the text above it. A file counts only in the exact form that
\`tenancy approve\` writes: a comment, a quotation mark or a line in another place lets an entry look like something else. Write the entry again
instead of editing it. The last day is at most 30 days ahead. Files whose last day is over are not read; you may delete them. Nothing was
written.`,
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

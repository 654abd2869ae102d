/** Errors of approval: pairs of a plan without approval, and files that are no approvals. */
import { problem, TenancyError } from "./problem";
import { type Advice, inWords, sentences, type Words } from "./words";
import { shellWord } from "../lib/values";

/** A level of `--require-approval` that does not exist. */
export const unfitApprovalLevel = problem<{
  value: unknown;
  /** Place of the value, as in "--require-approval". */
  source: string;
  levels: readonly string[];
}>({
  code: "TENANCY_INVALID_SETTING",
  summary: ({ value, source }) => `${source} is ${valueInMessage(value)}, and that is no level of approval`,
  advice: ({ levels }) => `Write one of ${levels.join(", ")}.`,
});

function valueInMessage(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return typeof value === "boolean" || typeof value === "number" ? String(value) : "not text";
}

/** Pairs of the plan that no approval covers. */
interface Unapproved {
  /** The stack that was not written; undefined if no stack was. */
  readonly stack: string | undefined;
  readonly missing: readonly string[];
  /** Changes that only the apply will know. */
  readonly unknown: readonly string[];
  /** The file of the saved plan; null if no saved plan shows these pairs. @default the plan was not saved */
  readonly planFile?: string | null;
}

/** The plan has pairs that need approval and have none. */
export class ApprovalNeeded extends TenancyError<Unapproved> {
  /** Text of each missing approval, by the path of its file in the project. Empty if no approval would help. */
  readonly files: Readonly<Record<string, string>>;

  constructor(facts: Unapproved, files: Readonly<Record<string, string>>) {
    const { stack, missing, unknown } = facts;
    const unwritten = stack === undefined ? "Nothing was written." : `Nothing of ${stack} was written.`;
    const count = missing.length + unknown.length;
    const finding = {
      severity: "error",
      code: "TENANCY_APPROVAL_NEEDED",
      summary: `${count} ${count === 1 ? "change needs" : "changes need"} approval`,
      detail: [
        ...missing.map((pair) => `not approved: ${pair}`),
        ...unknown.map((text) => `cannot be approved, since only the apply will know it: ${text}`),
      ].join("\n"),
      advice: (say: Words) =>
        missing.length === 0
          ? `${unwritten} Apply the objects that it depends on first (${say.only()}), or write its value into the code.`
          : sentences(`${unwritten} Add the missing file to approvals/.`, say.command(wayToApprove(facts))),
    } as const;
    super(finding, facts);
    this.files = files;
  }
}

/** The commands that write the missing file. */
function wayToApprove({ planFile, stack }: Unapproved): string {
  if (planFile === null) return "It is printed with this error.";
  if (planFile !== undefined)
    return `Run \`tenancy approve ${shellWord(planFile)}\`, and commit the new file.`;
  const plan = `tenancy plan ${stack === undefined ? "" : `${shellWord(stack)} `}--out change.plan`;
  return `Run \`${plan}\`, then \`tenancy approve change.plan\`, and commit the new file.`;
}

/** A file of `approvals/` is no approval. */
export const unfitApprovals = problem<{
  file: string;
  /** From 1 on; undefined if it is about the whole file. */
  line?: number | undefined;
  problem: string;
  advice: Advice;
}>({
  code: "TENANCY_APPROVALS",
  where: ({ file }) => ({ file }),
  summary: ({ file, line, problem }) => `${file}${line === undefined ? "" : `, line ${line}`}: ${problem}`,
  advice: ({ advice }, say) => inWords(advice, say),
});

/** The service granted a new user or account more than the plan showed. */
export const grantedMore = problem<{ noun: string; key: string; more: readonly string[] }>({
  code: "TENANCY_GRANTED_MORE",
  summary: ({ noun, key, more }) =>
    `the service gave ${noun} ${JSON.stringify(key)} more than was approved: ${more.join("; ")}`,
  advice: (_, say) =>
    `The object exists. ${say.command("Run `tenancy plan`") ?? "Plan again"}: it shows what an apply would take away.`,
});

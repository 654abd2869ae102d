/** Errors of access reviews. */
import { plainText } from "../lib/values";
import { problem } from "./problem";
import { type Advice, inWords } from "./words";

/** A report was asked for something that does not exist. */
export const reportUnknown = problem<{
  kind: "right" | "user" | "account";
  name: string;
  /** What was probably meant. */
  near: readonly string[];
}>({
  code: "TENANCY_REPORT_UNKNOWN",
  summary: ({ kind, name }) =>
    kind === "right"
      ? `there is no right ${JSON.stringify(plainText(name))}`
      : `no service of this report shows the ${kind} ${JSON.stringify(plainText(name))}`,
  advice: ({ kind, near }) =>
    near.length > 0
      ? `Did you mean ${near.map((one) => JSON.stringify(plainText(one))).join(" or ")}?`
      : ADVICE[kind],
  explain: `
\`tenancy report\` was asked for a right, a user or an account that does not exist; an empty answer would look as if nobody could do anything. A right is
written with its group, as in \`vss.format_disks\`; \`access.web\`, \`access.api\`, \`account_admin\`, \`destructive\` and \`privileged\` may be asked for as well.
A user is named by the whole login, \`jane@acme\`. A caller who does not see every account may miss some: the report says so.`,
});

const ADVICE = {
  right: "Write it with its group, as in vss.format_disks; docs/guides/rights.md lists all of them.",
  user: "Name the whole login, as in jane@acme.",
  account: "Name an account as the report lists it.",
} as const;

/** What `--baseline` names cannot be compared. */
export const baselineUnfit = problem<{
  file: string;
  /** As in "it is not JSON". */
  problem: string;
  advice?: Advice;
}>({
  code: "TENANCY_BASELINE",
  where: ({ file }) => ({ file }),
  summary: ({ file, problem }) => `the baseline ${file} cannot be compared: ${problem}`,
  advice: ({ advice }, say) =>
    inWords(advice, say) ??
    say.command("Make one: tenancy report --json > FILE.") ??
    "Name a file that holds the JSON of a report.",
  explain: `
\`--baseline FILE\` takes what \`tenancy report --json\` printed earlier, whole: made for the same project or environment, with the same \`--usage\` and
\`--max-token-age\`, and without \`--who-can\`, \`--user\` or \`--account\`, unless the same is asked for now. A report of another kind would show differences that nobody
has made.`,
});

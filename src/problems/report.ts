/** Errors of access reviews. */
import { plainText } from "../lib/values";
import { problem } from "./problem";
import { type Advice, inWords } from "./words";

/** A report was asked for something that does not exist. */
export const reportUnknown = problem<{
  kind: "right" | "user" | "account";
  name: string;
  /** Names that were probably meant. */
  near: readonly string[];
}>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ kind, name }) =>
    kind === "right"
      ? `there is no right ${JSON.stringify(plainText(name))}`
      : `no service of this report shows the ${kind} ${JSON.stringify(plainText(name))}`,
  advice: ({ kind, near }) =>
    near.length > 0
      ? `Did you mean ${near.map((one) => JSON.stringify(plainText(one))).join(" or ")}?`
      : QUESTION_ADVICE[kind],
});

const QUESTION_ADVICE = {
  right: "Write it with its group, as in vss.format_disks; docs/guides/rights.md lists all of them.",
  user: "Name the whole login, as in jane@acme.",
  account: "Name an account as the report lists it.",
} as const;

/** The file that `--baseline` names cannot be compared. */
export const baselineUnfit = problem<{
  file: string;
  /** As in "it is not JSON". */
  problem: string;
  advice?: Advice;
}>({
  code: "TENANCY_FILE_UNUSABLE",
  where: ({ file }) => ({ file }),
  summary: ({ file, problem }) => `the baseline ${file} cannot be compared: ${problem}`,
  advice: ({ advice }, say) =>
    inWords(advice, say) ??
    say.command("Make one: tenancy report --json > FILE.") ??
    "Name a file that holds the JSON of a report.",
});

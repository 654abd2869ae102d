/** Errors of the command, its project and its saved plans. */
import { problem } from "./problem";
import { type Advice, inWords } from "./words";
import { shellWord } from "../lib/values";

/** The command was called in a way that it does not understand. */
export const usage = problem<{ problem: string; advice: Advice }>({
  code: "TENANCY_USAGE",
  summary: ({ problem }) => problem,
  advice: ({ advice }, say) => inWords(advice, say),
});

/** The Node that runs the command is too old for it. */
export const oldNode = problem<{ oldest: string; version: string }>({
  code: "TENANCY_OLD_NODE",
  summary: ({ oldest, version }) => `tenancy needs Node ${oldest} or later; this is Node ${version}`,
  advice: "Install a current Node, or put it first on the PATH.",
});

/** There is no usable `cdktf.json` in the folder. */
export const noProject = problem<{
  /** As in "there is no cdktf.json in /home/me". */
  problem: string;
  advice: string;
}>({
  code: "TENANCY_NO_PROJECT",
  summary: ({ problem }) => problem,
  advice: ({ advice }, say) => inWords(advice, say),
});

/** The project's app did not produce stacks that can be read. */
export const synthesisFailed = problem<{
  /** The fault, as in "the app ended with exit code 1". */
  problem: string;
  /** The command. */
  app: string;
  advice: string;
  /** Output of the app, as far as it helps. */
  output?: string | undefined;
}>({
  code: "TENANCY_SYNTHESIS_FAILED",
  summary: ({ problem }) => problem,
  detail: ({ app, output = "" }) =>
    [`App: ${app}`, ...(output === "" ? [] : ["It printed:", output.replace(/^/gm, "  ")])].join("\n"),
  advice: ({ advice }) => advice,
});

/** A file is not a plan that can be applied. */
export const brokenPlan = problem<string>({
  code: "TENANCY_BROKEN_PLAN",
  summary: (problem) => problem,
  advice: (_, say) => `Make a new one${say.command(": tenancy plan --out FILE") ?? ", with `savePlan`"}.`,
});

/** A saved plan no longer fits: the service, the stack or the variables have moved on since it was made. */
export const planOutdated = problem<{
  differences: readonly string[];
  /** Set if the state was wrong about a token: true if the run corrected the state's note, so that the next plan knows. */
  isTokenNoted?: boolean | undefined;
}>({
  code: "TENANCY_PLAN_OUTDATED",
  summary: ({ differences }) => {
    const some = differences.slice(0, 5).join(", ");
    return `the saved plan is out of date: ${some}${differences.length > 5 ? ` and ${differences.length - 5} more` : ""} changed since`;
  },
  advice: ({ isTokenNoted }, say) => {
    if (isTokenNoted === undefined) return "Nothing was written. Make a new plan.";
    return isTokenNoted
      ? "The state was wrong about a token. The state is corrected; nothing else was written. Make a new plan."
      : `The state is wrong about a token, and could not be corrected. Nothing was written. Make a new plan with ${say.flag("verify_tokens")}.`;
  },
});

/** The plan of a stack needs values that the apply of another one will make, so that the two cannot be saved together. */
export const stackWaits = problem<{
  stack: string;
  /** The stack that has to be applied before. */
  first: string;
}>({
  code: "TENANCY_NOT_YET_KNOWN",
  summary: ({ stack, first }) =>
    `the plan of ${stack} needs values that only the apply of ${first} will make`,
  advice: ({ first }) =>
    `Nothing was saved. Save and apply ${first} first: tenancy plan ${shellWord(first)} --out FILE.`,
});

/** The command cannot ask: it has no terminal. */
export const confirmationNeeded = problem<{
  verb: string;
  /** The command that saves a plan to be reviewed, where the verb can be put off in this way. */
  saving?: string | undefined;
  /** True where no option answers for a person. */
  isForPeople?: boolean;
}>({
  code: "TENANCY_CONFIRMATION_NEEDED",
  summary: ({ verb }) => `\`tenancy ${verb}\` cannot ask without a terminal`,
  advice: ({ saving, isForPeople = false }) => {
    if (isForPeople) return "Run it at a terminal.";
    const review =
      saving === undefined ? "" : `, or review a saved plan first: ${saving}, then tenancy apply FILE`;
    return `Pass --yes${review}.`;
  },
});

/** A file that the command was to read or write. */
export const fileUnusable = problem<{
  file: string;
  /** As in "it exists already". */
  problem: string;
  advice: Advice;
}>({
  code: "TENANCY_FILE_UNUSABLE",
  where: ({ file }) => ({ file }),
  summary: ({ file, problem }) => `${file}: ${problem}`,
  advice: ({ advice }, say) => inWords(advice, say),
});

/** The Terraform provider cannot be installed from here. */
export const pluginUnavailable = problem<{
  /** As in "it has not been built". */
  why: string;
  advice: string;
}>({
  code: "TENANCY_PLUGIN_UNAVAILABLE",
  summary: ({ why }) => `the provider cannot be installed: ${why}`,
  advice: ({ advice }) => advice,
});

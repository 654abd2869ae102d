/** Errors of the command, its project and its saved plans. */
import { problem } from "./problem";
import { type Advice, inWords } from "./words";

/** The command was called in a way that it does not understand. */
export const usage = problem<{ problem: string; advice: Advice }>({
  code: "TENANCY_USAGE",
  summary: ({ problem }) => problem,
  advice: ({ advice }, say) => inWords(advice, say),
  explain: `
The command line names a verb or an option that does not exist, lacks a value, or combines options that do not go together. Nothing was
done. \`tenancy --help\` lists the verbs, \`tenancy VERB --help\` the options of one.`,
});

/** The Node that runs the command is too old for it. */
export const oldNode = problem<{ oldest: string; found: string }>({
  code: "TENANCY_OLD_NODE",
  summary: ({ oldest, found }) => `tenancy needs Node ${oldest} or later; this is Node ${found}`,
  advice: "Install a current Node, or put it first on the PATH.",
  explain: `
The command uses features that older versions of Node do not have. \`node --version\` tells which one is first on the PATH; version managers
and CI images often pin one, in a file such as .nvmrc or in the job's definition.`,
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
  explain: `
The command works on the project in the current folder: there must be a \`cdktf.json\`, a JSON object whose member \`app\` is the
command that synthesizes the stacks, for example \`{"language": "typescript", "app": "npx tsx main.ts"}\`. \`output\` names the folder
that it writes to, \`cdktf.out\` where absent. \`tenancy init\` makes such a project.`,
});

/** The project's app did not produce stacks that can be read. */
export const synthesisFailed = problem<{
  /** What is wrong, as in "the app ended with exit code 1". */
  problem: string;
  /** The command. */
  app: string;
  advice: string;
  /** What it printed, as far as it helps. */
  output?: string | undefined;
}>({
  code: "TENANCY_SYNTHESIS_FAILED",
  summary: ({ problem }) => problem,
  detail: ({ app, output = "" }) =>
    [`App: ${app}`, ...(output === "" ? [] : ["It printed:", ...indent(output)])].join("\n"),
  advice: ({ advice }) => advice,
  explain: `
The command that \`cdktf.json\` names as \`app\` ended with an error, or wrote no stacks to its output folder. It is run by the shell in the
project's folder, with \`CDKTF_OUTDIR\` set, and without variables that hold credentials (\`TENANCY_PASSWORD\`, \`TENANCY_TOKEN\`,
\`TF_VAR_…\` and such), so that secrets cannot get into what it writes. Run it by itself to see everything that it prints. Nothing was sent
to the service.`,
});

function indent(text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${line}`);
}

/** A file is not a plan that can be applied. */
export const brokenPlan = problem<string>({
  code: "TENANCY_BROKEN_PLAN",
  summary: (problem) => problem,
  advice: (_, say) => `Make a new one${say.command(": tenancy plan --out FILE") ?? ", with `savePlan`"}.`,
  explain: `
\`tenancy apply FILE\` takes a file that \`tenancy plan --out FILE\` wrote, unchanged, in a release that knows the same format. Nothing was
sent. Make a new plan.`,
});

/** A saved plan no longer fits: the service, the stack or the variables have moved on since it was made. */
export const planOutdated = problem<{
  differences: readonly string[];
  /** Set if the store was wrong about a token: whether it has noted what the service says, so that the next plan knows. */
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
      ? "The credential store was wrong about a token. It has noted what the service says; nothing else was written. Make a new plan."
      : `The credential store is wrong about a token, and could not be corrected. Nothing was written. Make a new plan with ${say.flag("verify_tokens")}.`;
  },
  explain: `
\`tenancy apply FILE\` plans anew and goes on only if everything is as it was when the file was written: origin, owner, flags, the
synthesized stack, and for each object its id, uuid, action and managed values before and after. Something has changed. Nothing was written.
Make a new plan, and have it reviewed again.

A plan trusts the tokens of the credential store, unless it is made with \`--verify-tokens\`; \`apply\` tries each of them. Where the service refuses one,
or accepts one again, the store notes that, so that the next plan shows what follows from it.`,
});

/** The plan of a stack needs what the apply of another one will make, so that the two cannot be saved together. */
export const stackWaits = problem<{
  stack: string;
  /** The stack that has to be applied before. */
  first: string;
}>({
  code: "TENANCY_STACK_WAITS",
  summary: ({ stack, first }) =>
    `the plan of ${stack} needs values that only the apply of ${first} will make`,
  advice: ({ first }) =>
    `Nothing was saved. Save and apply ${first} first: tenancy plan ${first} --out FILE.`,
  explain: `
\`tenancy plan --out FILE\` can save the plans of several stacks, which \`tenancy apply FILE\` applies in their order, each exactly as it was
saved. The plan of one stack holds values that are known only after another one was applied, such as the id of an account that is yet to be
created. It would be another plan by then. Nothing was saved. Save and apply the other stack first.`,
});

/** There is nobody who could be asked. */
export const confirmationNeeded = problem<{
  verb: string;
  /** The command that saves a plan to be reviewed, where the verb can be put off in this way. */
  saving?: string | undefined;
}>({
  code: "TENANCY_CONFIRMATION_NEEDED",
  summary: ({ verb }) => `\`tenancy ${verb}\` cannot ask without a terminal`,
  advice: ({ saving }) => {
    const review =
      saving === undefined ? "" : `, or review a saved plan first: ${saving}, then tenancy apply FILE`;
    return `Pass --yes${review}.`;
  },
  explain: `
Before the first write the plan is shown and a person is asked. That needs a terminal, both for input and for output, and no \`--json\`. In
a pipeline, pass \`--yes\`; what \`tenancy apply\` and \`tenancy destroy\` do can also be reviewed first, in a saved plan
(\`tenancy plan --out FILE\`, then \`tenancy apply FILE\`). Nothing was done.`,
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
  explain: `
A file named on the command line cannot be read or written, or a file that \`tenancy init\` would create exists already: it overwrites
nothing.`,
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
  explain: `
\`tenancy plugin install\` puts the provider that comes with the package where Terraform and OpenTofu look for providers by default. In a clone
of the project the provider is there once it is built. On Windows, where they only start programs, one is made of the provider and of the
Node that runs the command; where that fails, the release has such a program.`,
});

/** Errors of a synthesized stack, its variables and outputs. */
import { nearest } from "../lib/values";
import { problem } from "./problem";
import { type Advice, inWords } from "./words";

/** What the app synthesized is not what a synthesized stack looks like. */
export const brokenStack = problem<string>({
  code: "TENANCY_BROKEN_STACK",
  summary: (problem) => problem,
  advice: "Synthesize the app again.",
  explain: `
The files in the output folder (\`cdktf.out\`) are missing, not JSON, or not of the form in which CDKTF synthesizes stacks. Synthesize the
app again; with \`--skip-synth\`, make sure that the folder is the one that the app wrote.`,
});

/** The app synthesized no stack of that name. */
export const unknownStack = problem<{
  name: string;
  known: readonly string[];
  /** Whether it might have been a file as well. */
  orFile?: boolean | undefined;
}>({
  code: "TENANCY_UNKNOWN_STACK",
  summary: ({ name, orFile = false }) =>
    orFile ? `there is neither a stack nor a file "${name}"` : `there is no stack "${name}"`,
  advice: adviceOn,
  explain: `
A stack was named that the app does not synthesize. Names are those given to \`new TerraformStack(app, "name")\`; patterns with \`*\` are
matched against them. An app with one stack needs no name.`,
});

function adviceOn({ name, known }: { name: string; known: readonly string[] }): string {
  if (known.length === 0) return "The app synthesizes no stack.";
  const near = nearest(name, known);
  const question = near === undefined ? "" : `Did you mean ${near}? `;
  return `${question}The stacks are: ${known.join(", ")}.`;
}

/** `--only` or `--exclude` names an address that the stack does not have. */
export const unknownTarget = problem<{ address: string; known: readonly string[] }>({
  code: "TENANCY_UNKNOWN_TARGET",
  summary: ({ address }) => `there is no ${JSON.stringify(address)} in the stack`,
  advice: adviceOnTargets,
  explain: `
\`--only\` and \`--exclude\` take addresses as plans show them, such as \`tenancy_account.acme\` or \`tenancy_user_profile.acme["jane"]\`, and the
names that people use: an account's name, a user's login, \`login/name\` of a token. A misspelt one would silently do nothing, or everything.`,
});

const MOST = 8;

function adviceOnTargets({ address, known }: { address: string; known: readonly string[] }): string {
  if (known.length === 0) return "Nothing is declared there.";
  // The common beginning of addresses would make all of them look near.
  const [shared = ""] = /^.*[.[]/s.exec(address) ?? [];
  const tails = known.filter((one) => one.startsWith(shared)).map((one) => one.slice(shared.length));
  const near = nearest(address.slice(shared.length), tails);
  if (near !== undefined) return `Did you mean ${shared}${near}?`;
  return `There are: ${known.slice(0, MOST).join(", ")}${known.length > MOST ? " …" : ""}`;
}

/** The stack has no such output, or it has no value that could be printed. */
export const unknownOutput = problem<{
  /** As in "the stack has no output "x"". */
  problem: string;
  advice: string;
}>({
  code: "TENANCY_UNKNOWN_OUTPUT",
  summary: ({ problem }) => problem,
  advice: ({ advice }) => advice,
  explain: `
The stack declares no output of that name, its value is known only after an apply, or \`--raw\` was given for a value that is not a string,
number or boolean. \`tenancy output\` lists all outputs.`,
});

/** An output shows a secret without saying so. */
export const sensitiveOutput = problem<string>({
  code: "TENANCY_SENSITIVE_OUTPUT",
  where: (name) => ({ address: `output.${name}` }),
  summary: (name) => `the output "${name}" has a sensitive value, but is not marked as sensitive`,
  advice: (_, say) => `Declare ${say.set("sensitive", true)} for the output.`,
  explain: `
The value of an output comes from something sensitive, such as a token or a sensitive variable, and outputs are printed. Mark the output as
sensitive: it is then shown only when asked for by name with \`tenancy output NAME --raw\`.`,
});

/** The app itself marked a construct as wrong. */
export const appAnnotation = problem<string>({
  code: "TENANCY_APP_ANNOTATION",
  summary: (message) => message,
  explain: `
A construct of the app added a remark with \`Annotations.of(construct).addError\` or \`addWarning\`. Errors stop the run before
anything is sent; warnings are passed on.`,
});

/** A precondition, postcondition or validation of the configuration does not hold. The fact: the condition's own error message. */
export const conditionFailed = problem<string>({
  code: "TENANCY_CONDITION_FAILED",
  summary: (message) => message,
  explain: `
The configuration states conditions that must hold: in the \`validation\` of a variable, in a \`precondition\` or \`postcondition\`. One of
them does not; the message is the configuration's own.`,
});

/** Blocks of the stack need each other. The fact: addresses round the circle, each needing the next one. */
export const dependencyCycle = problem<readonly string[]>({
  code: "TENANCY_CYCLE",
  where: ([first = ""]) => ({ address: first }),
  summary: (addresses) =>
    addresses.length === 1
      ? `"${addresses[0]}" refers to itself`
      : [...addresses, addresses[0] ?? ""].join(" needs "),
  advice: "Remove one of the references.",
  explain: `
Each block of a stack is evaluated after all that it refers to or names in \`depends_on\`. When references form a circle, none of them can
come first.`,
});

/** `count` or `for_each` says nothing that instances could be made of. */
export const invalidExpansion = problem<{ argument: "count" | "for_each"; problem: string }>({
  code: "TENANCY_INVALID_EXPANSION",
  where: ({ argument }) => ({ attribute: [argument] }),
  summary: ({ argument, problem }) => `${argument} cannot be used: ${problem}`,
  explain: `
\`count\` must be a whole number, and \`for_each\` a map or a set of strings; both must be known while planning, and not sensitive. What is
known only after apply, such as the id of an account that is to be created, cannot decide how many objects there are: use what you
declared instead, such as its name.`,
});

/** A variable has no value, or one that it cannot have. */
export const invalidVariables = problem<string>({
  code: "TENANCY_INVALID_VARIABLE",
  summary: (problem) => problem,
  explain: `
A variable of the stack has no value and no default, a value of another type, or one that its validation refuses; or a variable file
cannot be read. Values come, later ones winning, from \`TF_VAR_name\`, \`terraform.tfvars\`, \`*.auto.tfvars\`, \`--var-file\` and \`--var\`.`,
});

/** The stack uses another provider than ours. The fact: as in `the provider "random"`, `resources of type "random_id"`. */
export const unsupportedProvider = problem<string>({
  code: "TENANCY_UNSUPPORTED_PROVIDER",
  summary: (what) => `the embedded engine does not run ${what}`,
  advice: "Move it into another stack, or run this one with Terraform or OpenTofu.",
  explain: `
The embedded engine has one provider built in, \`tenancy/tenancy\`; from others it knows \`null_resource\` and \`terraform_data\`, as values. A
stack with other providers runs with Terraform or OpenTofu. Often it is enough to move the tenants into a stack of their own: values
pass between stacks of one app.`,
});

/** The provider's configuration lacks something that every request needs. */
export const incompleteProvider = problem<{
  /** What it lacks, as in "no owner". */
  lacks: string;
  advice: Advice;
}>({
  code: "TENANCY_INCOMPLETE_PROVIDER",
  summary: ({ lacks }) => `the provider has ${lacks}`,
  advice: ({ advice }, say) => inWords(advice, say),
  explain: `
The provider needs to know where the service is (\`base_url\` or \`TENANCY_BASE_URL\`), who to log in as (\`username\` and \`password\`, or
\`token\`; \`TENANCY_USERNAME\` and \`TENANCY_PASSWORD\`, or \`TENANCY_TOKEN\`) and, in the embedded engine, under which name records
are ours (\`owner\` or \`TENANCY_OWNER\`). Configuration beats environment. Nothing was sent.`,
});

/** The provider's own configuration depends on a value that is known only after apply. */
export const providerNotYetKnown = problem<{
  /** Names of the attributes that are unknown. */
  names: readonly string[];
  /** As in "so nothing can be imported". */
  consequence: string;
}>({
  code: "TENANCY_PROVIDER_NOT_YET_KNOWN",
  title: "The provider's configuration is known only after apply",
  summary: ({ names, consequence }) =>
    `the provider's ${names.join(", ")} ${names.length === 1 ? "is" : "are"} known only after apply, ${consequence}`,
  advice: (_, say) =>
    `Apply what the provider depends on first (${say.only()}), or give it a value that is known.`,
  explain: `
An attribute of the provider comes from a resource that has not been created yet, so while planning nobody knows which service to ask, or as
whom. The embedded engine reads the service while planning, so it refuses the stack: use variables or the environment for these attributes,
or run the stack with Terraform or OpenTofu.

Under Terraform nothing is contacted: the state is assumed to be true, with a warning, and guards are left for later. What needs an answer
while planning is an error: an import, a data source, an ephemeral resource. Apply what the provider depends on first (\`-target\`), or give
the attribute a value that is known.`,
});

/** The app has no stack, or several and none of them is named. */
export const stackUnnamed = problem<readonly string[]>({
  code: "TENANCY_STACK_UNNAMED",
  summary: (stacks) =>
    stacks.length === 0 ? "the app has no stack" : "the app has several stacks, and none of them is named",
  advice: (stacks) =>
    stacks.length === 0
      ? 'Add one to the app: new TerraformStack(app, "platform").'
      : `The stacks are: ${stacks.join(", ")}. Name those that you mean.`,
  explain: `
The command line names no stack, and the app has none or several. Name one or more of those there are; patterns such as \`prod-*\`
match several. An app with one stack needs no name. Nothing was sent to the service.`,
});

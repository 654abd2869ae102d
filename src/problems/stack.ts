/** Errors of a synthesized stack, its variables and outputs. */
import { nearest } from "../lib/values";
import { problem } from "./problem";
import { type Advice, inWords } from "./words";

/** The app's output does not look like a synthesized stack. */
export const brokenStack = problem<string>({
  code: "TENANCY_SYNTHESIS_FAILED",
  summary: (problem) => problem,
  advice: "Synthesize the app again.",
});

/** The app synthesized no stack of that name. */
export const unknownStack = problem<{
  name: string;
  known: readonly string[];
  /** True if it might have been a file as well. */
  orFile?: boolean | undefined;
}>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ name, orFile = false }) =>
    orFile ? `there is neither a stack nor a file "${name}"` : `there is no stack "${name}"`,
  advice: stackAdvice,
});

function stackAdvice({ name, known }: { name: string; known: readonly string[] }): string {
  if (known.length === 0) return "The app synthesizes no stack.";
  const near = nearest(name, known);
  const question = near === undefined ? "" : `Did you mean ${near}? `;
  return `${question}The stacks are: ${known.join(", ")}.`;
}

/** `--only` or `--exclude` names an address that the stack does not have. */
export const unknownTarget = problem<{ address: string; known: readonly string[] }>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ address }) => `there is no ${JSON.stringify(address)} in the stack`,
  advice: adviceOnTargets,
});

const MOST_NAMED_STACKS = 8;

function adviceOnTargets({ address, known }: { address: string; known: readonly string[] }): string {
  if (known.length === 0) return "Nothing is declared there.";
  // The common beginning of addresses would make all of them look near.
  const [commonStart = ""] = /^.*[.[]/s.exec(address) ?? [];
  const tails = known
    .filter((one) => one.startsWith(commonStart))
    .map((one) => one.slice(commonStart.length));
  const near = nearest(address.slice(commonStart.length), tails);
  if (near !== undefined) return `Did you mean ${commonStart}${near}?`;
  return `There are: ${known.slice(0, MOST_NAMED_STACKS).join(", ")}${known.length > MOST_NAMED_STACKS ? " …" : ""}`;
}

/** The stack has no such output, or it has no value that could be printed. */
export const unknownOutput = problem<{
  /** As in "the stack has no output "x"". */
  problem: string;
  advice: string;
}>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ problem }) => problem,
  advice: ({ advice }) => advice,
});

/** An output shows a secret without saying so. */
export const sensitiveOutput = problem<string>({
  code: "TENANCY_SENSITIVE_OUTPUT",
  where: (name) => ({ address: `output.${name}` }),
  summary: (name) => `the output "${name}" has a sensitive value, but is not marked as sensitive`,
  advice: (_, say) => `Declare ${say.set("sensitive", true)} for the output.`,
});

/** The app itself marked a construct as wrong. */
export const appAnnotation = problem<string>({
  code: "TENANCY_CONDITION_FAILED",
  summary: (message) => message,
});

/** A precondition, postcondition or validation of the configuration does not hold. The fact: the condition's own error message. */
export const conditionFailed = problem<string>({
  code: "TENANCY_CONDITION_FAILED",
  summary: (message) => message,
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
});

/** `count` or `for_each` says nothing that instances could be made of. */
export const invalidExpansion = problem<{ argument: "count" | "for_each" | "enabled"; problem: string }>({
  code: "TENANCY_INVALID_VALUE",
  where: ({ argument }) => ({ attribute: argument === "enabled" ? ["lifecycle", "enabled"] : [argument] }),
  summary: ({ argument, problem }) => `${argument} cannot be used: ${problem}`,
});

/** A variable has no value, or one that it cannot have. */
export const invalidVariables = problem<string>({
  code: "TENANCY_INVALID_VARIABLE",
  summary: (problem) => problem,
});

/** The stack uses another provider than Tenancy's. The fact: as in `the provider "random"`, `resources of type "random_id"`. */
export const unsupportedProvider = problem<string>({
  code: "TENANCY_UNSUPPORTED",
  summary: (what) => `the embedded engine does not run ${what}`,
  advice: "Move it into another stack, or run this one with Terraform or OpenTofu.",
});

/** The provider's configuration lacks something that every request needs. */
export const incompleteProvider = problem<{
  /** The gap, as in "no owner". */
  lacks: string;
  advice: Advice;
}>({
  code: "TENANCY_INCOMPLETE_PROVIDER",
  summary: ({ lacks }) => `the provider has ${lacks}`,
  advice: ({ advice }, say) => inWords(advice, say),
});

/** The provider's own configuration depends on a value that is known only after apply. */
export const providerNotYetKnown = problem<{
  /** Names of the attributes that are unknown. */
  names: readonly string[];
  /** As in "so nothing can be imported". */
  consequence: string;
}>({
  code: "TENANCY_NOT_YET_KNOWN",
  title: "The provider's configuration is known only after apply",
  summary: ({ names, consequence }) =>
    `the provider's ${names.join(", ")} ${names.length === 1 ? "is" : "are"} known only after apply, ${consequence}`,
  advice: (_, say) =>
    `Apply the objects that the provider depends on first (${say.only()}), or give it a value that is known.`,
});

/** The app has no stack, or several and none of them is named. */
export const stackUnnamed = problem<readonly string[]>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: (stacks) =>
    stacks.length === 0 ? "the app has no stack" : "the app has several stacks, and none of them is chosen",
  advice: (stacks) =>
    stacks.length === 0
      ? 'Add one to the app: new TerraformStack(app, "platform").'
      : `The stacks are: ${stacks.join(", ")}. Name some of them.`,
});

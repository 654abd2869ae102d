/** Errors of a synthesized stack, its variables and outputs. */
import { nearest } from "../values";
import { type ErrorDetails, TenancyError } from "./problem";

/** What the app synthesized is not what a synthesized stack looks like. */
export class BrokenStack extends TenancyError {
  static readonly code = "TENANCY_BROKEN_STACK";
  static readonly explanation = `
The files in the output folder (\`cdktf.out\`) are missing, not JSON, or not of the form in which CDKTF synthesizes stacks. Synthesize the
app again; with \`--skip-synth\`, make sure that the folder is the one that the app wrote.`;

  constructor(problem: string, details: ErrorDetails = {}) {
    super(problem, { advice: "Synthesize the app again.", ...details });
  }
}

/** The app synthesized no stack of that name. */
export class UnknownStack extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_STACK";
  static readonly explanation = `
A stack was named that the app does not synthesize. Names are those given to \`new TerraformStack(app, "name")\`; patterns with \`*\` are
matched against them. An app with one stack needs no name.`;

  /** @param orFile whether it might have been a file as well */
  constructor(name: string, known: readonly string[], { orFile = false } = {}) {
    super(orFile ? `there is neither a stack nor a file "${name}"` : `there is no stack "${name}"`, {
      advice: adviceOn(name, known),
    });
  }
}

function adviceOn(name: string, known: readonly string[]): string {
  if (known.length === 0) return "The app synthesizes no stack.";
  const near = nearest(name, known);
  const question = near === undefined ? "" : `Did you mean ${near}? `;
  return `${question}The stacks are: ${known.join(", ")}.`;
}

/** `--only` or `--exclude` names an address that the stack does not have. */
export class UnknownTarget extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_TARGET";
  static readonly explanation = `
\`--only\` and \`--exclude\` take addresses as plans show them, such as \`tenancy_account.acme\` or \`tenancy_user_profile.acme["jane"]\`, and the
names that people use: an account's name, a user's login, \`login/name\` of a token. A misspelt one would silently do nothing, or everything.`;

  constructor(address: string, known: readonly string[]) {
    super(`there is no ${JSON.stringify(address)} in the stack`, { advice: adviceOnTargets(address, known) });
  }
}

const MOST = 8;

function adviceOnTargets(address: string, known: readonly string[]): string {
  if (known.length === 0) return "Nothing is declared there.";
  // The common beginning of addresses would make all of them look near.
  const [shared = ""] = /^.*[.[]/s.exec(address) ?? [];
  const tails = known.filter((one) => one.startsWith(shared)).map((one) => one.slice(shared.length));
  const near = nearest(address.slice(shared.length), tails);
  if (near !== undefined) return `Did you mean ${shared}${near}?`;
  return `There are: ${known.slice(0, MOST).join(", ")}${known.length > MOST ? " …" : ""}`;
}

/** The stack has no such output, or it has no value that could be printed. */
export class UnknownOutput extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_OUTPUT";
  static readonly explanation = `
The stack declares no output of that name, its value is known only after an apply, or \`--raw\` was given for a value that is not a string,
number or boolean. \`tenancy output\` lists all outputs.`;

  /** @param problem as in "the stack has no output \"x\"" */
  constructor(problem: string, advice: string) {
    super(problem, { advice });
  }

  static absent(name: string, known: readonly string[]): UnknownOutput {
    const near = nearest(name, known);
    const advice =
      near === undefined ? `There are: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`;
    return new UnknownOutput(`the stack has no output "${name}"`, advice);
  }
}

/** An output shows a secret without saying so. */
export class SensitiveOutput extends TenancyError {
  static readonly code = "TENANCY_SENSITIVE_OUTPUT";
  static readonly explanation = `
The value of an output comes from something sensitive, such as a token or a sensitive variable, and outputs are printed. Mark the output as
sensitive: it is then shown only when asked for by name with \`tenancy output NAME --raw\`.`;

  constructor(name: string) {
    super(`the output "${name}" has a sensitive value, but is not marked as sensitive`, {
      address: `output.${name}`,
      advice: "Add sensitive: true to the output.",
    });
  }
}

/** The app itself marked a construct as wrong. */
export class AppAnnotation extends TenancyError {
  static readonly code = "TENANCY_APP_ANNOTATION";
  static readonly explanation = `
A construct of the app added a remark with \`Annotations.of(construct).addError\` or \`addWarning\`. Errors stop the run before
anything is sent; warnings are passed on.`;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
  }
}

/** A precondition, postcondition or validation of the configuration does not hold. */
export class ConditionFailed extends TenancyError {
  static readonly code = "TENANCY_CONDITION_FAILED";
  static readonly explanation = `
The configuration states conditions that must hold: in the \`validation\` of a variable, in a \`precondition\` or \`postcondition\`. One of
them does not; the message is the configuration's own.`;

  /** @param message the condition's own error message */
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
  }
}

/** Blocks of the stack need each other. */
export class DependencyCycle extends TenancyError {
  static readonly code = "TENANCY_CYCLE";
  static readonly explanation = `
Each block of a stack is evaluated after all that it refers to or names in \`depends_on\`. When references form a circle, none of them can
come first.`;

  /** @param addresses round the circle, each needing the next one */
  constructor(addresses: readonly string[], details: ErrorDetails = {}) {
    const [first = ""] = addresses;
    super(
      addresses.length === 1 ? `"${first}" refers to itself` : `${[...addresses, first].join(" needs ")}`,
      { address: first, advice: "Remove one of the references.", ...details },
    );
  }
}

/** `count` or `for_each` says nothing that instances could be made of. */
export class InvalidExpansion extends TenancyError {
  static readonly code = "TENANCY_INVALID_EXPANSION";
  static readonly explanation = `
\`count\` must be a whole number, and \`for_each\` a map or a set of strings; both must be known while planning, and not sensitive. What is
known only after apply, such as the id of an account that is to be created, cannot decide how many objects there are: use what you
declared instead, such as its name.`;

  constructor(argument: "count" | "for_each", problem: string, details: ErrorDetails = {}) {
    super(`${argument} cannot be used: ${problem}`, { attribute: [argument], ...details });
  }
}

/** A variable has no value, or one that it cannot have. */
export class InvalidVariables extends TenancyError {
  static readonly code = "TENANCY_INVALID_VARIABLE";
  static readonly explanation = `
A variable of the stack has no value and no default, a value of another type, or one that its validation refuses; or a variable file
cannot be read. Values come, later ones winning, from \`TF_VAR_name\`, \`terraform.tfvars\`, \`*.auto.tfvars\`, \`--var-file\` and \`--var\`.`;

  constructor(problem: string, details: ErrorDetails = {}) {
    super(problem, details);
  }
}

/** The stack uses another provider than ours. */
export class UnsupportedProvider extends TenancyError {
  static readonly code = "TENANCY_UNSUPPORTED_PROVIDER";
  static readonly explanation = `
The embedded engine has one provider built in, \`tenancy/tenancy\`; from others it knows \`null_resource\` and \`terraform_data\`, as values. A
stack with other providers runs with Terraform or OpenTofu. Often it is enough to move the tenants into a stack of their own: values
pass between stacks of one app.`;

  /** @param what as in `the provider "random"`, `resources of type "random_id"` */
  constructor(what: string, details: ErrorDetails = {}) {
    super(`the embedded engine does not run ${what}`, {
      advice: "Move it into another stack, or run this one with Terraform or OpenTofu.",
      ...details,
    });
  }
}

/** The provider's configuration lacks something that every request needs. */
export class IncompleteProvider extends TenancyError {
  static readonly code = "TENANCY_INCOMPLETE_PROVIDER";
  static readonly explanation = `
The provider needs to know where the service is (\`base_url\` or \`TENANCY_BASE_URL\`), who to log in as (\`username\` and \`password\`, or
\`token\`; \`TENANCY_USERNAME\` and \`TENANCY_PASSWORD\`, or \`TENANCY_TOKEN\`) and, in the embedded engine, under which name records
are ours (\`owner\` or \`TENANCY_OWNER\`). Configuration beats environment. Nothing was sent.`;

  /** @param lacks what it lacks, as in "no owner" */
  constructor(lacks: string, advice: string, details: ErrorDetails = {}) {
    super(`the provider has ${lacks}`, { advice, ...details });
  }
}

/** The provider's own configuration depends on a value that is known only after apply. */
export class ProviderNotYetKnown extends TenancyError {
  static readonly code = "TENANCY_PROVIDER_NOT_YET_KNOWN";
  static readonly explanation = `
An attribute of the provider comes from a resource that has not been created yet, so while planning nobody knows which service to ask, or as
whom. The embedded engine reads the service while planning, so it refuses the stack: use variables or the environment for these attributes,
or run the stack with Terraform or OpenTofu.

Under Terraform nothing is contacted: the state is assumed to be true, with a warning, and guards are left for later. What needs an answer
while planning is an error: an import, a data source, an ephemeral resource. Apply what the provider depends on first (\`-target\`), or give
the attribute a value that is known.`;

  /**
   * @param names of the attributes that are unknown
   * @param consequence as in "so nothing can be imported"
   */
  constructor(names: readonly string[], consequence: string, details: ErrorDetails = {}) {
    super(
      `the provider's ${names.join(", ")} ${names.length === 1 ? "is" : "are"} known only after apply, ${consequence}`,
      {
        advice: "Apply what the provider depends on first (-target), or give it a value that is known.",
        ...details,
      },
    );
  }
}

/** The app has no stack, or several and none of them is named. */
export class StackUnnamed extends TenancyError {
  static readonly code = "TENANCY_STACK_UNNAMED";
  static readonly explanation = `
The command line names no stack, and the app has none or several. Name one or more of those there are; patterns such as \`prod-*\`
match several. An app with one stack needs no name. Nothing was sent to the service.`;

  constructor(stacks: readonly string[]) {
    super(
      stacks.length === 0 ? "the app has no stack" : "the app has several stacks, and none of them is named",
      stacks.length === 0
        ? { advice: 'Add one to the app: new TerraformStack(app, "platform").' }
        : { advice: `The stacks are: ${stacks.join(", ")}. Name those that you mean.` },
    );
  }
}

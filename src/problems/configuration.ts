/** Errors of a declaration that are found without the service. */
import { formatPath, type Path } from "../lib/values";
import { didYouMean, type Finding, isError, problem, SeveralFindings, warning } from "./problem";
import { ways } from "./words";

/** The configuration cannot be run. */
export class InvalidConfiguration extends SeveralFindings {
  constructor(findings: readonly Finding[]) {
    super("TENANCY_INVALID_CONFIGURATION", findings);
  }

  /** @internal @throws InvalidConfiguration if one of the findings is an error */
  static unlessFit(findings: readonly Finding[]): void {
    const errors = findings.filter(isError);
    if (errors.length > 0) throw new InvalidConfiguration(errors);
  }
}

/** A value that the attribute cannot have. The fact: the mistake, as in "must be a whole number, not 1.5". */
export const invalidValue = problem<string>({
  code: "TENANCY_INVALID_VALUE",
  summary: (problem) => problem,
});

/** A required attribute is absent. */
export const missingAttribute = problem<string>({
  code: "TENANCY_MISSING_ATTRIBUTE",
  summary: (name) => `"${name}" is required`,
  advice: (name, say) => `Set ${say.name(name)}.`,
});

/** The configuration names an attribute that the resource does not have. */
export const unknownAttribute = problem<{ name: string; known: readonly string[] }>({
  code: "TENANCY_UNKNOWN_ATTRIBUTE",
  summary: ({ name }) => `there is no attribute "${name}" here`,
  advice: ({ name, known }) => didYouMean(name, known, `The attributes are: ${known.join(", ")}.`),
});

/** A construct is given a member that it does not have. */
export const unknownMember = problem<{
  name: string;
  /** As in `tenant "acme"`, or `"limits" of tenant "acme"`. */
  owner: string;
  known: readonly string[];
  /** The object that has a member of this name, as in `limits`. */
  object?: string | undefined;
}>({
  code: "TENANCY_UNKNOWN_ATTRIBUTE",
  summary: ({ name, owner }) => `${owner} has no member ${JSON.stringify(name)}`,
  advice: ({ name, known, object }) =>
    object === undefined
      ? didYouMean(name, known, `The members are: ${known.join(", ")}.`)
      : `Write it inside ${JSON.stringify(object)}.`,
});

/** An expression, `depends_on` or `import` refers to nothing. */
export const undeclaredReference = problem<{
  address: string;
  /** Addresses that are declared. */
  known: readonly string[];
}>({
  code: "TENANCY_UNDECLARED_NAME",
  summary: ({ address }) => `"${address}" is not declared in this stack`,
  advice: ({ address, known }) => didYouMean(address, known, "Declare it, or remove the reference."),
});

/** `each`, `count` or `self` in a place without meaning for it. */
export const misplacedReference = problem<{ reference: string; needs: string }>({
  code: "TENANCY_EXPRESSION",
  summary: ({ reference, needs }) => `"${reference}" means something only ${needs}`,
  advice: "Use it there, or write the value itself here.",
});

/** A name without a declaration: of a user, a token, a right or a preset. */
export const undeclaredName = problem<{
  /** As in "user". */
  sort: string;
  name: string;
  known: readonly string[];
  /** Place that has none of that name, as in `tenant "acme"`. */
  within?: string | undefined;
}>({
  code: "TENANCY_UNDECLARED_NAME",
  summary: ({ sort, name, within }) =>
    `there is no ${sort} ${JSON.stringify(name)}${within === undefined ? "" : ` in ${within}`}`,
  advice: ({ name, known }) =>
    didYouMean(
      name,
      known,
      known.length === 0 ? "None is declared." : `There are: ${known.slice(0, 60).join(", ")}.`,
    ),
});

/** A secret is written in the code, or comes from something that is not marked as secret. */
export const literalSecret = problem<string>({
  code: "TENANCY_LITERAL_SECRET",
  summary: (attribute) => `"${attribute}" is a secret, and its value is written in the code`,
  advice: 'Pass it in through a sensitive variable, such as `Secret.variable("name")`.',
});

/** A warning: a version is given for a secret that is not. */
export const versionWithoutValue = warning<string>({
  code: "TENANCY_SECRET_NOT_SENT",
  title: "A write-only value has a version but no value",
  summary: (name) => `"${name}_version" is set, but "${name}" is not: nothing will be sent`,
  advice: (name, say) => `Set ${say.name(name)}, or remove its version.`,
});

/** A warning under Terraform: only a version sends a write-only value again, and there is none. The fact: name of the write-only attribute. */
export const secretWithoutVersion = warning<string>({
  code: "TENANCY_SECRET_NOT_SENT",
  title: "A write-only value has no version, so a changed value is not sent",
  summary: (name) => `"${name}" has no version, so it is sent only when the object is created`,
  detail: "Terraform does not keep the value, so it cannot know that the value has changed.",
  advice: (name, say) => `Declare ${say.version(name)}, and raise it whenever the value changes.`,
});

/** A warning: an object without `account_id` goes to the account of the run's own user, who may manage other accounts. */
export const callersAccount = warning<{ noun: string; key: string; account: string; id: string }>({
  code: "TENANCY_CALLERS_ACCOUNT",
  title: "An object without account_id is created in the caller's own account",
  attribute: ["account_id"],
  summary: ({ noun, key, account, id }) =>
    `${noun} ${JSON.stringify(key)} will be created in the caller's own account ${JSON.stringify(account)} (${id})`,
  advice: (_, say) => `If it belongs to another account, declare ${say.name("account_id")}.`,
});

/** The service created an object, and gave it another uuid than the one that was asked for. */
export const uuidIgnored = problem<{ noun: string; key: string; id: string }>({
  code: "TENANCY_UUID_IGNORED",
  title: "The service created an object with another uuid",
  summary: ({ noun, key, id }) =>
    `${noun} ${JSON.stringify(key)} was created as ${id}, with another uuid than the one asked for`,
  advice: ({ id }, say) => ways(say.importIt(id), "delete it at the service"),
});

/** Two constructs declare one tenant. */
export const duplicateTenant = problem<{ name: string; first: string; second: string }>({
  code: "TENANCY_DECLARED_TWICE",
  summary: ({ name, first, second }) => `two tenants are called "${name}": ${first} and ${second}`,
  advice: "Merge them, rename one, or give each the provider of its own service.",
});

/** Two constructs of one stack would be the same Terraform resource. */
export const duplicateAddress = problem<{ address: string; first: string; second: string }>({
  code: "TENANCY_DECLARED_TWICE",
  where: ({ address }) => ({ address }),
  summary: ({ address, first, second }) => `${first} and ${second} have the same address, ${address}`,
  advice: "Give one of the constructs another id.",
});

/** Two `import` blocks name the same instance. */
export const duplicateImport = problem<string>({
  code: "TENANCY_DECLARED_TWICE",
  where: (address) => ({ address }),
  summary: (address) => `two import blocks have the target ${address}`,
  advice: "Remove one of them.",
});

/** Two declarations mean the same object. */
export const declaredTwice = problem<{ key: string; first: string; second: string }>({
  code: "TENANCY_DECLARED_TWICE",
  where: ({ second }) => ({ address: second }),
  summary: ({ key, first, second }) => `"${key}" is declared twice, by ${first} and by ${second}`,
  advice: "Remove one of the two, or give it another name.",
});

/** The same object is declared, and declared to be removed. */
export const removedAndDeclared = problem<string>({
  code: "TENANCY_REMOVED_AND_DECLARED",
  summary: (name) => `"${name}" is declared, and also to be removed`,
  advice: (_, say) => `Remove either the declaration or ${say.removal()}.`,
});

/** An object is to be removed, and another stack of the app or another provider configuration declares it, or something in it. */
export const deletionElsewhere = problem<{
  name: string;
  /** As in `the stack "b" declares it`. */
  clause: string;
}>({
  code: "TENANCY_REMOVED_AND_DECLARED",
  summary: ({ name, clause }) => `"${name}" is to be removed here, and ${clause}`,
  advice: (_, say) => `Remove either ${say.removal()}, or the other declaration.`,
});

/** A token is declared although the plan deletes its user. */
export const tokenWithoutUser = problem<{
  token: string;
  /** The deleted object: `the user profile "csi@acme"`, `the account "acme"`. */
  deletedObject: string;
}>({
  code: "TENANCY_TOKEN_WITHOUT_USER",
  summary: ({ token, deletedObject }) =>
    `the token ${JSON.stringify(token)} is declared, but this plan deletes ${deletedObject}, which would end the token`,
  advice: ({ deletedObject }, say) =>
    `Remove the declaration of the token, too. Or keep ${deletedObject}: declare it, and remove ${say.removal()} if there is one.`,
});

/** The object that `new Deletion(…)` names does not exist any more: a suggestion, never an error. */
export const removedIsGone = warning<string>({
  code: "TENANCY_REMOVAL_DONE",
  title: "A declared deletion has nothing left to delete",
  summary: (name) => `"${name}" is gone`,
  advice: (_, say) => `You can remove the line with ${say.removal()}.`,
});

/** The name of an owner cannot be one. */
export const invalidOwner = problem<string>({
  code: "TENANCY_INVALID_SETTING",
  attribute: ["owner"],
  summary: (fault) => `owner ${fault}`,
  advice: "Choose a short name for this configuration and keep it, such as `acme-platform`.",
});

/** A warning under Terraform: an attribute that was declared is declared no more, so its value stays. */
export const noLongerDeclared = warning<{
  /** The object, as people call it. */
  who: string;
  path: Path;
  /** As text; undefined for a value that must not be shown. */
  value: string | undefined;
  /** Means to take the value away: `unset`, a list without elements, or only another value. */
  takenAwayBy: "unset" | "emptying" | "another value";
}>({
  code: "TENANCY_NO_LONGER_DECLARED",
  title: "An attribute is no longer declared and keeps its value",
  where: ({ path }) => ({ attribute: path }),
  summary: ({ path }) => `"${formatPath(path)}" is no longer declared, so its value stays`,
  detail: ({ who, value }) => `For ${JSON.stringify(who)} it keeps ${value ?? "its present value"}.`,
  advice: ({ path, takenAwayBy }, say) => {
    if (takenAwayBy === "unset") return `To take the value away, ${say.unset(formatPath(path))}.`;
    if (takenAwayBy === "another value") return "Declare the value that it is to have.";
    const group = path.slice(0, -1);
    const where = group.length === 0 ? "" : ` in ${say.name(formatPath(group))}`;
    return `To empty it, declare ${say.set(formatPath(path.slice(-1)), [])}${where}.`;
  },
});

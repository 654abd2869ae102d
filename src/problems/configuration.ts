/** Errors of a declaration that are found without the service. */
import { formatPath, nearest, type Path } from "../values";
import {
  type Diagnostic,
  type ErrorDetails,
  formatDiagnostic,
  isError,
  placed,
  TenancyError,
  type Whereabouts,
} from "./problem";

/** The configuration cannot be run; holds every finding, so that all can be corrected at once. */
export class InvalidConfiguration extends TenancyError {
  static readonly code = "TENANCY_INVALID_CONFIGURATION";
  static readonly explanation = `
The configuration says something that is not possible: a value of the wrong type or length, a reference to nothing, a construct that
the embedded engine does not run. Nothing was sent to the service and nothing was written. Each finding has its own code and
names the construct and the attribute to correct.`;

  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.diagnostics = diagnostics;
  }

  /** @throws InvalidConfiguration where one of the findings is an error */
  static unlessFit(findings: readonly Diagnostic[]): void {
    const errors = findings.filter(isError);
    if (errors.length > 0) throw new InvalidConfiguration(errors);
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return placed(this.diagnostics, where);
  }
}

/** A value that the attribute cannot have. */
export class InvalidValue extends TenancyError {
  static readonly code = "TENANCY_INVALID_VALUE";
  static readonly explanation = `
A value is of the wrong type, too long or too short, not one of the values that the API knows, or contradicts another value. The
limits are those of the API (spec section 8); they are checked while planning, so that nothing half-done is left behind.`;

  /** @param problem what is wrong, as in "must be a whole number, not 1.5" */
  constructor(problem: string, details: ErrorDetails = {}) {
    super(problem, details);
  }
}

/** An id or serial that no object can have. */
export class InvalidReference extends TenancyError {
  static readonly code = "TENANCY_INVALID_REFERENCE";
  static readonly explanation = `
An id or serial is empty or would change the address of the request. Nothing was sent.`;

  constructor(reference: string) {
    super(`${JSON.stringify(reference)} is not a valid id or serial`, {
      advice: "Use the id or serial as the service shows it.",
    });
  }
}

/** A required attribute is absent. */
export class MissingAttribute extends TenancyError {
  static readonly code = "TENANCY_MISSING_ATTRIBUTE";
  static readonly explanation = `
A required attribute is absent or null. The API refuses to create an object without it, so the plan refuses it first.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" is required`, { advice: `Set "${name}".`, ...details });
  }
}

/** The configuration names an attribute that the resource does not have. */
export class UnknownAttribute extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_ATTRIBUTE";
  static readonly explanation = `
The configuration sets an attribute that this resource does not have, most often a misspelt one. Attribute names are the API's paths in
snake_case, joined by \`_\`: \`limits:vss_num\` is \`limits_vss_num\`. Only contacts are objects with members of their own.`;

  constructor(name: string, known: readonly string[], details: ErrorDetails = {}) {
    const near = nearest(name, known);
    super(`there is no attribute "${name}" here`, {
      advice: near === undefined ? `The attributes are: ${known.join(", ")}.` : `Did you mean "${near}"?`,
      ...details,
    });
  }
}

/** Our provider has no such resource, data source or ephemeral resource. */
export class UnknownType extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_TYPE";
  static readonly explanation = `
The type begins with \`tenancy_\`, and this version of the provider has none of that name: it is misspelt, or was made with bindings of a
newer version.`;

  /** @param sort as in "resource", "data source" */
  constructor(sort: string, type: string, known: Iterable<string>, details: ErrorDetails = {}) {
    const names = [...known];
    const near = nearest(type, names);
    super(`there is no ${sort} "${type}"`, {
      advice: near === undefined ? `There are: ${names.join(", ") || "none"}.` : `Did you mean "${near}"?`,
      ...details,
    });
  }
}

/** An expression, \`depends_on\` or \`import\` refers to nothing. */
export class UndeclaredReference extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_REFERENCE";
  static readonly explanation = `
Something in the stack refers to a resource, data source, variable, local or provider that the stack does not declare. References that CDKTF
makes are right; this happens where an address was written as a string, or where the construct was removed and the string stayed.`;

  /** @param known addresses that are declared */
  constructor(address: string, known: Iterable<string>, details: ErrorDetails = {}) {
    const near = nearest(address, known);
    super(`"${address}" is not declared in this stack`, {
      advice: near === undefined ? "Declare it, or remove the reference." : `Did you mean "${near}"?`,
      ...details,
    });
  }
}

/** \`each\`, \`count\` or \`self\` stands where it means nothing. */
export class MisplacedReference extends TenancyError {
  static readonly code = "TENANCY_MISPLACED_REFERENCE";
  static readonly explanation = `
\`each.key\` and \`each.value\` have a value only in a block with \`for_each\`, \`count.index\` only in a block with \`count\`, and \`self\`
only in a postcondition.`;

  constructor(reference: string, needs: string, details: ErrorDetails = {}) {
    super(`"${reference}" means something only ${needs}`, {
      advice: `Use it there, or write the value itself here.`,
      ...details,
    });
  }
}

/** A name that stands for nothing declared: a user, a token, a right, a preset. */
export class UndeclaredName extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_NAME";
  static readonly explanation = `
The code names a user, a token, a right or a preset that does not exist, most often a misspelt one. In TypeScript the compiler finds
most of these; this error is for names that are made while the program runs.`;

  /**
   * @param sort as in "user"
   * @param within what has none of that name, as in `tenant "acme"`
   */
  constructor(sort: string, name: string, known: readonly string[], within?: string) {
    const near = nearest(name, known);
    const where = within === undefined ? "" : ` in ${within}`;
    super(`there is no ${sort} ${JSON.stringify(name)}${where}`, {
      advice:
        near !== undefined
          ? `Did you mean ${JSON.stringify(near)}?`
          : known.length === 0
            ? "None is declared."
            : `There are: ${known.slice(0, 60).join(", ")}.`,
    });
  }
}

/** A secret is written in the code, or comes from something that is not marked as secret. */
export class LiteralSecret extends TenancyError {
  static readonly code = "TENANCY_LITERAL_SECRET";
  static readonly explanation = `
A secret that is written in the code, or comes from a variable that is not \`sensitive\`, ends up in the repository, in \`cdktf.out\` and
wherever these are shown. Pass it in through a sensitive variable: \`Secret.variable("name")\` in TypeScript, with the value in
\`TF_VAR_name\`.`;

  constructor(attribute: string, details: ErrorDetails = {}) {
    super(`"${attribute}" is a secret, and its value is written in the code`, {
      advice: 'Pass it in through a sensitive variable, such as Secret.variable("name").',
      ...details,
    });
  }
}

/** A warning: a version is given for a secret that is not. */
export class VersionWithoutValue extends TenancyError {
  static readonly code = "TENANCY_VERSION_WITHOUT_VALUE";
  static readonly explanation = `
The version of a write-only value says when to send the value again. Here the version is set and the value is not, so a changed version is
recorded and nothing is sent.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}_version" is set, but "${name}" is not: nothing will be sent`, {
      advice: `Set "${name}", or remove its version.`,
      ...details,
    });
  }
}

/** The service created an object, and gave it another uuid than the one that was asked for. */
export class UuidIgnored extends TenancyError {
  static readonly code = "TENANCY_UUID_IGNORED";
  static readonly explanation = `
A create carries a uuid of our choice, by which the object is recognised in every later run. The service made the object under another uuid:
without one of ours it cannot be recognised, and is not touched again. Adopt it by its id with an \`import\` block, or delete it at the
service.`;

  constructor(noun: string, key: string, id: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} was created as ${id}, with another uuid than the one asked for`, {
      advice: `Adopt it with an import block (id = ${JSON.stringify(id)}), or delete it at the service.`,
      ...details,
    });
  }
}

/** Two constructs declare one tenant. */
export class DuplicateTenant extends TenancyError {
  static readonly code = "TENANCY_DUPLICATE_TENANT";
  static readonly explanation = `
Account names are unique in a service, so two declarations of one name would overwrite each other at every apply. Merge them, give one
of them another name, or, where the tenants live in different services, give each its own provider.`;

  constructor(name: string, first: string, second: string) {
    super(`two tenants are called "${name}": ${first} and ${second}`, {
      advice: "Merge them, rename one, or give each the provider of its own service.",
    });
  }
}

/** Two constructs of one stack would be the same Terraform resource. */
export class DuplicateAddress extends TenancyError {
  static readonly code = "TENANCY_DUPLICATE_ADDRESS";
  static readonly explanation = `
The address of a resource follows from the ids of the constructs around it. Two constructs with the same address would silently become
one resource, with the attributes of both.`;

  constructor(address: string, first: string, second: string) {
    super(`${first} and ${second} have the same address, ${address}`, {
      address,
      advice: "Give one of the constructs another id.",
    });
  }
}

/** Two \`import\` blocks name the same instance. */
export class DuplicateImport extends TenancyError {
  static readonly code = "TENANCY_DUPLICATE_IMPORT";
  static readonly explanation = `
An \`import\` block says which live object an instance takes in. Two blocks with the same target would mean two objects.`;

  constructor(address: string, details: ErrorDetails = {}) {
    super(`two import blocks have the target ${address}`, {
      address,
      advice: "Remove one of them.",
      ...details,
    });
  }
}

/** Two declarations mean the same object. */
export class DeclaredTwice extends TenancyError {
  static readonly code = "TENANCY_DECLARED_TWICE";
  static readonly explanation = `
Two declarations of one stack have the same natural key: the same account name, the same login, or the same token name within a login. They
would keep changing the same object back and forth. Remove one of them, or give it another name.`;

  constructor(key: string, first: string, second: string) {
    super(`"${key}" is declared twice, by ${first} and by ${second}`, {
      address: second,
      advice: "Remove one of the two, or give it another name.",
    });
  }
}

/** The same object is declared, and declared to be removed. */
export class RemovedAndDeclared extends TenancyError {
  static readonly code = "TENANCY_REMOVED_AND_DECLARED";
  static readonly explanation = `
The configuration declares an object, and also says with \`new Removed(…)\` that it, or the account that it is in, is to be deleted. One of
the two has to go.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" is declared, and also to be removed`, {
      advice: "Remove either the declaration or the Removed.",
      ...details,
    });
  }
}

/** What `new Removed(…)` names does not exist any more: a suggestion, never an error. */
export class RemovedIsGone extends TenancyError {
  static readonly code = "TENANCY_REMOVED_IS_GONE";
  static readonly explanation = `
\`new Removed(…)\` did its work: what it names is gone. The line can be taken out of the code.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" is gone`, { advice: "The line `new Removed(…)` can be removed.", ...details });
  }
}

/** The name of an owner cannot be one. */
export class InvalidOwner extends TenancyError {
  static readonly code = "TENANCY_INVALID_OWNER";
  static readonly explanation = `
An owner is the name under which records are ours: the uuid of each record that we create is derived from it. So it has to be a name
that is written the same way everywhere: 1 to 255 characters, no control characters, no white space at either end. Two owners
that differ by one invisible character would not know each other's records.`;

  /** @param fault what is wrong with the name, as in "is empty" */
  constructor(fault: string, attribute: Path) {
    super(`${formatPath(attribute)} ${fault}`, {
      attribute,
      advice: "Choose a short name for this configuration and keep it, such as `acme-platform`.",
    });
  }
}

/** A warning under Terraform: an attribute that was declared is declared no more, so its value stays. */
export class NoLongerDeclared extends TenancyError {
  static readonly code = "TENANCY_NO_LONGER_DECLARED";
  static readonly explanation = `
The last apply of the object declared an attribute, and the configuration does not declare it any more. An attribute that is not declared is
not managed: its value stays at the service. To take a value away, name the attribute in \`unset\`, or declare \`[]\` for a list. The warning
ends with the next apply that changes the object.`;

  /**
   * @param who the object, as people call it
   * @param value as text; undefined for what must not be shown
   * @param takenAwayBy what would take the value away, as a sentence
   */
  constructor(
    who: string,
    path: Path,
    value: string | undefined,
    takenAwayBy: string,
    details: ErrorDetails = {},
  ) {
    super(`"${formatPath(path)}" is no longer declared, so its value stays`, {
      attribute: path,
      detail: `Of ${JSON.stringify(who)} it stays ${value ?? "what it is"}.`,
      advice: takenAwayBy,
      ...details,
    });
  }
}

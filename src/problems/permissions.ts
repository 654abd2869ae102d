/** Errors and warnings about the rights that a declaration grants. */
import { nearest } from "../values";
import { type ErrorDetails, TenancyError } from "./problem";

/** What a user has, or gets from the service. */
export interface UndeclaredRights {
  readonly rights: readonly string[];
  /** The preset that has the same rights, where there is one. */
  readonly preset: string | undefined;
  /** The user is yet to be made. */
  readonly isNew: boolean;
  /** What is at stake with the rights: "destructive and powerful". */
  readonly harm: string | undefined;
}

/** A warning: what a user may do is declared nowhere. */
export class UndeclaredPermissions extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_PERMISSIONS";
  static readonly explanation = `
A user profile, or an account with its primary user profile, has no \`permissions\`. On create the service then grants every right on virtual
storage services, users and the account; later the profile keeps what it has. Declare \`permissions\`: once declared they are exact, and a
right that is not named is denied. \`permissions = {}\` denies them all.`;

  constructor(login: string, { rights, preset, isNew, harm }: UndeclaredRights, details: ErrorDetails = {}) {
    const gets = isNew ? "gets by the service's default" : "has";
    const count = rights.length === 1 ? "1 right" : `${rights.length} rights`;
    // Terraform folds warnings of equal summaries: without harm the name is left to the detail, with harm each warning is shown.
    super(
      harm === undefined
        ? "a user has permissions that no configuration declares"
        : `${JSON.stringify(login)} ${gets} ${count} that no configuration declares, ${harm} ones among them`,
      {
        attribute: ["permissions"],
        detail:
          rights.length === 0
            ? `${JSON.stringify(login)} ${gets} no right.`
            : `${JSON.stringify(login)} ${gets} ${preset === undefined ? rights.join(", ") : `the rights of the preset \`${preset}\``}.`,
        advice: "Declare `permissions`: once declared they are exact.",
        ...details,
      },
    );
  }
}

/** A union of permissions would extend the rights of one side to the scope of the other. */
export class ScopeConflict extends TenancyError {
  static readonly code = "TENANCY_SCOPE_CONFLICT";
  static readonly explanation = `
A profile has one scope for all its rights in a group (spec 2.4): there is no way to hold one right on some virtual storage services
and another right on others. A union of two permissions with different scopes would silently widen one of them, so it is refused.`;

  constructor(group: "node" | "vss") {
    super(`both sides of the union grant ${group} rights, for different scopes`, {
      advice: "Unite them first and call scopedTo() on the result.",
    });
  }
}

/** A warning: rights that the configuration does not name stay granted. */
export class RightsKept extends TenancyError {
  static readonly code = "TENANCY_RIGHTS_KEPT";
  static readonly explanation = `
With \`undeclared_rights = "keep"\` only the rights that \`permissions\` names are managed; all others stay as they are. Those of them that
are granted are listed at every plan, because a reader of the configuration cannot see them there. A right that a plan shows as removed from
\`permissions\` stays granted too.`;

  /** @param harm what is at stake with the rights: "destructive and powerful" */
  constructor(
    login: string,
    rights: readonly string[],
    harm: string | undefined,
    details: ErrorDetails = {},
  ) {
    super(
      harm === undefined
        ? "rights stay granted without being declared"
        : `${JSON.stringify(login)} keeps ${harm} rights that are not declared`,
      {
        attribute: ["permissions"],
        detail: `${JSON.stringify(login)} keeps ${rights.join(", ")}.`,
        advice: 'Name them in `permissions`, or take them away with `undeclared_rights = "deny"`.',
        ...details,
      },
    );
  }
}

/** A warning: a changed template of an account that exists already has no effect. */
export class TemplateRecorded extends TenancyError {
  static readonly code = "TENANCY_TEMPLATE_RECORDED";
  static readonly explanation = `
An account's \`template\` is used when the account is created, and the API has no call that would apply it later. The changed value is
recorded, nothing is sent, and the account stays as it is.`;

  constructor(details: ErrorDetails = {}) {
    super("a changed template is recorded, and does not change the account", {
      attribute: ["template"],
      advice: "Declare what the template would have set, if the account is to have it.",
      ...details,
    });
  }
}

/** A warning: `permissions` grants a right that the API deprecates. */
export class DeprecatedRight extends TenancyError {
  static readonly code = "TENANCY_DEPRECATED_RIGHT";
  static readonly explanation = `
\`permissions\` grants a right that the API marks as deprecated. The right still works; a later version of the service may drop it. The
warning names the rights that took its place.`;

  constructor(right: string, advice: string, details: ErrorDetails = {}) {
    super(`the API deprecates the right "${right}"`, { advice, ...details });
  }
}

/** `ignore_changes` names a right of permissions that are not declared. */
export class IgnoredRight extends TenancyError {
  static readonly code = "TENANCY_IGNORED_RIGHT";
  static readonly explanation = `
\`lifecycle { ignore_changes }\` names a key of \`permissions\`, and the object declares no \`permissions\`. Terraform would then plan as if
\`permissions\` were declared with that key alone; declared permissions are exact, so every other right of the user would be denied.`;

  constructor(right: string, details: ErrorDetails = {}) {
    super(`the right "${right}" is ignored although \`permissions\` are not declared`, {
      advice: "Declare `permissions`, or remove the key from `ignore_changes`.",
      ...details,
    });
  }
}

/** `permissions` names a right that the API does not have. */
export class UnknownRight extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_RIGHT";
  static readonly explanation = `
A key of \`permissions\` is no right of the API, most often a misspelt one. Rights are written with their group, as the API spells them:
\`"vss.manage_snapshots"\`. A right that nobody can hold would be ignored by the service, so that the user could do less, or with
\`undeclared_rights = "keep"\` more, than the configuration says.`;

  /** @param explain what a right lets its holder do, as a sentence */
  constructor(
    right: string,
    known: readonly string[],
    explain: (right: string) => string,
    details: ErrorDetails = {},
  ) {
    const near = nearest(right, known) ?? known.find((one) => one.endsWith(`.${right}`));
    super(`there is no right "${right}"`, {
      advice:
        near === undefined
          ? "Rights are written with their group, such as `vss.manage_snapshots`; the documentation of `permissions` lists all of them."
          : `Did you mean "${near}"? ${explain(near)}`,
      ...details,
    });
  }
}

/** A warning: `permissions` become exact, which takes rights away that no plan has shown. */
export class RightsTaken extends TenancyError {
  static readonly code = "TENANCY_RIGHTS_TAKEN";
  static readonly explanation = `
\`undeclared_rights\` changes from \`keep\` to \`deny\`, so \`permissions\` become exact: the rights that they do not name are taken away. The
state holds only the rights that were declared, so a plan cannot show the others as changes; the warning lists them.`;

  /** @param harm what is at stake with the rights: "destructive and powerful" */
  constructor(
    login: string,
    rights: readonly string[],
    harm: string | undefined,
    details: ErrorDetails = {},
  ) {
    super(
      harm === undefined
        ? "rights that are not declared are taken away"
        : `${JSON.stringify(login)} loses ${harm} rights that are not declared`,
      {
        attribute: ["permissions"],
        detail: `${JSON.stringify(login)} loses ${rights.join(", ")}.`,
        advice: "Name in `permissions` the rights that the user is to have.",
        ...details,
      },
    );
  }
}

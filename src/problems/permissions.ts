/** Errors and warnings about the rights that a declaration grants. */
import { nearest } from "../lib/values";
import { problem, warning } from "./problem";

/** What a user has, or gets from the service. */
export interface UndeclaredRights {
  readonly login: string;
  readonly rights: readonly string[];
  /** The preset that has the same rights, where there is one. */
  readonly preset: string | undefined;
  /** The user is yet to be made. */
  readonly isNew: boolean;
  /** What is at stake with the rights: "destructive and privileged". */
  readonly harm: string | undefined;
}

/** A warning: what a user may do is declared nowhere. */
export const undeclaredPermissions = warning<UndeclaredRights>({
  code: "TENANCY_UNDECLARED_PERMISSIONS",
  title: "A user has permissions that no configuration declares",
  attribute: ["permissions"],
  summary: ({ login, rights, isNew, harm }) => {
    const count = rights.length === 1 ? "1 right" : `${rights.length} rights`;
    return harm === undefined
      ? "a user has permissions that no configuration declares"
      : `${JSON.stringify(login)} ${gets(isNew)} ${count} that no configuration declares, ${harm} ones among them`;
  },
  detail: ({ login, rights, preset, isNew }) =>
    rights.length === 0
      ? `${JSON.stringify(login)} ${gets(isNew)} no right.`
      : `${JSON.stringify(login)} ${gets(isNew)} ${preset === undefined ? rights.join(", ") : `the rights of the preset \`${preset}\``}.`,
  advice: "Declare `permissions`: once declared they are authoritative.",
  explain: `
A user profile, or an account with its primary user profile, has no \`permissions\`. On create the service then grants every right on virtual
storage services, users and the account; later the profile keeps what it has. Declare \`permissions\`: once declared they are authoritative, and a
right that is not named is denied. \`permissions = {}\` denies them all.`,
});

function gets(isNew: boolean): string {
  return isNew ? "gets by the service's default" : "has";
}

/** A union of permissions would extend the rights of one side to the scope of the other. */
export const scopeConflict = problem<"node" | "vss">({
  code: "TENANCY_SCOPE_CONFLICT",
  summary: (group) => `both sides of the union grant ${group} rights, for different scopes`,
  advice: "Unite them first and call scopedTo() on the result.",
  explain: `
A profile has one scope for all its rights in a group (spec 2.4): there is no way to hold one right on some virtual storage services
and another right on others. A union of two permissions with different scopes would silently widen one of them, so it is refused.`,
});

/** A warning: rights that the configuration does not name stay granted. */
export const rightsKept = warning<{
  login: string;
  rights: readonly string[];
  /** What is at stake with the rights: "destructive and privileged". */
  harm: string | undefined;
}>({
  code: "TENANCY_RIGHTS_KEPT",
  title: "A user keeps rights that are not declared",
  attribute: ["permissions"],
  summary: ({ login, harm }) =>
    harm === undefined
      ? "rights stay granted without being declared"
      : `${JSON.stringify(login)} keeps ${harm} rights that are not declared`,
  detail: ({ login, rights }) => `${JSON.stringify(login)} keeps ${rights.join(", ")}.`,
  advice: (_, say) =>
    `Name them in \`permissions\`, or take them away with ${say.set("undeclared_rights", "deny")}.`,
  explain: `
With \`undeclared_rights = "keep"\` only the rights that \`permissions\` names are managed; all others stay as they are. Those of them that
are granted are listed at every plan, because a reader of the configuration cannot see them there. A right that a plan shows as removed from
\`permissions\` stays granted too.`,
});

/** A warning: a changed template of an account that exists already has no effect. */
export const templateRecorded = warning({
  code: "TENANCY_TEMPLATE_RECORDED",
  title: "A changed template is recorded and does not change the account",
  attribute: ["template"],
  summary: "a changed template is recorded, and does not change the account",
  advice: "Declare what the template would have set, if the account is to have it.",
  explain: `
An account's \`template\` is used when the account is created, and the API has no call that would apply it later. The changed value is
recorded, nothing is sent, and the account stays as it is.`,
});

/** A warning: `permissions` grants a right that the API deprecates. */
export const deprecatedRight = warning<{ right: string; advice: string }>({
  code: "TENANCY_DEPRECATED_RIGHT",
  title: "The API deprecates a declared right",
  summary: ({ right }) => `the API deprecates the right "${right}"`,
  advice: ({ advice }) => advice,
  explain: `
\`permissions\` grants a right that the API marks as deprecated. The right still works; a later version of the service may drop it. The
warning names the rights that took its place.`,
});

/** `ignore_changes` names a right of permissions that are not declared. */
export const ignoredRight = problem<string>({
  code: "TENANCY_IGNORED_RIGHT",
  summary: (right) => `the right "${right}" is ignored although \`permissions\` are not declared`,
  advice: (_, say) => `Declare \`permissions\`, or remove the key from ${say.name("ignore_changes")}.`,
  explain: `
\`lifecycle { ignore_changes }\` names a key of \`permissions\`, and the object declares no \`permissions\`. Terraform would then plan as if
\`permissions\` were declared with that key alone; declared permissions are authoritative, so every other right of the user would be denied.`,
});

/** `permissions` names a right that the API does not have. */
export const unknownRight = problem<{
  right: string;
  known: readonly string[];
  /** What a right lets its holder do, as a sentence. */
  explain: (right: string) => string;
}>({
  code: "TENANCY_UNKNOWN_RIGHT",
  summary: ({ right }) => `there is no right "${right}"`,
  advice: ({ right, known, explain }) => {
    const near = nearest(right, known) ?? known.find((one) => one.endsWith(`.${right}`));
    return near === undefined
      ? "Rights are written with their group, such as `vss.manage_snapshots`; the documentation of `permissions` lists all of them."
      : `Did you mean "${near}"? ${explain(near)}`;
  },
  explain: `
A key of \`permissions\` is no right of the API, most often a misspelt one. Rights are written with their group, as the API spells them:
\`"vss.manage_snapshots"\`. A right that nobody can hold would be ignored by the service, so that the user could do less, or with
\`undeclared_rights = "keep"\` more, than the configuration says.`,
});

/** A warning: `permissions` become authoritative, which takes rights away that no plan has shown. */
export const rightsTaken = warning<{
  login: string;
  rights: readonly string[];
  /** What is at stake with the rights: "destructive and privileged". */
  harm: string | undefined;
}>({
  code: "TENANCY_RIGHTS_TAKEN",
  title: "A user loses rights that are not declared",
  attribute: ["permissions"],
  summary: ({ login, harm }) =>
    harm === undefined
      ? "rights that are not declared are taken away"
      : `${JSON.stringify(login)} loses ${harm} rights that are not declared`,
  detail: ({ login, rights }) => `${JSON.stringify(login)} loses ${rights.join(", ")}.`,
  advice: "Name in `permissions` the rights that the user is to have.",
  explain: `
\`undeclared_rights\` changes from \`keep\` to \`deny\`, so \`permissions\` become authoritative: the rights that they do not name are taken away. The
state holds only the rights that were declared, so a plan cannot show the others as changes; the warning lists them.`,
});

/** A restriction of a user, by attribute, and the value after a replacement as far as the specification names a default. */
const LOST = {
  activated: "was deactivated; it is not known whether the service activates the new user",
  access_web: "had no web access, and has it by the service's default",
  access_api:
    "had no API access; a new user has it by the service's default, and of an account's new primary user it is not known",
  allow_su:
    "was closed to administrators who switch to other users; it is not known whether the new user is open to them",
  level: "had a level; it is not known which level the new user gets",
  vss_scope: "had a scope of virtual storage services, and has all of them by the service's default",
  node_scope: "had a scope of nodes, and has all of them by the service's default",
  two_factor_auth: "logged in with two factors, and does not any more",
};

export type Restriction = keyof typeof LOST;

export const RESTRICTIONS = Object.keys(LOST) as readonly Restriction[];

/** A warning: a replacement makes a user anew, without what held the user back. */
export const restrictionsLost = warning<{ login: string; lost: readonly Restriction[] }>({
  code: "TENANCY_RESTRICTIONS_LOST",
  title: "A replacement ends restrictions of a user",
  summary: ({ login }) => `the replacement of ${JSON.stringify(login)} ends what held this user back`,
  detail: ({ login, lost }) => lost.map((one) => `${JSON.stringify(login)} ${LOST[one]}.`).join(" "),
  advice:
    "Declare what the user is to have. What cannot be declared has to be set again once the user is made.",
  explain: `
A replacement deletes a user profile, or an account with its primary user profile, and creates a new one. Restrictions that nobody declares
are not carried over. By the service's defaults the new user has web access and all scopes, and no second factor. The specification names no
default for \`allow_su\`, \`level\` and \`activated\`, so the new values are not known: a user who was closed to administrators
(\`allow_su = false\`) may be open to them, and a deactivated user may be active again. Declare \`activated\` (of an account), \`access_web\`,
\`access_api\`, \`allow_su\`, \`level\`, \`vss_scope\`, \`node_scope\` or \`two_factor_auth\`, or set the value again after the apply.`,
});

/** Errors and warnings about the rights that a declaration grants. */
import { nearest } from "../lib/values";
import { problem, warning } from "./problem";

/** A warning: the permissions of a user are not declared. */
export const undeclaredPermissions = warning<{
  readonly login: string;
  /** Undefined if the service does not show them. */
  readonly rights: readonly string[] | undefined;
  /** The preset that has the same rights, where there is one. */
  readonly preset: string | undefined;
  /** The user is yet to be made. */
  readonly isNew: boolean;
  /** Danger of the rights: "destructive and privileged". */
  readonly harm: string | undefined;
}>({
  code: "TENANCY_UNDECLARED_PERMISSIONS",
  title: "A user has permissions that no configuration declares",
  attribute: ["permissions"],
  summary: ({ login, rights, isNew, harm }) => {
    const count = rights?.length === 1 ? "1 right" : `${rights?.length ?? 0} rights`;
    return harm === undefined
      ? "a user has permissions that no configuration declares"
      : `${JSON.stringify(login)} ${gets(isNew)} ${count} that no configuration declares, ${harm} ones among them`;
  },
  detail: ({ login, rights, preset, isNew }) => {
    if (rights === undefined) return `The service does not show the rights of ${JSON.stringify(login)}.`;
    const names = preset === undefined ? rights.join(", ") : `the rights of the preset \`${preset}\``;
    return `${JSON.stringify(login)} ${gets(isNew)} ${rights.length === 0 ? "no right" : names}.`;
  },
  advice: "Declare `permissions`: all rights that they do not list are then denied.",
});

function gets(isNew: boolean): string {
  return isNew ? "gets by the service's default" : "has";
}

/** A warning: access ends before it is granted, so it never is. */
export const endInThePast = warning<{ login: string; what: string; day: string }>({
  code: "TENANCY_END_IN_THE_PAST",
  title: "Access has ended before it is granted",
  summary: ({ login, what, day }) =>
    `${JSON.stringify(login)} does not get ${what === "access" ? "web and API access" : what}: it ended on ${day}`,
  advice: "Declare a later day, or remove the end and its access.",
});

/** No run removes access at its end. */
export const endNotRemoved = problem<{ who: string; names: readonly string[]; why: string }>({
  code: "TENANCY_END_NOT_REMOVED",
  summary: ({ who, names, why }) =>
    `the temporary access of ${JSON.stringify(who)} is not removed (${names.map((name) => (name === "access" ? "web and API access" : name)).join(", ")}): ${why}`,
  advice:
    "Look the user up at the service, and remove the access there, or delete the user. If the lists hide users, run with credentials that see every user.",
});

/** A warning: rights that the configuration does not name stay granted. */
export const rightsKept = warning<{
  login: string;
  rights: readonly string[];
  /** Danger of the rights: "destructive and privileged". */
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
});

/** A warning: a changed template of an account that exists already has no effect. */
export const templateRecorded = warning({
  code: "TENANCY_CREATE_ONLY",
  title: "A changed template is recorded and does not change the account",
  attribute: ["template"],
  summary: "a changed template is recorded, and does not change the account",
  advice: "If the account needs the template's settings, declare them.",
});

/** A warning: an update of a contact cannot repeat members that are not known, and a service that replaces contacts loses them. */
export const hiddenMembers = warning<{ contact: string; members: readonly string[] }>({
  code: "TENANCY_HIDDEN_MEMBERS",
  title: "An update of a contact may lose members that are neither declared nor shown",
  summary: ({ contact, members }) =>
    `${contact}: ${members.join(", ")} are neither declared nor shown, and a service that replaces contacts loses them`,
  advice: "Declare them, too, with the values that they have at the service.",
});

/** A warning: whether the primary user profile of an account is activated is settled when the account is created. */
export const activationRecorded = warning({
  code: "TENANCY_CREATE_ONLY",
  title: "A changed `activated` is recorded and does not change the account",
  attribute: ["activated"],
  summary: "a changed `activated` is recorded, and does not change the account",
  advice: (_, say) =>
    `The service takes it only with a new account. To suspend the user, set ${say.set("access_web", false)} and ${say.set("access_api", false)}.`,
});

/** A warning: a suspended tenant has users or tokens that still work, because no suspension covers them. */
export const worksThoughSuspended = warning<{
  tenant: string;
  /** Users with their remaining access: "eve@acme (web and API access)". */
  users: readonly string[];
  /** Tokens as `login/name`. */
  tokens: readonly string[];
}>({
  code: "TENANCY_WORKS_THOUGH_SUSPENDED",
  title: "Users or tokens of a suspended tenant still work",
  summary: "users or tokens of a suspended tenant still work",
  detail: ({ tenant, users, tokens }) =>
    [
      `Nothing in this stack suspends these users of ${JSON.stringify(tenant)}: ${users.join(", ")}.`,
      ...(tokens.length === 0 ? [] : [`Their tokens work, too: ${tokens.join(", ")}.`]),
    ].join(" "),
  advice: "Declare these users in the suspended tenant, or delete them. Then their tokens stop working, too.",
});

/** `suspended` was removed from a declaration, which would leave the user suspended. */
export const suspensionOpen = problem<string>({
  code: "TENANCY_SUSPENSION_OPEN",
  attribute: ["suspended"],
  summary: (name) =>
    `${JSON.stringify(name)} was suspended, and its declaration no longer says whether it still is`,
  advice:
    "Write `suspended: false`, which gives web and API access back, or `suspended: true`. After an apply of `false` the line may be removed.",
});

/** A warning: `permissions` grants a right that the API deprecates. */
export const deprecatedRight = warning<{ right: string; advice: string }>({
  code: "TENANCY_DEPRECATED_RIGHT",
  title: "The API deprecates a declared right",
  summary: ({ right }) => `the API deprecates the right "${right}"`,
  advice: ({ advice }) => advice,
});

/** `ignore_changes` names a right of permissions that are not declared. */
export const ignoredRight = problem<string>({
  code: "TENANCY_INVALID_VALUE",
  summary: (right) => `the right "${right}" is ignored although \`permissions\` are not declared`,
  advice: (_, say) => `Declare \`permissions\`, or remove the key from ${say.name("ignore_changes")}.`,
});

/** `permissions` names a right that the API does not have. */
export const unknownRight = problem<{
  right: string;
  known: readonly string[];
  /** Explains a right in a sentence. */
  explain: (right: string) => string;
}>({
  code: "TENANCY_UNKNOWN_RIGHT",
  summary: ({ right }) => `there is no right "${right}"`,
  advice: ({ right, known, explain }, say) => {
    const near = nearest(right, known) ?? known.find((one) => one.endsWith(`.${right}`));
    return near === undefined
      ? `Rights are written with their group, such as \`vss.manage_snapshots\`; the documentation of \`permissions\` lists all of them. If the service has this one, name it in ${say.name("extra_rights")} of the provider.`
      : `Did you mean "${near}"? ${explain(near)}`;
  },
});

/** A warning: `permissions` become authoritative, which takes rights away that no plan has shown. */
export const rightsTaken = warning<{
  login: string;
  rights: readonly string[];
  /** Danger of the rights: "destructive and privileged". */
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

/** A warning: a replacement creates a user again, without the user's restrictions. */
export const restrictionsLost = warning<{ login: string; restrictions: readonly Restriction[] }>({
  code: "TENANCY_RESTRICTIONS_LOST",
  title: "A replacement ends restrictions of a user",
  summary: ({ login }) => `the replacement of ${JSON.stringify(login)} ends the restrictions of this user`,
  detail: ({ login, restrictions }) =>
    restrictions.map((one) => `${JSON.stringify(login)} ${LOST[one]}.`).join(" "),
  advice: "Declare the user's settings. Set other settings again after the user is created.",
});

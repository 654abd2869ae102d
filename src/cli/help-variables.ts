/** The variables of the environment that the help of each verb explains, in groups. */

/** Variables of the environment that the help of a verb explains. */
export const VARIABLES = {
  TENANCY_BASE_URL: "address of the service, where the provider's configuration has none",
  TENANCY_OWNER: "owner of a run without a state, where the provider's configuration has none",
  "TENANCY_USERNAME, TENANCY_PASSWORD": "user to log in as",
  TENANCY_TOKEN: "persistent API token, instead of user and password",
  "TENANCY_OTP, TENANCY_TOTP_SECRET": "second factor of the login",
  TENANCY_STATE_KEY: "key that the state is encrypted with",
  TENANCY_PREVIOUS_STATE_KEY: "earlier key of the state",
  TENANCY_IDENTITY: "age identity that opens sealed tokens: the text of an identity file",
  TENANCY_SNAPSHOT_KEY: "key that snapshots are encrypted with",
  TENANCY_REQUIRE_APPROVAL: "changes that need an approval: never, broadening or access",
  TENANCY_STACKS: "names of the pipeline's stacks, in the order of their apply",
  TENANCY_PUBLIC: "true: the pipeline may run in a public repository, whose artifacts are public, too",
  TENANCY_STATE: "branch that keeps the states, as in git:origin/tenancy-state",
  TENANCY_ALLOWED_ORIGINS: "origins that requests may be sent to, separated by commas",
  "GITHUB_TOKEN, TENANCY_GITLAB_TOKEN": "token of the host's API",
  TF_VAR_NAME: "value of the variable NAME",
} as const;
export type Variable = keyof typeof VARIABLES;

export const STORED: readonly Variable[] = ["TENANCY_STATE_KEY", "TF_VAR_NAME"];
export const TALKING: readonly Variable[] = [
  "TENANCY_BASE_URL",
  "TENANCY_OWNER",
  "TENANCY_USERNAME, TENANCY_PASSWORD",
  "TENANCY_TOKEN",
  "TENANCY_OTP, TENANCY_TOTP_SECRET",
  ...STORED,
];
export const WITH_SNAPSHOT: readonly Variable[] = [...TALKING, "TENANCY_SNAPSHOT_KEY"];
export const PLANNED: readonly Variable[] = [
  ...WITH_SNAPSHOT,
  "TENANCY_IDENTITY",
  "TENANCY_REQUIRE_APPROVAL",
];
export const IN_PIPELINES: readonly Variable[] = ["TENANCY_STACKS", "TF_VAR_NAME"];
export const PIPED: readonly Variable[] = [
  ...PLANNED,
  "TENANCY_STATE",
  "TENANCY_ALLOWED_ORIGINS",
  "TENANCY_STACKS",
  "TENANCY_PUBLIC",
  "GITHUB_TOKEN, TENANCY_GITLAB_TOKEN",
];

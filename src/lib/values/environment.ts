/** Names the environment variables that hold credentials, and the one that a pipeline sets. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Those of one service have its name behind two underscores: `TENANCY_PASSWORD__STORAGE_EXAMPLE`. */
const SECRETS =
  /^(TF_VAR_.*|TENANCY_(PASSWORD|TOKEN|OTP|TOTP_SECRET)(__.*)?|TENANCY_(GITLAB_TOKEN|STATE_KEY(__.*)?|SNAPSHOT_KEY|PREVIOUS_STATE_KEY|IDENTITY))$/i;
const CREDENTIAL_NAMES = new RegExp(`${SECRETS.source}|^TENANCY_USERNAME(__.*)?$`, "i");

/** `TENANCY_IDENTITY` may have several, with comments between them. */
const AGE_IDENTITY = /AGE-SECRET-KEY-1[0-9A-Z]+/g;

/** The environment for a program that a run starts: without the variables that only the run may know, and without unset ones. */
export function withoutCredentials(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !CREDENTIAL_NAMES.test(entry[0]),
    ),
  );
}

/** The values that no output may show. */
export function secretsOf(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) =>
    SECRETS.test(name) && value !== "" ? [value, ...(value.match(AGE_IDENTITY) ?? [])] : [],
  );
}

/** True in a job of a pipeline, as its host says. */
export function isCi({ CI = "" }: Environment): boolean {
  return CI !== "" && CI !== "false";
}

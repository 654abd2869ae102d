/** Describes the provider's own configuration. The environment, and then the default, supply values that it leaves out. */
import { OneTimePasswords, parseBaseUrl, systemClock } from "../api";
import { type Finding, invalidValue, TenancyError } from "../problems";
import { type Attributes, describe, flag, integer, text, texts } from "../schema";
import type { ObjectValue } from "../lib/values";
import { RIGHT_FORM } from "./rights";
import { textSetting, textsSetting, ownerFrom, refuseTwoIdentities } from "./settings";

/** Address of the service, credentials, and options of the client. */
const attributes: Attributes = {
  base_url: text("Address of the management node, without `/api`. Environment: `TENANCY_BASE_URL`."),
  username: text("User to log in as. Environment: `TENANCY_USERNAME`."),
  password: text("Password of the user. Environment: `TENANCY_PASSWORD`.").secret(),
  token: text(
    "Persistent API token, instead of username and password. Environment: `TENANCY_TOKEN`.",
  ).secret(),
  otp: text(
    "One-time password for two-factor login; works once, so it is for the embedded engine only. Environment: `TENANCY_OTP`.",
  ).secret(),
  totp_secret: text(
    "Secret that one-time passwords are computed from: base32 as authenticators show it, hexadecimal as services take it, or an `otpauth://` URI. Environment: " +
      "`TENANCY_TOTP_SECRET`.",
  ).secret(),
  extra_rights: texts(
    'Rights that the service has and this version of the provider does not know, as in `["vss.new_right"]`. `permissions` may then contain them.',
  ),
  ca_file: text(
    "File with the CA certificates (PEM) to trust, instead of the public ones. Environment: `TENANCY_CA_FILE`.",
  ),
  owner: text(
    "Name from which uuids derive in a run that keeps no state (`--state none`): required there, and without effect elsewhere. Only one stack " +
      "per service may have it. Environment: `TENANCY_OWNER`.",
  ),
  max_concurrency: integer("Requests at the same time.", { min: 1 }).defaultsTo("10"),
  request_timeout: text("Time after which a request is given up.", {
    format: "timeout",
  }).defaultsTo('"30s"'),
  retry_timeout: text(
    "How long a request is repeated after it failed first, if it may be repeated; `0s`: not at all. A stop of the run ends the wait.",
    { format: "duration" },
  ).defaultsTo('"2m"'),
  otp_header: text("Name of the header that carries one-time passwords; it differs between deployments.", {
    length: [1, 128],
    format: "header",
  }).defaultsTo("`X-Service-OTP`"),
  tokens_revocable: flag(
    "False for a service that revokes no tokens over its API: a token that would be revoked stays valid and listed, the plan says so, and nothing fails. " +
      "Default: true.",
  ),
};

export const provider = describe(
  "provider",
  "Tenants of a multi-tenant storage service: accounts, user profiles with fine-grained permissions, persistent API tokens.",
  // A provider computes nothing: missing values stay null.
  Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, attribute.clientOnly()])),
);

// Checks of a provider's configuration alone, without the service or the environment.

/** By the attribute that a finding is about. */
const RULES: Readonly<Record<string, (config: ObjectValue) => unknown>> = {
  base_url: (config) => ifGiven(config, "base_url", (text) => parseBaseUrl(text)),
  owner: (config) => ownerFrom(config, {}),
  extra_rights: (config) => {
    const misshapen = textsSetting(config, "extra_rights").find((right) => !RIGHT_FORM.test(right));
    if (misshapen !== undefined)
      throw invalidValue.error(
        `${JSON.stringify(misshapen)} is no right with its group, such as "vss.new_right"`,
      );
  },
  token: refuseTwoIdentities,
  totp_secret: (config) =>
    ifGiven(config, "totp_secret", (secret) => new OneTimePasswords(secret, systemClock)),
};

/** Checks known values only: the environment may give the missing ones. */
export function checkProvider(config: ObjectValue): readonly Finding[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    try {
      rule(config);
      return [];
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      return error.toFindings({ attribute: [name] });
    }
  });
}

function ifGiven(config: ObjectValue, name: string, parse: (text: string) => unknown): void {
  const text = textSetting(config, name);
  if (text !== undefined) parse(text);
}

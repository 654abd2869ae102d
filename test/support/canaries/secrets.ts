/** A canary for each place that holds a secret. Spelt otherwise in JSON, in URLs, in HTML and in base64, where the API lets it. */
import { families } from "../../../src/resources/registry";
import { provider } from "../../../src/service/provider";
import type { Attributes, Description } from "../../../src/schema";
import { stateKey } from "../state-key";

const awkward = (name: string) => `canary "${name}" \\ +/é&<`;

/** Letters that a yubikey types. */
const YUBIKEY_PASSWORD = "cbdefghijklnrtuvvutrnlkjihgfedbc";

const PASSWORDS = { csi: awkward("csi"), jane: awkward("jane") };

/** Secrets that the user configures, by the attribute: `user_profile.two_factor_secret_wo`. */
export const CONFIGURED = {
  "provider.password": awkward("caller"),
  "provider.token": "1/canary+token/of+the/provider",
  "provider.otp": "canary-otp-of-the-provider",
  "provider.totp_secret": "CANARYTOTP2SECRET3OF4THE5CALLER2",
  "account.password_wo": awkward("acme"),
  "user_profile.password_wo": PASSWORDS.jane,
  "user_profile.two_factor_otp_wo": YUBIKEY_PASSWORD,
  "user_profile.two_factor_secret_wo": "ca0a57e5ec2e70f7be0b5e0000000001",
  "user_profile.two_factor_private_id_wo": "ca0a57e5ec2e70f7be0b5e0000000002",
  "authorization.password_wo": PASSWORDS.csi,
  "session_token.password": PASSWORDS.csi,
  "session_token.otp": "canary-otp-of-a-session",
} as const;

/** Secrets that the service makes; their values are read from its answers. */
export const MADE: readonly string[] = [
  "access_token.access_token",
  "authorization.access_token",
  "authorization.previous.access_token",
  "session_token.access_token",
];

/** Other values that no output may show. */
export const STATE_KEY = stateKey("canary-state-key");
export const SNAPSHOT_KEY = stateKey("canary-snapshot-key");

/** A sensitive variable whose value goes into an attribute that is not sensitive. */
export const VARIABLE = awkward("variable");

/** What the service adds to its answers, although nobody has a use for it. */
export const UNASKED = awkward("unasked");

/** Every attribute that descriptions call a secret: `account.password_wo`. */
export function secretAttributes(): readonly string[] {
  const descriptions = families.flatMap(({ resource, dataSources = [], ephemeral }) =>
    [resource, ...dataSources, ephemeral].flatMap((part) => part?.description ?? []),
  );
  return [named("provider", provider), ...descriptions.map((one) => named(one.type, one))].flat();
}

function named(type: string, { attributes }: Description): readonly string[] {
  return secretsIn(attributes).map((path) => `${type.replace(/^tenancy_/, "")}.${path}`);
}

function secretsIn(attributes: Attributes): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { shape, sensitive, writeOnly }]) => [
    ...(sensitive || writeOnly ? [name] : []),
    ...("attributes" in shape ? secretsIn(shape.attributes).map((path) => `${name}.${path}`) : []),
  ]);
}

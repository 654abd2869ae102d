/** The provider's configuration, completed from the environment and checked. */
import { IncompleteProvider, InvalidValue } from "../errors";
import { parseOwnerKeys, parseOwners, type Owners } from "../ownership";
import { parseDuration } from "../schema";
import { isInteger, isList, type ObjectValue } from "../values";
import { parseBaseUrl, proxyFromEnvironment, type Credentials, type ProxySettings } from "../api";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Which service, and under which names records there are ours. */
export interface Address {
  /** Without `/api`. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Undefined where no owner was chosen. */
  readonly owners: Owners | undefined;
}

/** What is needed to talk to a service as somebody. */
export interface Settings extends ServiceSettings {
  readonly credentials: Credentials;
}

/** How to talk to a service, whoever does. */
export interface ServiceSettings extends Address {
  readonly caFile: string | undefined;
  readonly maxConcurrency: number | undefined;
  readonly requestTimeoutMs: number | undefined;
  readonly maxRetries: number | undefined;
  readonly otpHeader: string | undefined;
  readonly switchUserHeader: string | undefined;
  readonly proxy: ProxySettings;
}

/**
 * @param config of the provider block: conformed, validated and wholly known
 * @throws IncompleteProvider, InvalidValue, InvalidUrl, PlainHttp, InvalidOwner
 */
export function settingsOf(config: ObjectValue, environment: Environment): Settings {
  return { ...serviceSettingsOf(config, environment), credentials: credentialsOf(config, environment) };
}

/**
 * All of the settings that are known without credentials.
 * @throws IncompleteProvider, InvalidValue, InvalidUrl, PlainHttp, InvalidOwner
 */
export function serviceSettingsOf(config: ObjectValue, environment: Environment): ServiceSettings {
  return {
    ...addressOf(config, environment),
    caFile: given(config, "ca_file") ?? fromEnvironment(environment, "TENANCY_CA_FILE"),
    maxConcurrency: integer(config, "max_concurrency"),
    requestTimeoutMs: duration(config, "request_timeout"),
    maxRetries: integer(config, "max_retries"),
    otpHeader: given(config, "otp_header"),
    switchUserHeader: given(config, "switch_user_header"),
    proxy: proxyFromEnvironment(environment),
  };
}

/**
 * Which service, and for whom.
 * @throws IncompleteProvider, InvalidValue, InvalidUrl, PlainHttp, InvalidOwner
 */
export function addressOf(config: ObjectValue, environment: Environment): Address {
  const declared = given(config, "base_url");
  const baseUrl = declared ?? fromEnvironment(environment, "TENANCY_BASE_URL");
  if (baseUrl === undefined) {
    throw new IncompleteProvider("no base_url", "Set base_url in the provider, or TENANCY_BASE_URL.");
  }
  const { origin } = parseBaseUrl(baseUrl, declared === undefined ? "TENANCY_BASE_URL" : "base_url");
  const owners = ownersOf(config, environment);
  if (owners === undefined && formerOwners(config).length > 0)
    throw new InvalidValue("names former owners, and there is no owner", {
      attribute: ["previous_owners"],
      advice: "Set `owner`, or TENANCY_OWNER, to the name that came after them.",
    });
  return { baseUrl, origin, owners };
}

/**
 * What the configuration says of credentials beats the environment as a whole, so that two identities never mix.
 * @throws IncompleteProvider, InvalidValue
 */
export function credentialsOf(config: ObjectValue, environment: Environment): Credentials {
  const second = {
    otp: given(config, "otp") ?? fromEnvironment(environment, "TENANCY_OTP"),
    totpSecret: given(config, "totp_secret") ?? fromEnvironment(environment, "TENANCY_TOTP_SECRET"),
  };
  refuseTwoIdentities(config);
  const token = given(config, "token");
  const username = given(config, "username");
  if (token !== undefined) return { kind: "token", token };
  const environmentToken = fromEnvironment(environment, "TENANCY_TOKEN");
  if (username === undefined && given(config, "password") === undefined && environmentToken !== undefined) {
    return { kind: "token", token: environmentToken };
  }
  const name = username ?? fromEnvironment(environment, "TENANCY_USERNAME");
  const password = given(config, "password") ?? fromEnvironment(environment, "TENANCY_PASSWORD");
  if (name === undefined || password === undefined) {
    throw new IncompleteProvider(
      name === undefined ? "no credentials" : "a username, but no password",
      "Set TENANCY_USERNAME and TENANCY_PASSWORD, or TENANCY_TOKEN, in the environment.",
    );
  }
  return { kind: "password", username: name, password, ...second };
}

/** Whom a connection logs in as; undefined with a token, which only the service knows the user of. */
export function usernameOf({ credentials }: Pick<Settings, "credentials">): string | undefined {
  return credentials.kind === "password" ? credentials.username : undefined;
}

/** @throws InvalidValue */
export function refuseTwoIdentities(config: ObjectValue): void {
  if (given(config, "token") === undefined || given(config, "username") === undefined) return;
  throw new InvalidValue("either a token or a username, not both", {
    attribute: ["token"],
    advice: "Remove one of them: the run can work as one identity only.",
  });
}

/** @throws InvalidOwner, InvalidOwnerKey */
export function ownersOf(config: ObjectValue, environment: Environment): Owners | undefined {
  const owner = given(config, "owner") ?? fromEnvironment(environment, "TENANCY_OWNER");
  if (owner === undefined) return undefined;
  // Keys are in no configuration: whoever reads it could forge uuids of ours.
  const keys = parseOwnerKeys(
    fromEnvironment(environment, "TENANCY_OWNER_KEY"),
    fromEnvironment(environment, "TENANCY_PREVIOUS_OWNER_KEY"),
  );
  return parseOwners(owner, formerOwners(config), keys);
}

function formerOwners(config: ObjectValue): readonly string[] {
  const names = config["previous_owners"] ?? null;
  return isList(names) ? names.filter((name) => typeof name === "string") : [];
}

export function given(config: ObjectValue, name: string): string | undefined {
  const value = config[name];
  return typeof value === "string" ? value : undefined;
}

/** An empty variable counts as unset, as CI systems set empty ones for what is missing. */
function fromEnvironment(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === "" ? undefined : value;
}

function integer(config: ObjectValue, name: string): number | undefined {
  const value = config[name];
  return isInteger(value) ? Number(value) : undefined;
}

function duration(config: ObjectValue, name: string): number | undefined {
  const value = given(config, name);
  return value === undefined ? undefined : parseDuration(value);
}

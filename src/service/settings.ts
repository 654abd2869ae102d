/** Completes the provider's configuration from the environment, and checks it. */
import { type Credentials, parseBaseUrl, proxyFromEnvironment, type ProxySettings } from "../api";
import { parseOwner } from "../ownership";
import { incompleteProvider, invalidValue, originNotAllowed } from "../problems";
import { parseDuration } from "../schema";
import { type Environment, isInteger, isList, type ObjectValue, plainText } from "../lib/values";

/** The service, and the owner of a run without a state. */
interface ServiceAndOwner {
  /** URL of the service, without `/api`. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Undefined if none is named. */
  readonly owner: string | undefined;
  readonly tokensRevocable: boolean | undefined;
}

/** Settings that are complete: with credentials. */
export interface ProviderSettings extends ServiceSettings {
  readonly credentials: Credentials;
}

/** The settings that need no credentials. */
export interface ServiceSettings extends ServiceAndOwner {
  readonly caFile: string | undefined;
  readonly maxConcurrency: number | undefined;
  readonly requestTimeoutMs: number | undefined;
  readonly retryTimeoutMs: number | undefined;
  readonly otpHeader: string | undefined;
  /** Rights that count although this version does not know them. */
  readonly extraRights: readonly string[];
  readonly proxy: ProxySettings;
}

/**
 * @param config of the provider block: conformed, validated and wholly known
 * @throws incompleteProvider, invalidValue, invalidSetting, plainHttp, invalidOwner, originNotAllowed
 */
export function providerSettingsOf(config: ObjectValue, environment: Environment): ProviderSettings {
  const service = serviceSettingsOf(config, environment);
  return { ...service, credentials: credentialsOf(config, environment, service.origin) };
}

/**
 * All of the settings that are known without credentials. Every request gets them from here.
 * @throws incompleteProvider, invalidValue, invalidSetting, plainHttp, invalidOwner, originNotAllowed
 */
export function serviceSettingsOf(config: ObjectValue, environment: Environment): ServiceSettings {
  const service = serviceAndOwnerOf(config, environment);
  const origins = fromEnvironment(environment, "TENANCY_ALLOWED_ORIGINS");
  requireAllowed(service.origin, origins);
  const isRestricted = origins !== undefined;
  const caFile = "TENANCY_CA_FILE";
  const environmentFile =
    fromEnvironment(environment, forService(caFile, service.origin)) ?? fromEnvironment(environment, caFile);
  return {
    ...service,
    // If the environment restricts the services, it also sets the trusted certificates.
    caFile: isRestricted
      ? (environmentFile ?? textSetting(config, "ca_file"))
      : (textSetting(config, "ca_file") ?? environmentFile),
    maxConcurrency: isInteger(config["max_concurrency"]) ? Number(config["max_concurrency"]) : undefined,
    requestTimeoutMs: duration(config, "request_timeout"),
    retryTimeoutMs: duration(config, "retry_timeout"),
    otpHeader: textSetting(config, "otp_header"),
    extraRights: textsSetting(config, "extra_rights"),
    proxy: proxyFromEnvironment(environment),
  };
}

/**
 * The service and the owner.
 * @throws incompleteProvider, invalidValue, invalidSetting, plainHttp, invalidOwner
 */
export function serviceAndOwnerOf(config: ObjectValue, environment: Environment): ServiceAndOwner {
  const declaredUrl = textSetting(config, "base_url");
  const baseUrl = declaredUrl ?? fromEnvironment(environment, "TENANCY_BASE_URL");
  if (baseUrl === undefined) {
    throw incompleteProvider.error({
      lacks: "no base_url",
      advice: (say) => `Set ${say.name("base_url")} in the provider, or TENANCY_BASE_URL.`,
    });
  }
  const { origin } = parseBaseUrl(baseUrl, declaredUrl === undefined ? "TENANCY_BASE_URL" : "base_url");
  const { tokens_revocable: revocable } = config;
  const tokensRevocable = typeof revocable === "boolean" ? revocable : undefined;
  return { baseUrl, origin, owner: ownerFrom(config, environment), tokensRevocable };
}

/** @throws originNotAllowed, also if the list itself cannot be read: then it would not protect */
function requireAllowed(origin: string, list: string | undefined): void {
  if (list === undefined) return;
  const entries = list.split(",").map((entry) => entry.trim());
  const allowedOrigins = entries.filter((entry) => entry !== "").map(allowedOrigin);
  if (allowedOrigins.length === 0) throw originNotAllowed.error({ fault: "it contains no origin" });
  if (!allowedOrigins.includes(origin)) throw originNotAllowed.error({ origin });
}

/** `HTTPS://Storage.example:443/` → `https://storage.example`. */
function allowedOrigin(entry: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined;
  const isOrigin =
    url !== undefined &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    !url.hostname.includes("*") &&
    /^\/*$/.test(url.pathname) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  if (isOrigin) return url.origin;
  // A broken address may hold anything, a password too.
  const shownEntry = url === undefined || url.password !== "" ? "an entry" : `"${plainText(entry, 80)}"`;
  throw originNotAllowed.error({ fault: `${shownEntry} is no origin` });
}

/**
 * The variable of the environment that is meant for one service alone: `TENANCY_PASSWORD__STORAGE_EXAMPLE_8443`. It has the name of the host, with
 * the port where that is not the usual one, so that no change of the code makes it another service's. A dot becomes one underscore and a hyphen
 * two: names of hosts that differ never have the same variable.
 */
function forService(variable: string, origin: string): string {
  const host = new URL(origin).host.toUpperCase();
  return `${variable}__${host.replaceAll("-", "__").replace(/[^A-Z0-9_]/g, "_")}`;
}

/** Variables that together identify the user. */
const IDENTITY = [
  "TENANCY_USERNAME",
  "TENANCY_PASSWORD",
  "TENANCY_TOKEN",
  "TENANCY_OTP",
  "TENANCY_TOTP_SECRET",
] as const;

/**
 * Credentials in the configuration override the environment as a whole, so that two identities never mix. In the environment, variables for
 * this service override the general ones: if one of them is set, the general ones do not count.
 * @throws incompleteProvider, invalidValue
 */
export function credentialsOf(config: ObjectValue, environment: Environment, origin: string): Credentials {
  const hasOwn = IDENTITY.some(
    (variable) => fromEnvironment(environment, forService(variable, origin)) !== undefined,
  );
  const nameOf = (variable: (typeof IDENTITY)[number]) => (hasOwn ? forService(variable, origin) : variable);
  const valueOf = (variable: (typeof IDENTITY)[number]) => fromEnvironment(environment, nameOf(variable));
  const second = {
    otp: textSetting(config, "otp") ?? valueOf("TENANCY_OTP"),
    totpSecret: textSetting(config, "totp_secret") ?? valueOf("TENANCY_TOTP_SECRET"),
  };
  refuseTwoIdentities(config);
  const token = textSetting(config, "token");
  const username = textSetting(config, "username");
  if (token !== undefined) return tokenCredentials(token);
  const environmentToken = valueOf("TENANCY_TOKEN");
  if (
    username === undefined &&
    textSetting(config, "password") === undefined &&
    environmentToken !== undefined
  ) {
    return tokenCredentials(environmentToken);
  }
  const name = username ?? valueOf("TENANCY_USERNAME");
  const password = textSetting(config, "password") ?? valueOf("TENANCY_PASSWORD");
  if (name === undefined || password === undefined) {
    const lacksName = hasOwn && password !== undefined ? "a password, but no username" : "no credentials";
    const [users, passwords, tokens] = (
      ["TENANCY_USERNAME", "TENANCY_PASSWORD", "TENANCY_TOKEN"] as const
    ).map(nameOf);
    throw incompleteProvider.error(
      {
        lacks: name === undefined ? lacksName : "a username, but no password",
        advice: `Set ${users} and ${passwords}, or ${tokens}, in the environment.`,
      },
      {
        detail: hasOwn
          ? `Variables for ${origin} are set, so those for every service do not count.`
          : `Credentials only for ${origin}: ${forService("TENANCY_PASSWORD", origin)}, and so on.`,
      },
    );
  }
  return { kind: "password", username: name, password, ...second };
}

/** Files and CI secrets end in a line break. Comparisons with the tokens of a state use the sent text. */
function tokenCredentials(token: string): Credentials {
  return { kind: "token", token: token.trim() };
}

/** The user that a connection logs in as; undefined with a token, whose user only the service knows. */
export function passwordUsername({ credentials }: Pick<ProviderSettings, "credentials">): string | undefined {
  return credentials.kind === "password" ? credentials.username : undefined;
}

/** @throws invalidValue */
export function refuseTwoIdentities(config: ObjectValue): void {
  if (textSetting(config, "token") === undefined || textSetting(config, "username") === undefined) return;
  throw invalidValue.error("either a token or a username, not both", {
    attribute: ["token"],
    advice: "Remove one of them: the run can work as one identity only.",
  });
}

/** @throws invalidOwner */
export function ownerFrom(config: ObjectValue, environment: Environment): string | undefined {
  const owner = textSetting(config, "owner") ?? fromEnvironment(environment, "TENANCY_OWNER");
  return owner === undefined ? undefined : parseOwner(owner);
}

export function textsSetting(config: ObjectValue, name: string): readonly string[] {
  const texts = config[name] ?? null;
  return isList(texts) ? texts.filter((text) => typeof text === "string") : [];
}

export function textSetting(config: ObjectValue, name: string): string | undefined {
  const value = config[name];
  return typeof value === "string" ? value : undefined;
}

/** An empty variable counts as unset, as CI systems set empty variables for missing ones. */
function fromEnvironment(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === "" ? undefined : value;
}

function duration(config: ObjectValue, name: string): number | undefined {
  const value = textSetting(config, name);
  return value === undefined ? undefined : parseDuration(value);
}

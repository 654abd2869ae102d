/** Errors that keep the provider from talking to its service. */
import { apiProblem } from "./api";
import { problem, warning } from "./problem";
import { type Advice, inWords } from "./words";

/** The service points somewhere else. */
export const redirectRefused = apiProblem<{ target: string; why: string }>({
  code: "TENANCY_API_REDIRECT",
  summary: ({ target, why }) => `redirect to ${target} not followed: ${why}`,
  advice: (_, say) => `Set ${say.name("base_url")} to the address where the service really is.`,
});

/** The service's certificate is not trusted, or no secure connection could be agreed on. */
export const untrusted = apiProblem<{ why: string; advice: Advice }>({
  code: "TENANCY_API_TLS",
  summary: ({ why }) => `no trusted connection: ${why}`,
  advice: ({ advice }, say) => inWords(advice, say),
  unsent: true,
});

/** `GET /status` answers, and its body does not say that the service is healthy (spec 1). */
export const serviceUnhealthy = problem<{
  origin: string;
  /** As the body shows it; undefined if the body shows none. */
  status: string | undefined;
  message: string | undefined;
}>({
  code: "TENANCY_API_SERVER",
  summary: ({ origin, status }) =>
    status === undefined
      ? `${origin} answers without saying that it is healthy`
      : `${origin} says that it is not healthy: status ${status}`,
  detail: ({ message }) => (message === undefined ? undefined : `The service says: ${message}`),
  advice: "Run again when the service is healthy.",
});

const FITTING_VALUES: Readonly<Record<string, string>> = {
  HTTPS_PROXY: "Give an address such as http://proxy.example:3128.",
  ca_file: "Name a file with the service's CA certificate in PEM form.",
  "the credentials": "Give either a token, or a username and a password.",
  totp_secret:
    "Give the secret as the authenticator shows it (base32) or as services take it (hexadecimal), or its otpauth:// address.",
};

/** A setting of a connection that cannot be used. Other settings than those above are addresses of the service. */
export const invalidSetting = problem<{ setting: string; why: string }>({
  code: "TENANCY_INVALID_SETTING",
  summary: ({ setting, why }) => `${setting} cannot be used: ${why}`,
  advice: ({ setting }) =>
    FITTING_VALUES[setting] ?? "Give the service's address without /api, such as https://storage.example.",
});

/** Plain http to a machine other than this one. */
export const plainHttp = problem<{ setting: string; host: string }>({
  code: "TENANCY_INVALID_SETTING",
  summary: ({ setting, host }) => `${setting} uses plain http, and ${host} is not this machine`,
  advice: (_, say) =>
    `Use https://, with ${say.name("ca_file")} (TENANCY_CA_FILE) where the certificate is self-signed.`,
});

/** The password that was set to create a token could not be removed again. */
export const passwordLeft = problem<{
  login: string;
  /** As a clause. */
  why: string;
  /** True if the state notes it, so that the next apply tries again. */
  isNoted: boolean;
}>({
  code: "TENANCY_PASSWORD_LEFT",
  title: "A temporary password was not removed",
  summary: ({ login, why }) =>
    `the password of ${JSON.stringify(login)} that was set to create a token was not removed: ${why}`,
  advice: ({ isNoted }, say) =>
    isNoted
      ? "Every apply tries to remove it. If the service refuses that, declare a password for the user: it takes the place of this one, and the warning ends."
      : `On its user profile, ${say.unset("password_wo")}, and apply again. If the service refuses that, declare a password there.`,
});

/** A warning under Terraform: a user has got a password that the configuration does not declare. */
export const passwordAppeared = warning<{ login: string }>({
  code: "TENANCY_PASSWORD_LEFT",
  title: "A user has a password that no configuration declares",
  summary: ({ login }) => `${JSON.stringify(login)} has got a password that this configuration did not set`,
  detail:
    "If an apply was killed while it created a token with a temporary password, that password is still set, and it is lost. No token can be created with a temporary password until it is removed.",
  advice: (_, say) =>
    `To remove the password, ${say.unset("password_wo")}, and apply. If the user has set the password, declare nothing.`,
});

/** A plan of Terraform's notes the first version of an imported object's secret, and sends nothing. */
export const versionRecorded = warning<{
  key: string;
  /** The write-only attribute, as in `password_wo`. */
  secret: string;
}>({
  code: "TENANCY_SECRET_NOT_SENT",
  title: "The version of a write-only value is recorded and the value is not sent",
  summary: ({ key, secret }) =>
    `the version of ${secret} of ${JSON.stringify(key)} is recorded, and the value is not sent`,
  detail: "The object was imported, and may have the declared value already.",
  advice: ({ secret }, say) => `To send the value, raise ${say.version(secret)} once this is applied.`,
});

/** `TENANCY_ALLOWED_ORIGINS` does not name the service that the configuration does, or cannot be used. */
export const originNotAllowed = problem<
  | {
      /** Origin of the service that was to be talked to. */
      origin: string;
    }
  | {
      /** As in "the entry "storage" is no origin". */
      fault: string;
    }
>({
  code: "TENANCY_ORIGIN_NOT_ALLOWED",
  summary: (facts) =>
    "origin" in facts
      ? `TENANCY_ALLOWED_ORIGINS does not allow ${facts.origin}`
      : `TENANCY_ALLOWED_ORIGINS cannot be used: ${facts.fault}`,
  advice: (facts, say) =>
    "origin" in facts
      ? `Check ${say.name("base_url")}. If this service is meant, add its origin to TENANCY_ALLOWED_ORIGINS.`
      : "List origins, separated by commas, such as https://storage.example.",
});

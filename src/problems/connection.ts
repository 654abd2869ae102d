/** Errors that keep the provider from talking to its service. */
import { apiProblem } from "./api";
import { problem, warning } from "./problem";
import { type Advice, inWords, ways } from "./words";

/** The service points somewhere else. */
export const redirectRefused = apiProblem<{ target: string; why: string }>({
  code: "TENANCY_API_REDIRECT",
  summary: ({ target, why }) => `redirect to ${target} not followed: ${why}`,
  advice: (_, say) => `Set ${say.name("base_url")} to the address where the service really is.`,
  explain: `
The service answered with a redirect that is not followed: to another origin, where the credentials would go along; of a write, which would be
repeated; or round in a circle. Set \`base_url\` to the address where the service really is.`,
});

/** The service's certificate is not trusted, or no secure connection could be agreed on. */
export const untrusted = apiProblem<{ why: string; advice: Advice }>({
  code: "TENANCY_API_TLS",
  summary: ({ why }) => `no trusted connection: ${why}`,
  advice: ({ advice }, say) => inWords(advice, say),
  unsent: true,
  explain: `
The certificate that the service (or a proxy on the way) shows is not trusted: signed by an unknown authority, expired, or issued for
another name. Nothing was sent. Where the service signs its own certificate, as many do, name its CA (or the certificate itself) in PEM form
with \`ca_file\` (\`TENANCY_CA_FILE\`); \`NODE_EXTRA_CA_CERTS\` works too. Checking cannot be switched off.`,
});

/** `GET /status` answers, and its body does not say that the service is healthy (spec 1). */
export const serviceUnhealthy = problem<{
  origin: string;
  /** As the body shows it; undefined where the body shows none. */
  status: string | undefined;
  message: string | undefined;
}>({
  code: "TENANCY_SERVICE_UNHEALTHY",
  summary: ({ origin, status }) =>
    status === undefined
      ? `${origin} answers without saying that it is healthy`
      : `${origin} says that it is not healthy: status ${status}`,
  detail: ({ message }) => (message === undefined ? undefined : `The service says: ${message}`),
  advice: "Run again when the service is healthy.",
  explain: `
\`GET /status\` answered, but the body of the answer decides: a healthy service shows the integer \`status\` 200 there. This service shows another
one, or none. A gateway in front of the service may have answered in its place. Run again when the service is healthy.`,
});

/** An address that cannot be used. */
export const invalidUrl = problem<{ setting: string; why: string }>({
  code: "TENANCY_INVALID_URL",
  summary: ({ setting, why }) => `${setting} cannot be used: ${why}`,
  advice: ({ setting }) =>
    /base.url$/i.test(setting)
      ? "Give the service's address without /api, such as https://storage.example."
      : "Give an address such as http://proxy.example:3128.",
  explain: `
\`base_url\` is the address of the service without \`/api\`, such as \`https://storage.example\`: http or https, without username, password,
query or fragment. Proxies are \`http://\` or \`https://\` addresses, and may contain a username and a password.`,
});

/** Credentials that cannot be sent. */
export const invalidCredentials = problem<string>({
  code: "TENANCY_INVALID_CREDENTIALS",
  summary: (why) => `the credentials cannot be used: ${why}`,
  advice: "Give either a token, or a username and a password.",
  explain: `
The credentials are incomplete or cannot be put into a request: a username without a password, a username with a colon, a token with
characters that no token has. Give either \`token\` (\`TENANCY_TOKEN\`), or \`username\` and \`password\` (\`TENANCY_USERNAME\`,
\`TENANCY_PASSWORD\`).`,
});

/** `ca_file` cannot be read or holds no certificate. */
export const invalidCaFile = problem<{ path: string; why: string }>({
  code: "TENANCY_INVALID_CA_FILE",
  where: ({ path }) => ({ file: path }),
  summary: ({ why }) => `ca_file cannot be used: ${why}`,
  advice: "Name a file with the service's CA certificate in PEM form.",
  explain: `
\`ca_file\` (\`TENANCY_CA_FILE\`) names a file with one or more certificates in PEM form (\`-----BEGIN CERTIFICATE-----\`). They are trusted
in place of the public ones.`,
});

/** `totp_secret` is no secret that codes can be computed from. */
export const invalidTotpSecret = problem<string>({
  code: "TENANCY_INVALID_TOTP_SECRET",
  summary: (why) => `totp_secret cannot be used: ${why}`,
  advice: "Give the base32 secret as the authenticator shows it, or its otpauth:// address.",
  explain: `
\`totp_secret\` takes what an authenticator app is given: the secret in base32 (letters A to Z and digits 2 to 7; spaces, hyphens and lower
case are accepted), or the whole \`otpauth://totp/…\` address that the QR code holds. Counter-based secrets (\`otpauth://hotp\`) are not
supported. The secret itself is never shown.`,
});

/** Plain http to a machine other than this one. */
export const plainHttp = problem<{ setting: string; host: string }>({
  code: "TENANCY_PLAIN_HTTP",
  summary: ({ setting, host }) => `${setting} uses plain http, and ${host} is not this machine`,
  advice: (_, say) =>
    `Use https://, with ${say.name("ca_file")} (TENANCY_CA_FILE) where the certificate is self-signed.`,
  explain: `
Over plain http anyone along the way can read passwords and tokens, so it is only allowed to this very machine (\`localhost\`,
\`127.0.0.0/8\`, \`[::1]\`), where the simulator runs. Use https; with \`ca_file\`, a certificate that the service signed itself is trusted.`,
});

/** The service did not act as the other user. */
export const switchUserIgnored = problem<{
  login: string;
  /** What the service answered, as a clause. */
  why: string;
}>({
  code: "TENANCY_SWITCH_USER_IGNORED",
  attribute: ["login_with"],
  summary: ({ login, why }) => `the service did not switch to ${JSON.stringify(login)}: ${why}`,
  detail: "No token was created.",
  advice: (_, say) =>
    `Check ${say.name("switch_user_header")}, that the user has ${say.name("allow_su")}, and that the caller has the right realm.can_switch_user.`,
  explain: `
Before a token is created by switching to its user, \`GET /status/authorization\` is sent with the header of \`switch_user_header\`: its
answer must be about that user. Here it was not, or did not say, so the token might have been created for the administrator. Nothing was
created. The usual reasons: the header has another name, \`allow_su\` not set on the user, or the caller lacks \`realm.can_switch_user\`.`,
});

/** Acting as another user needs `switch_user_header`. */
export const switchUserUnset = problem({
  code: "TENANCY_SWITCH_USER_UNSET",
  summary: "switching to another user needs the name of the header for it",
  advice: (_, say) =>
    ways(
      `set ${say.name("switch_user_header")} in the provider's configuration`,
      `choose another ${say.name("login_with")}`,
    ),
  explain: `
To create a token by switching to its user needs the name of the header that this deployment has for that. It is in no published
description of the API, so there is no default: ask the service's operator and set \`switch_user_header\`, or choose another \`login_with\`.`,
});

/** The password that was set to create a token could not be removed again. */
export const passwordLeft = problem<{
  login: string;
  /** As a clause. */
  why: string;
  /** Whether the store notes it, so that the next apply tries again. */
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
  explain: `
To create a token with \`temporary_password\`, a machine user gets a random password for a moment. Removing it failed, or the run was killed
before. Nobody knows the password, but the user now looks like one who has one. A token that was created stays good.

The embedded engine notes the password before it is set. The apply that leaves it ends with an error; every later plan warns of it, and every
apply tries to remove it. A password that you declare for the user takes its place. Under Terraform it is a warning: declare
\`unset = ["password_wo"]\` on the user profile, and the next apply removes the password.`,
});

/** A warning under Terraform: a user has got a password that the configuration does not declare. */
export const passwordAppeared = warning<{ login: string }>({
  code: "TENANCY_PASSWORD_APPEARED",
  title: "A user has a password that no configuration declares",
  summary: ({ login }) => `${JSON.stringify(login)} has got a password that this configuration did not set`,
  detail:
    "If an apply was killed while it created a token with a temporary password, that password is still set, and nobody knows it. No token can be created with a temporary password until it is removed.",
  advice: (_, say) =>
    `To remove the password, ${say.unset("password_wo")}, and apply. If the user has set the password, declare nothing.`,
  explain: `
The last apply left the user without a password, and a refresh found one. Perhaps the user has set it. Perhaps an apply was killed while it
created a token with \`login_with = "temporary_password"\`: it had set a random password, and could not remove it. Nobody knows that password.
Add \`password_wo\` to \`unset\` of the user, apply, and create the token then. The warning ends with the next apply.`,
});

/** A warning: the service refuses the declared password, and nothing makes it be sent again. */
export const passwordRefused = warning<{ login: string; isVersioned: boolean }>({
  code: "TENANCY_PASSWORD_REFUSED",
  title: "The service refuses a declared password",
  attribute: ["password_wo"],
  summary: ({ login }) => `the service refuses the declared password of ${login}`,
  advice: ({ isVersioned }, say) =>
    `${isVersioned ? "Raise" : "Set"} ${say.version("password_wo")}, so that it is sent again.`,
  explain: `
With \`verify_password\` the plan tries to log in with the declared password, and the service refused it. Only its version decides when a
write-only value is sent. The embedded engine sends the password again where it has a \`password_wo_version\`, and gives this warning where
it has none: set one. Terraform sends it when the version changes, and gives this warning whenever the password is refused: raise the
version.`,
});

/** A plan of Terraform's notes the first version of an imported object's secret, and sends nothing. */
export const versionRecorded = warning<{
  key: string;
  /** The write-only attribute, as in `password_wo`. */
  secret: string;
}>({
  code: "TENANCY_VERSION_RECORDED",
  title: "The version of a write-only value is recorded and the value is not sent",
  summary: ({ key, secret }) =>
    `the version of ${secret} of ${JSON.stringify(key)} is noted, and the value is not sent`,
  detail: "The object was imported, and may have the declared value already.",
  advice: ({ secret }, say) => `To send the value, raise ${say.version(secret)} once this is applied.`,
  explain: `
Passwords and other write-only values cannot be read back. An imported object may have the declared value already, so the first version of
the value is noted, and the value is sent only when the version changes. That holds for a user who has no password, too. Raise the version
once this is applied. The embedded engine notes the same in the plan, and sends such values with \`--reset-passwords\`.`,
});

/** A warning: it cannot be checked whether the declared password is the user's. */
export const passwordUnverified = warning<{
  login: string;
  /** As a clause. */
  why: string;
}>({
  code: "TENANCY_PASSWORD_UNVERIFIED",
  title: "A declared password could not be verified",
  attribute: ["verify_password"],
  summary: ({ login, why }) => `cannot tell whether the password of ${login} is the declared one: ${why}`,
  advice: (_, say) => `Remove ${say.name("verify_password")} if this is to stay as it is.`,
  explain: `
With \`verify_password\` the plan tries to log in with the declared password. If it is refused, the plan sends it again; but here the
attempt would say nothing about the password: the user is not activated, has no API access or logs in with two factors, or the service did
not answer. Nothing is sent.`,
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
  explain: `
Where \`TENANCY_ALLOWED_ORIGINS\` is set, nothing is sent to any other service than those that it lists: origins, separated by commas, such as
\`https://storage.example,https://storage.example:8443\`. It is read from the environment alone, so a pull request that changes \`base_url\` cannot
make a pipeline send its password elsewhere. Scheme, host and port have to be the same; the port may be left out where it is the usual one.
Nothing was sent. An entry that is no origin is an error, too: a list with a slip in it must not pass for one that allows less, or more.`,
});

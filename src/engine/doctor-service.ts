/** Checks one service for the doctor. */
import { whyIncomplete } from "../plan";
import { internal, serviceUnhealthy, TenancyError, TYPESCRIPT } from "../problems";
import { shownRights } from "../resources";
import {
  ALL_RIGHTS,
  callerMay,
  type Connection,
  incompleteness,
  isKnownRight,
  type Right,
  type ProviderSettings,
  type Snapshot,
} from "../service";
import { counted, isInteger, isObject, type ObjectValue, plainText, stringifyJson } from "../lib/values";

/** The doctor's findings: each check passes, or says what to do. */
export interface Check {
  /** The subject of the check in a word or two: `credentials`. */
  readonly name: string;
  /** `warning`: works, with a limit worth knowing. `skipped`: could not be looked at, because something before it failed. */
  readonly outcome: "passed" | "warning" | "failed" | "skipped";
  /** The finding, in a sentence. */
  readonly message: string;
  /** The way to correct it. */
  readonly advice?: string;
  /** Code of the error behind it; `tenancy explain CODE` says more. */
  readonly code?: string;
}

export function passed(name: string, message: string): Check {
  return { name, outcome: "passed", message };
}

export function checkWarning(name: string, message: string, advice: string): Check {
  return { name, outcome: "warning", message, advice };
}

/** @param error the error of the failed check */
export function checkFailed(name: string, error: unknown): Check {
  const known = error instanceof TenancyError ? error : internal.error(String(error));
  const [diagnostic] = known.toDiagnostics();
  const detail = [diagnostic?.detail, diagnostic?.advice].filter((part) => part !== undefined).join("\n");
  return {
    name,
    outcome: "failed",
    message: diagnostic?.summary ?? known.message,
    ...(detail !== "" && { advice: detail }),
    code: diagnostic?.code ?? known.code,
  };
}

// The service, and the rights of the run's credential there.

/** The rights that declaring tenants needs, and the effect of each missing one. */
const NEEDED: readonly (readonly [right: Right, without: string])[] = [
  ["realm.manage_accounts", "accounts can be neither created nor deleted, and their absence proves nothing"],
  ["user.manage_users", "user profiles can be neither created nor changed"],
  ["user.manage_authorizations", "tokens may be refused"],
];

export async function serviceChecks(
  connection: Connection,
  settings: ProviderSettings,
): Promise<readonly Check[]> {
  const service = await checkBy("service", () => checkHealth(connection, settings));
  if (service.outcome === "failed") return [service, ...["credentials", "lists", "rights"].map(afterFailure)];
  const credentials = await checkBy("credentials", () => checkCaller(connection));
  if (credentials.outcome === "failed")
    return [service, credentials, ...["lists", "rights"].map(afterFailure)];
  try {
    const snapshot = await connection.directory.snapshot();
    return [
      service,
      credentials,
      lists(snapshot),
      ...checkRights(snapshot),
      ...delegation(snapshot),
      ...extraRights(snapshot, settings),
      twoFactor(snapshot, settings),
    ];
  } catch (error) {
    return [service, credentials, checkFailed("lists", error), afterFailure("rights")];
  }
}

/** The checks of a service that need no credentials. @param error why there are none */
export async function healthChecks(
  connection: Connection,
  settings: ProviderSettings,
  error: TenancyError,
): Promise<readonly Check[]> {
  const service = await checkBy("service", () => checkHealth(connection, settings));
  return [service, checkFailed("credentials", error), ...["lists", "rights"].map(afterFailure)];
}

async function checkBy(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return passed(name, await work());
  } catch (error) {
    return checkFailed(name, error);
  }
}

function afterFailure(name: string): Check {
  return { name, outcome: "skipped", message: "not checked, because of the failure before it" };
}

async function checkHealth({ client }: Connection, { origin, caFile }: ProviderSettings): Promise<string> {
  const { status, message } = await client.status();
  const text = typeof message === "string" && message !== "" ? message : undefined;
  // The body decides, independent of the HTTP status (spec 1).
  if (!isInteger(status) || Number(status) !== 200)
    throw serviceUnhealthy.error({
      origin,
      status: status === undefined ? undefined : plainText(stringifyJson(status), 60),
      message: text && plainText(text, 200),
    });
  const trust = origin.startsWith("https:")
    ? `, its certificate is trusted${caFile === undefined ? "" : " by ca_file"}`
    : "";
  return `${origin} answers${text === undefined ? "" : ` "${text}"`}${trust}`;
}

async function checkCaller({ client, username }: Connection): Promise<string> {
  const { account } = await client.caller();
  const name =
    isObject(account) && typeof account["name"] === "string" ? ` of account ${account["name"]}` : "";
  return `accepted: ${username ?? "a token"}${username === undefined ? name : ""}`;
}

function lists(snapshot: Snapshot): Check {
  const counts = `${counted(snapshot.accounts.length, "account")}, ${counted(snapshot.profiles.length, "user profile")}`;
  const missing = incompleteness(snapshot);
  if (missing !== undefined)
    return checkWarning(
      "lists",
      missing,
      "Nothing is created or deleted while the lists may be incomplete. Use a credential that can see everything.",
    );
  const incompleteLists = whyIncomplete(snapshot);
  return incompleteLists === null
    ? passed("lists", `complete: ${counts}`)
    : checkWarning(
        "lists",
        `perhaps not complete: ${counts}; ${incompleteLists}`,
        "What these lists do not show is not verified: it may exist. Use a credential that sees every account.",
      );
}

function checkRights(snapshot: Snapshot): readonly Check[] {
  const known = ALL_RIGHTS.some((right) => callerMay(snapshot, right) !== undefined);
  if (!known) {
    return [
      checkWarning(
        "rights",
        "unknown: the service does not show them for this credential",
        "Creates are tried; where it would have to be proven that something is absent, the run stops.",
      ),
    ];
  }
  const lacking = NEEDED.filter(([right]) => callerMay(snapshot, right) === false);
  return lacking.length === 0
    ? [passed("rights", NEEDED.map(([right]) => right).join(", "))]
    : lacking.map(([right, without]) =>
        checkWarning("rights", `${right} is missing`, `Without it ${without}.`),
      );
}

/** A service may refuse a caller who grants rights that the caller lacks. */
function delegation(snapshot: Snapshot): readonly Check[] {
  const lacking = ALL_RIGHTS.filter((right) => callerMay(snapshot, right) === false);
  if (lacking.length === 0) return [];
  const missingRights =
    lacking.slice(0, 6).join(", ") + (lacking.length > 6 ? `, … ${lacking.length - 6} more` : "");
  return [
    checkWarning(
      "granting",
      `the run itself lacks ${missingRights}`,
      "The service may refuse to grant what the run does not have.",
    ),
  ];
}

/** The effect of a right that this version does not know is unknown: plans mark it neither as destructive nor as privileged. */
function extraRights(snapshot: Snapshot, settings: ProviderSettings): readonly Check[] {
  const shownNames = new Set(snapshot.profiles.flatMap((profile) => Object.keys(shownRights(profile) ?? {})));
  const setting = TYPESCRIPT.name("extra_rights");
  const check = (rights: readonly string[], says: string, advice: string) =>
    rights.length === 0 ? [] : [checkWarning("extra rights", `${rights.join(", ")}: ${says}`, advice)];
  const newRights = settings.extraRights.filter((right) => !isKnownRight(right));
  const unnamed = [...shownNames].filter(
    (right) => !isKnownRight(right) && !settings.extraRights.includes(right),
  );
  return [
    ...check(
      newRights.filter((right) => shownNames.has(right)),
      "this version does not know what they allow",
      "Plans do not mark them as destructive or privileged. Update Tenancy as soon as a version knows them.",
    ),
    ...check(
      newRights.filter((right) => !shownNames.has(right)),
      "no user profile shows such a right",
      `Look whether ${setting} is spelt as the service spells it.`,
    ),
    ...check(
      settings.extraRights.filter(isKnownRight),
      "this version knows them",
      `Remove them from ${setting}.`,
    ),
    ...check(
      unnamed,
      "the service has these rights, and this version does not know them",
      `Update Tenancy, or name them in ${setting} of the provider to grant them.`,
    ),
  ];
}

function twoFactor(snapshot: Snapshot, { credentials }: ProviderSettings): Check {
  const factor = snapshot.callerProfile?.["two_factor"] as ObjectValue | undefined;
  const auth = isObject(factor) ? factor["auth"] : undefined;
  if (credentials.kind === "token") return passed("two-factor", "not needed with a token");
  if (credentials.totpSecret !== undefined)
    return passed("two-factor", "codes are computed from totp_secret");
  if (credentials.otp !== undefined) {
    return checkWarning(
      "two-factor",
      "the one-time password is valid for this run only",
      `Set ${TYPESCRIPT.name("totp_secret")}, or use a token.`,
    );
  }
  return passed(
    "two-factor",
    typeof auth !== "string" || auth === "none" ? "not used" : `${auth}, not asked for`,
  );
}

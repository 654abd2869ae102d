/** Looks at everything that a run depends on, and changes nothing. */
import type { Credentials } from "../../api";
import {
  connect,
  credentialsOf,
  serviceSettingsOf,
  usernameOf,
  type Environment,
  type ServiceSettings,
} from "../../connection";
import { TenancyError } from "../../errors";
import type { Owners } from "../../ownership";
import { listDirectory, listersOfFamilies } from "../../resources";
import { emptyObject, type ObjectValue } from "../../values";
import { loadStack } from "../load-stack";
import type { PlanOptions, StackSource } from "../options";
import { providerConfigurations } from "../provider-configurations";
import { failed, passed, warning, type Check } from "./check";
import { healthChecks, serviceChecks } from "./service-checks";
import { missedStores, storeChecks, type MissedStore } from "./store-check";

/** The checks of one provider configuration. */
export interface Examination {
  /** `tenancy` or `tenancy.alias`; `environment` where there is no stack. */
  readonly provider: string;
  readonly checks: readonly Check[];
}

/**
 * Sends nothing but GET and log-in.
 * @param source the stack whose providers are used; undefined: what the environment says alone
 */
export async function doctor(
  source: StackSource | undefined,
  options: PlanOptions = {},
): Promise<readonly Examination[]> {
  const configurations =
    source === undefined
      ? new Map([["environment", emptyObject()]])
      : await providerConfigurations((await loadStack(source)).stack, options);
  const examinations: Examination[] = [];
  let missed: Promise<readonly MissedStore[]> | undefined;
  for (const [provider, config] of configurations) {
    // What the store lacks only the stack and the service can tell: they are asked once, and only where the store may be lost.
    const lacks = async () => {
      missed ??= source === undefined ? Promise.resolve([]) : missedStores(source, options);
      return (await missed).filter((one) => one.provider === provider).map(({ check }) => check);
    };
    const checks =
      config instanceof TenancyError
        ? [failed("configuration", config)]
        : await examine(config, options, lacks);
    examinations.push({ provider, checks });
  }
  return examinations;
}

async function examine(
  config: ObjectValue,
  options: PlanOptions,
  lacks: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    const settings = serviceSettingsOf(config, options.environment ?? {});
    const { origin, owners } = settings;
    return [
      ...(await examineService(settings, config, options)),
      owners === undefined
        ? warning(
            "owner",
            "not set",
            "Set owner in the provider, or TENANCY_OWNER; the embedded engine needs it, and without it an owner key does nothing.",
          )
        : passed("owner", owners.current),
      ...(owners === undefined ? [] : [ownerKeyCheck(owners)]),
      ...(await storeChecks(origin, owners, options, lacks)),
    ];
  } catch (error) {
    return [failed("configuration", error)];
  }
}

/** What proves a record to be ours. */
function ownerKeyCheck({ keys }: Owners): Check {
  if (keys === undefined)
    return passed(
      "owner key",
      "none: records are told to be ours by names alone, so whoever may choose uuids can make one that looks like ours",
    );
  if (keys.takesUnkeyed)
    return warning(
      "owner key",
      "in use; records that were made without a key count as ours as well",
      "When the move to the key is done, unset TENANCY_PREVIOUS_OWNER_KEY.",
    );
  return passed("owner key", keys.previous === undefined ? "in use" : "in use, and an earlier one besides");
}

/** Health needs no credentials: where there are none, this one is sent to nobody. */
const NOBODY: Credentials = { kind: "token", token: "none" };

async function examineService(
  settings: ServiceSettings,
  config: ObjectValue,
  { environment = {}, signal }: PlanOptions,
): Promise<readonly Check[]> {
  const credentials = credentialsOrError(config, environment, settings.origin);
  const known = { ...settings, credentials: credentials instanceof TenancyError ? NOBODY : credentials };
  const { client, ...connection } = await connect(known, {
    directory: (one) =>
      listDirectory(one.readOnly(), { caller: usernameOf(known), listers: listersOfFamilies() }),
    ...(signal !== undefined && { signal }),
  });
  try {
    const reading = { ...connection, client: client.readOnly() };
    return credentials instanceof TenancyError
      ? await healthChecks(reading, known, credentials)
      : await serviceChecks(reading, known);
  } finally {
    await client.close();
  }
}

function credentialsOrError(
  config: ObjectValue,
  environment: Environment,
  origin: string,
): Credentials | TenancyError {
  try {
    return credentialsOf(config, environment, origin);
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}

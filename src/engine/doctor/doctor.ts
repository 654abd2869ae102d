/** Looks at everything that a run depends on, and changes nothing. */
import { connect, settingsOf } from "../../connection";
import { TenancyError } from "../../errors";
import { listDirectory, listersOfFamilies, type Connection } from "../../resources";
import { emptyObject, type ObjectValue } from "../../values";
import { loadStack } from "../load-stack";
import type { PlanOptions, StackSource } from "../options";
import { providerConfigurations } from "../provider-configurations";
import { failed, passed, warning, type Check } from "./check";
import { serviceChecks } from "./service-checks";
import { storeChecks } from "./store-check";

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
  for (const [provider, config] of configurations) {
    const checks =
      config instanceof TenancyError ? [failed("configuration", config)] : await examine(config, options);
    examinations.push({ provider, checks });
  }
  return examinations;
}

async function examine(config: ObjectValue, options: PlanOptions): Promise<readonly Check[]> {
  const { environment = {}, signal } = options;
  let connection: Connection | undefined;
  try {
    const settings = settingsOf(config, environment);
    const { owners, credentials, origin } = settings;
    const caller = credentials.kind === "password" ? credentials.username : undefined;
    connection = await connect(settings, {
      directory: (client) => listDirectory(client.readOnly(), { caller, listers: listersOfFamilies() }),
      ...(signal !== undefined && { signal }),
    });
    return [
      ...(await serviceChecks({ ...connection, client: connection.client.readOnly() }, settings)),
      owners === undefined
        ? warning(
            "owner",
            "not set",
            "Set owner in the provider, or TENANCY_OWNER; the embedded engine needs it.",
          )
        : passed("owner", owners.current),
      ...(await storeChecks(origin, owners?.current, options)),
    ];
  } catch (error) {
    return [failed("configuration", error)];
  } finally {
    await connection?.client.close();
  }
}

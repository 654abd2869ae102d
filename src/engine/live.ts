/**
 * Opens the services of a project, or of the environment alone: themselves, or as a snapshot holds them (`options.live`). This is the seam for
 * everything that reads what is live without planning a change: snapshots, reports, exports.
 */
import type { InvalidConfiguration } from "../problems";
import { TenancyError } from "../problems";
import { emptyObject, type ObjectValue } from "../values";
import { providerConfigurations } from "./evaluate/configuration";
import { loadStack } from "./load/stack";
import { type PlanOptions, type StackSource, withoutCredentialsIfLive } from "./options";
import { Run } from "./run";
import type { Target } from "./stages";

/** A provider configuration of one stack, and the service that it names. */
export interface LiveService {
  /** Undefined for the environment's. */
  readonly stack: StackSource | undefined;
  /**
   * The records, the caller, our records, and the store's entries. Read `snapshot`, `ours` and `ledger`; what a snapshot lacks of a record is
   * `NOT_IN_SNAPSHOT`, and requests through `connection` for what it lacks throw `notInSnapshot`.
   */
  readonly target: Target;
}

/** Services that were opened. Close them when everything is read. */
export interface Live {
  readonly services: readonly LiveService[];
  /** When the snapshot was taken that they were read from, ISO 8601; undefined where they were asked themselves. */
  readonly takenAt: string | undefined;
  readonly run: Run;
  close(): Promise<void>;
}

/** The name of the provider configuration that the environment alone makes. */
export const ENVIRONMENT = "environment";

/**
 * @param stacks of a project; none: the service of the environment (`TENANCY_BASE_URL` and so on)
 * @throws InvalidConfiguration, incompleteProvider, the errors of the services, and those of the snapshot
 */
export async function openLive(stacks: readonly StackSource[], given: PlanOptions): Promise<Live> {
  const options = withoutCredentialsIfLive(given);
  const run = new Run(options);
  try {
    const services: LiveService[] = [];
    if (stacks.length === 0)
      services.push({ stack: undefined, target: await run.open(ENVIRONMENT, emptyObject(), true) });
    for (const stack of stacks) {
      const own = new Run(options, run);
      for (const [provider, config] of await configurationsOf(stack, options))
        services.push({ stack, target: await own.open(provider, knownOrThrown(config)) });
    }
    const takenAt = (await run.snapshot())?.takenAt;
    return { services, takenAt, run, close: () => run.close() };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** The provider configurations of a stack by their names, or what is wrong with them. Nobody is asked. */
export async function configurationsOf(
  source: StackSource,
  options: PlanOptions,
): Promise<ReadonlyMap<string, ObjectValue | InvalidConfiguration>> {
  return providerConfigurations((await loadStack(source)).stack, options);
}

function knownOrThrown(config: ObjectValue | InvalidConfiguration): ObjectValue {
  if (config instanceof TenancyError) throw config;
  return config;
}

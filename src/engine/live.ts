/**
 * Opens the services of a project, or of the environment alone: themselves, or as a snapshot holds them (`options.fromSnapshot`). This is the seam for
 * everything that reads what is live without planning a change: snapshots, reports, exports.
 */
import type { AccountRecord, UsageRecord } from "../api";
import type { TenancyState } from "../state";
import { deletedAlready, notFound } from "../problems";
import { emptyObject, groupedBy } from "../lib/values";
import { ENVIRONMENT, fitConfigurationsIn } from "./evaluate/providers";
import { type PlanOptions, type StackSource, withoutCredentialsIfFromSnapshot } from "./options";
import { Run } from "./run";
import type { ReadTarget } from "./target";

/** Services that were opened. Close them when everything is read. */
export interface Live {
  /**
   * The provider configurations, each with its service. Read `snapshot`, `managed` and `part`. A member of a record that the snapshot lacks is
   * `NOT_IN_SNAPSHOT`, and requests through `connection` for missing data throw `notInSnapshot`.
   */
  readonly targets: readonly ReadTarget[];
  /** When the snapshot was taken that they were read from, ISO 8601; undefined where they were asked themselves. */
  readonly takenAt: string | undefined;
  readonly run: Run;
  /** The states of the targets; empty where a snapshot is read. */
  readonly states: ReadonlySet<TenancyState>;
  close(): Promise<void>;
}

/**
 * @param stacks of a project; none: the service of the environment (`TENANCY_BASE_URL` and so on)
 * @param options `all` opens every service of a snapshot where nothing says which of them is meant; by default that is an error
 * @throws InvalidConfiguration, incompleteProvider, the errors of the services, and those of the snapshot
 */
export async function openLive(
  stacks: readonly StackSource[],
  givenOptions: PlanOptions,
  { all = false }: { readonly all?: boolean } = {},
): Promise<Live> {
  const options = withoutCredentialsIfFromSnapshot(givenOptions);
  const run = new Run(options, stacks[0]?.name);
  try {
    const targets: ReadTarget[] = [];
    const runs = [run];
    const file = await run.snapshot();
    if (stacks.length === 0) {
      const isNamed = (options.environment?.["TENANCY_BASE_URL"] ?? "") !== "";
      const configurations =
        all && !isNamed && file !== undefined
          ? file.services.map(({ origin }) => ({ base_url: origin }))
          : [emptyObject()];
      for (const config of configurations) targets.push(...(await run.openForAll(ENVIRONMENT, config)));
    }
    for (const stack of stacks) {
      const own = new Run(options, stack.name, run);
      runs.push(own);
      for (const [provider, config] of await fitConfigurationsIn(stack, options))
        targets.push(await own.open(provider, config));
    }
    const states = new Set(file === undefined ? runs.map(({ state }) => state) : []);
    return { targets, takenAt: file?.takenAt, run, states, close: () => run.close() };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Aliases, and stacks, that share a service, the first of them first. */
export function byOrigin(
  targets: readonly ReadTarget[],
): readonly (readonly [ReadTarget, ...ReadTarget[]])[] {
  return [...groupedBy(targets, ({ origin }) => origin).values()];
}

/**
 * The usage counters of each account, by its id: one request each. Those of an account that is gone by now are left out.
 * @throws notInSnapshot, and the errors of the service
 */
export async function usageOf(
  { connection: { client }, snapshot }: ReadTarget,
  { onProgress }: Pick<PlanOptions, "onProgress">,
  isAsked: (account: AccountRecord) => boolean = () => true,
): Promise<ReadonlyMap<string, UsageRecord>> {
  let count = 0;
  const read = async (id: string): Promise<readonly (readonly [string, UsageRecord])[]> => {
    try {
      return [[id, await client.accounts.usage(id)]];
    } catch (error) {
      if (notFound.is(error) || deletedAlready.is(error)) return [];
      throw error;
    } finally {
      onProgress?.(`reading usage counters of ${client.origin}`, { done: ++count, total: ids.length });
    }
  };
  const ids = snapshot.accounts.filter(isAsked).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  return new Map((await Promise.all(ids.map(read))).flat());
}

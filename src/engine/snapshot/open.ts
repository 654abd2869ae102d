/** Opens a service from a snapshot: the input of a plan, without a request, a credential or a state. */
import { type Recorded, recordedClient } from "../../api";
import type { StatePart, MovesFrom, PartName } from "../../state";
import type { Change, Plan, Usage } from "../../plan";
import { recordOfPublished } from "../../resources";
import { type Connection, listDirectory, CreatedInRun } from "../../service";
import { emptyObject, textOf, type Value } from "../../lib/values";
import type { ReadTarget } from "../target";
import type { SnapshotFile, TakenService } from "./file";

/**
 * Opens one service of a snapshot.
 * @param part of the state, with the service's origin
 * @throws snapshotLacks
 */
export function openRecorded(
  file: SnapshotFile,
  part: PartName,
  isMoved?: MovesFrom,
): {
  readonly connection: Connection;
  readonly part: StatePart;
  readonly ownToken: string | undefined;
  readonly unlisted: ReadonlySet<string>;
} {
  const { origin } = part;
  const service = file.service(origin);
  const username = service.caller.username ?? undefined;
  const others = new Map(
    Object.entries(service.others).map(([name, list]) => [name, list.map(recordOfPublished)]),
  );
  // The records of a snapshot are as complete as they were when it was taken.
  const find = () => Promise.resolve(undefined);
  const listers = new Map(
    [...others].map(([name, list]) => [name, { members: [], list: () => Promise.resolve(list), find }]),
  );
  const client = recordedClient(origin, recordsOf(service));
  return {
    connection: {
      client,
      directory: listDirectory(client, { caller: username, listers }),
      made: new CreatedInRun(),
      username,
      // The apply has credentials of its own.
      hasCodes: true,
      now: () => new Date(),
    },
    part: file.partOf(part, service, isMoved),
    ownToken: service.caller.own_token ?? undefined,
    unlisted: new Set(service.unlisted),
  };
}

/** The recorded answers of the service, by path. */
function recordsOf(service: TakenService): Recorded {
  const accounts = service.accounts.map(recordOfPublished);
  const profiles = service.profiles.map(recordOfPublished);
  const answers = emptyObject();
  answers["/api/status/authorization"] = service.caller.record;
  answers["/api/account"] = accounts;
  answers["/api/user-profile"] = profiles;
  return (path): Value | undefined => {
    if (path in answers) return answers[path];
    const [, family, reference = "", rest] =
      /^\/api\/(account|user-profile)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (family === undefined) return undefined;
    const id = decodeURIComponent(reference);
    const record = (family === "account" ? accounts : profiles).find(
      (one) => one.id === id || one.serial === id,
    );
    if (rest === undefined) return record ?? null;
    return rest === "/usage" ? service.usage?.[textOf(record?.["id"]) ?? id] : undefined;
  };
}

// Usage of quotas.

/** The counter of used units, by quota of an account. */
const COUNTERS: Readonly<Record<string, string>> = {
  limits_vss_num: "vss_num",
  limits_size_reserve_total: "size_reserve",
};

/** The usage of accounts for a plan, if the service was read from a snapshot that counted it. */
export function usageIn(targets: readonly ReadTarget[], changes: readonly Change[]): Pick<Plan, "usage"> {
  const usageByAccount = new Map(
    targets.flatMap(({ provider, usage }) => (usage === undefined ? [] : [[provider, usage] as const])),
  );
  if (usageByAccount.size === 0) return {};
  const rows = changes.flatMap(
    ({ address, provider, observedRecord }): readonly (readonly [string, Usage])[] => {
      const counters =
        observedRecord === undefined ? undefined : usageByAccount.get(provider)?.[observedRecord.id];
      if (counters === undefined) return [];
      const usageEntries = Object.entries(COUNTERS).flatMap(([quota, counter]) => {
        const value = counters[counter];
        return typeof value === "number" || typeof value === "bigint" ? [[quota, value] as const] : [];
      });
      return [[address, Object.fromEntries(usageEntries)]];
    },
  );
  return rows.length === 0 ? {} : { usage: Object.fromEntries(rows) };
}

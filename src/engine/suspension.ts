/** Checks suspensions (`suspended` of our constructs): suspensions that are no longer declared, and remaining access in a suspended tenant. */
import {
  activationRecorded,
  type Finding,
  suspensionOpen,
  whereaboutsOf,
  worksThoughSuspended,
} from "../problems";
import { compareText, isObject, plainText, textOf, type Value } from "../lib/values";
import type { Prune } from "./change";
import type { PlannedObject } from "./planned-object";

/**
 * Suspended objects without a declared suspension. The service would not change them, so the intention must be declared: by `suspended`, or by the
 * access itself.
 */
export function checkSuspensions(objects: readonly PlannedObject[]): readonly Finding[] {
  return objects.flatMap(({ block, instance, config, change, remembered: rememberedObject, target }) => {
    if (block.suspended !== undefined || rememberedObject === undefined) return [];
    if ([config["access_web"], config["access_api"]].every((access) => (access ?? null) !== null)) return [];
    if (!target.part.objects.isSuspended(rememberedObject)) return [];
    return [suspensionOpen.at(change.title, whereaboutsOf(block, instance.address))];
  });
}

/** Accounts whose declared `activated` differs from the live value: the service accepts it only for a new account. */
export function warnRecordedActivations(objects: readonly PlannedObject[]): readonly Finding[] {
  return objects.flatMap(({ block, instance, resource, config, change, target: { snapshot } }) => {
    const { activated } = config;
    if (resource.container === undefined || change.action === "create" || typeof activated !== "boolean")
      return [];
    const account = snapshot.account(change.observedRecord?.id ?? "");
    const primary = snapshot.profile(textOf(account?.["admin_profile_id"]) ?? "");
    if (typeof primary?.["activated"] !== "boolean" || primary["activated"] === activated) return [];
    return [activationRecorded.at(undefined, whereaboutsOf(block, instance.address))];
  });
}

/** Users of suspended tenants who have access after the apply, with their tokens: users whom no stack declares, or another one does. */
export function warnSuspendedTenants(
  objects: readonly PlannedObject[],
  prunes: readonly Prune[],
): readonly Finding[] {
  const deletedIds = new Set(prunes.map(({ change }) => change.observedRecord.id));
  return objects.flatMap(({ block, instance, resource, change, target }) => {
    const accountId = change.observedRecord?.id;
    if (block.suspended !== true || resource.container === undefined || accountId === undefined) return [];
    const account = target.snapshot.account(accountId);
    if (account?.["disabled"] === true) return [];
    const users: string[] = [];
    const tokens: string[] = [];
    const profiles = [...target.snapshot.profilesOf(accountId)].sort((a, b) =>
      compareText(a.login ?? "", b.login ?? ""),
    );
    for (const profile of profiles) {
      if (profile["activated"] === false || deletedIds.has(profile.id ?? "")) continue;
      const isPlanned = (one: PlannedObject) =>
        one.target.origin === target.origin && one.change.observedRecord?.id === profile.id;
      // The account's own change is that of its primary user.
      const after =
        profile.id === account?.["admin_profile_id"] ? change.after : objects.find(isPlanned)?.change.after;
      const access = isObject(profile["access"] ?? null) ? (profile["access"] as Record<string, Value>) : {};
      const works = (name: "web" | "api") => (after?.[`access_${name}`] ?? access[name] ?? true) !== false;
      const kinds = [...(works("web") ? ["web"] : []), ...(works("api") ? ["API"] : [])];
      if (kinds.length === 0) continue;
      const login = textOf(profile.login) ?? "";
      users.push(plainText(`${login} (${kinds.join(" and ")} access)`, 200));
      if (!works("api")) continue;
      for (const token of target.part.tokens.list())
        if (token.login === login) tokens.push(plainText(`${login}/${token.name}`, 200));
    }
    if (users.length === 0) return [];
    return [
      worksThoughSuspended.at(
        { tenant: change.title, users, tokens },
        whereaboutsOf(block, instance.address),
      ),
    ];
  });
}

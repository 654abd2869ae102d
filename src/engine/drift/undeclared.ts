/** Says what became of what is ours and not declared: no longer declared, retained, made by others, or gone. */
import type { LiveObject as RememberedObject } from "../../credentials";
import { type Drift, drift, driftOfRetained } from "../../plan";
import { idOf } from "../../resources";
import type { Removed } from "../../stack";
import { textOf } from "../../values";
import { tokenKey } from "../diff/token";
import { listedFamilies, memoryKeyOf, partsOfMemoryKey, tokenFamily } from "../families";
import { isSamePart, type Target } from "../stages";
import { type Looked, NO_MEMORY, NOT_LEFT, undeclaredFacts } from "./looked";
import { isProvenAbsent, rememberedToken } from "./memory";

/** What `new Removed(…)` names and is live still. */
export function driftOfRemoved(looked: Looked, removed: readonly Removed[]): readonly Drift[] {
  return removed.flatMap((one): readonly Drift[] => {
    const target = looked.targets.find(({ provider }) => provider === (one.provider ?? "tenancy"));
    if (target === undefined) return [];
    return listedFamilies().flatMap(({ resource, inventory }): readonly Drift[] => {
      const name = inventory.removedBy === undefined ? undefined : one[inventory.removedBy];
      if (name === undefined) return [];
      const found = inventory.locateById(name, target.snapshot, target.owners);
      if (found.kind !== "live") return [];
      const title = inventory.textOf(found.key);
      looked.noteKey(target, memoryKeyOf(resource, title));
      looked.noteLive(target, found.records);
      const object = undeclaredFacts(target, resource, title, found.records);
      return [drift("declared", object, { undone: true, remark: "it is declared to be removed" })];
    });
  });
}

export function driftOfUndeclared(looked: Looked, target: Target): readonly Drift[] {
  const { lastApply, tokens } = target.ledger;
  const records = looked.targets
    .filter((one) => isSamePart(one, target))
    .flatMap((seen) =>
      listedFamilies().flatMap(({ resource, inventory }) =>
        seen
          .ours(resource, (self) => !looked.isNoted(seen, idOf(self)))
          .flatMap(({ records: live, key }): readonly Drift[] => {
            const title = inventory.textOf(key);
            const object: RememberedObject = {
              key: memoryKeyOf(resource, title),
              uuid: textOf(live.self["uuid"]) ?? "",
            };
            looked.noteLive(seen, live);
            looked.noteKey(target, object.key);
            const facts = undeclaredFacts(seen, resource, title, live);
            const isKept = resource.container !== undefined;
            const memory = lastApply.of(object);
            if (memory === undefined)
              return [
                lastApply.isWhole
                  ? drift("created", facts, { undone: !isKept, remark: NOT_LEFT })
                  : drift("unclassified", facts, { undone: !isKept, remark: `not declared; ${NO_MEMORY}` }),
              ];
            if (!memory.wasDeclared) return driftOfRetained(facts, live, memory);
            const remark = isKept
              ? "no longer declared; apply retains it"
              : "no longer declared; apply deletes it";
            return [drift("declared", facts, { remark })];
          }),
      ),
    );
  const dropped = tokens.list().flatMap((entry): readonly Drift[] => {
    const remembered = rememberedToken(tokenKey(entry));
    if (!looked.noteKey(target, remembered.key)) return [];
    const memory = lastApply.of(remembered);
    if (memory?.wasDeclared === false) return [];
    const facts = undeclaredFacts(target, tokenFamily(), tokenKey(entry), {
      self: { id: entry.record.id },
    });
    if (target.refused.has(entry.record.serial))
      return [drift("deleted", facts, { remark: "not declared, and the service refuses it" })];
    return [drift("declared", facts, { remark: "no longer declared; apply revokes it" })];
  });
  return [...records, ...dropped];
}

/** What an apply left, and nobody declares and nothing shows any more. */
export function driftOfGone(looked: Looked, target: Target): readonly Drift[] {
  const { lastApply } = target.ledger;
  return lastApply.objects().flatMap(({ key, uuid }): readonly Drift[] => {
    if (looked.hasKey(target, key)) return [];
    const { resource, key: title } = partsOfMemoryKey(key);
    // A token that the store forgot was revoked by a run of ours; so was deleted what a run set out to delete.
    if (resource.inventory === undefined || lastApply.isPending(key)) return [];
    const { accounts, profiles } = target.snapshot;
    const renamed = [...accounts, ...profiles].find((one) => textOf(one.uuid)?.toLowerCase() === uuid);
    if (renamed !== undefined) {
      const facts = undeclaredFacts(target, resource, title, { self: renamed });
      return [
        drift("renamed", facts, { from: title, to: resource.inventory.expectation({ self: renamed }).key }),
      ];
    }
    const facts = undeclaredFacts(target, resource, title, undefined);
    return isProvenAbsent(key, target)
      ? [drift("deleted", facts, { remark: "it is no longer declared either" })]
      : [drift("unclassified", facts, { remark: "absence unproven: the lists may not show all there is" })];
  });
}

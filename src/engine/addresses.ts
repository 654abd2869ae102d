/**
 * Recognises one service that two provider configurations of a stack name by two base URLs. Each of them would take for undeclared what only
 * the other one declares, and delete it.
 */
import { type Owners, ownersAt } from "../ownership";
import { type Finding, twoAddresses } from "../problems";
import type { Stack } from "../stack";
import { equal, type ObjectValue, textOf } from "../lib/values";
import { listedFamilies, type ListedFamily } from "./families";
import type { ReadTarget } from "./stages";

/** What a stack declares, as far as this is concerned. */
type Declaring = Pick<Stack, "blocks" | "removed">;

/**
 * Errors where both origins have declared resources: each has a part of the store, so neither can stand for both. Warnings where the two may be
 * one service, and nothing proves it yet.
 */
export function severalOrigins(targets: readonly ReadTarget[], stack: Declaring): readonly Finding[] {
  const declaring = declaringIn(stack);
  const those = targets.filter(({ provider }) => declaring.has(provider));
  return those.flatMap((second, index) =>
    those.slice(0, index).flatMap((first): readonly Finding[] => {
      const owner = commonOwner(first.owners, second.owners);
      if (first.origin === second.origin || owner === undefined) return [];
      const common = commonRecords(first, second);
      if (common === undefined) return [];
      const facts = {
        of: "providers" as const,
        first: { name: first.provider, origin: first.origin },
        second: { name: second.provider, origin: second.origin },
        owner,
        common: common.name,
        isCertain: common.isOurs,
      };
      const where = { address: `provider.${second.provider}` };
      return [common.isOurs ? twoAddresses.at(facts, where) : twoAddresses.warning(facts, where)];
    }),
  );
}

/**
 * The targets that undeclared objects are deleted through. A provider configuration without resources that names another origin of a
 * service which a configuration with resources names, is only read. Where several have no resources, the first counts.
 */
export function pruningTargets(targets: readonly ReadTarget[], stack: Declaring): readonly ReadTarget[] {
  const declaring = declaringIn(stack);
  const kept = new Set(targets.filter(({ provider }) => declaring.has(provider)));
  for (const target of targets) if (![...kept].some((one) => isOtherOrigin(one, target))) kept.add(target);
  return targets.filter((target) => kept.has(target));
}

function isOtherOrigin(one: ReadTarget, target: ReadTarget): boolean {
  return (
    one.origin !== target.origin &&
    commonOwner(one.owners, target.owners) !== undefined &&
    commonRecords(one, target)?.isOurs === true
  );
}

/** Provider configurations with resources, or with `new Deletion(…)`. */
export function declaringIn({ blocks, removed }: Declaring): ReadonlySet<string> {
  return new Set([
    ...blocks.flatMap((block) => (block.kind === "resource" ? [block.provider] : [])),
    ...removed.map(({ provider = "tenancy" }) => provider),
  ]);
}

/** An owner, present or previous, of both. */
export function commonOwner(a: Owners, b: Owners): string | undefined {
  const others = ownersAt("", b);
  return [a.current, ...a.previous].find((_name, index) => others.includes(ownersAt("", a)[index] ?? ""));
}

// Records that both origins show.

/** Evidence that two origins are one service. */
interface Common {
  /** A record that both show: `account "acme"`. */
  readonly name: string;
  /**
   * True where one of the records is ours, which proves it: the service chose its id, serial and creation time when we made it. A record that
   * came with the service may be alike in two installations of one image.
   */
  readonly isOurs: boolean;
}

/**
 * Undefined where the origins show no common record, or where a record of one uuid differs: our uuids follow from owner and names, so two
 * services have them in common, and they have ids in common by chance, but neither serials nor creation times.
 */
export function commonRecords(a: ReadTarget, b: ReadTarget): Common | undefined {
  let first: string | undefined;
  for (const family of listedFamilies()) {
    // A list that one of the two refuses says nothing.
    if ([a, b].some(({ snapshot }) => snapshot.refused.has(family.resource.description.name))) continue;
    for (const record of a.snapshot.listOf(family.resource.description.name).records) {
      const namesakes = namesakesOf(record, b, family);
      if (namesakes.length === 0) continue;
      if (!namesakes.some((one) => isSameRecord(record, one))) return undefined;
      first ??= nameOf(record, family);
    }
  }
  if (first === undefined) return undefined;
  const ours = ourCommonRecord(a, b) ?? ourCommonRecord(b, a);
  return { name: ours ?? first, isOurs: ours !== undefined };
}

function ourCommonRecord(target: ReadTarget, other: ReadTarget): string | undefined {
  for (const family of listedFamilies()) {
    if (other.snapshot.refused.has(family.resource.description.name)) continue;
    const [found] = target.ours(family.resource, (self) => namesakesOf(self, other, family).length > 0);
    if (found !== undefined) return nameOf(found.records.self, family);
  }
  return undefined;
}

/** Records of another target that have the uuid. */
function namesakesOf({ uuid }: ObjectValue, { snapshot }: ReadTarget, { resource }: ListedFamily) {
  return typeof uuid === "string" ? snapshot.listOf(resource.description.name).all("uuid", uuid) : [];
}

/** What the service chooses when it makes a record, and never changes. */
const FIXED = ["id", "serial", "ctime"];

/** Members that only one of them shows say nothing. */
function isSameRecord(a: ObjectValue, b: ObjectValue): boolean {
  return FIXED.every((member) => {
    const [one, other] = [a[member] ?? null, b[member] ?? null];
    return one === null || other === null || equal(one, other);
  });
}

function nameOf(record: ObjectValue, { resource }: ListedFamily): string {
  const name = textOf(record["login"]) ?? textOf(record["name"]) ?? textOf(record["id"]) ?? "";
  return `${resource.description.noun} ${JSON.stringify(name)}`;
}

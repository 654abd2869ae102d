/** Says what became of each declared object: live, absent, a token, or another record in its place. */
import { type Drift, drift, driftOfChange, driftOfDeclaration, driftOfLive, unclassified } from "../../plan";
import { idOf } from "../../resources";
import { textOf } from "../../values";
import { loginOf } from "../diff/token";
import { memoryKeyOf } from "../families";
import type { PlannedObject, Stray, Walked } from "../stages";
import { Looked, NO_MEMORY, NOT_LEFT } from "./looked";
import { declarationIn, rememberedKey, rememberedToken } from "./memory";

const PENDING = "a run that did not end set out to write it";

/** @param verified the same object, after its password was tried */
export function driftOfObject(
  looked: Looked,
  object: PlannedObject,
  verified: PlannedObject | undefined,
): readonly Drift[] {
  const { resource, change, lookup, target } = object;
  const { lastApply } = target.ledger;
  if (resource.inventory === undefined) return ofToken(looked, object);
  const key = rememberedKey(object);
  looked.noteKey(target, key);
  if (lookup?.kind !== "live") return ofAbsent(object, key);
  looked.noteLive(target, lookup.records);
  const refused = verified === undefined || verified === object ? [] : passwordRefused(object, verified);
  const memory = object.remembered === undefined ? undefined : lastApply.of(object.remembered);
  if (lastApply.isPending(key)) return [...unclassified(change, PENDING), ...refused];
  if (memory !== undefined) {
    const { config } = object;
    const declaration = declarationIn(object);
    return [...driftOfLive({ change, config, declaration, records: lookup.records }, memory), ...refused];
  }
  if (lastApply.hasLeft(key))
    return [driftOfChange("replaced", change, { remark: "another record of ours has taken its place" })];
  if (!lastApply.isWhole) {
    looked.unremembered++;
    return [...unclassified(change, NO_MEMORY), ...refused];
  }
  return lookup.proof !== undefined && object.importId === undefined
    ? [driftOfChange("created", change, { remark: NOT_LEFT })]
    : [driftOfChange("declared", change, { remark: "apply will take it as ours" })];
}

/** @param key what the store remembers it by */
function ofAbsent(
  { resource, change, lookup, target, importId }: PlannedObject,
  key: string,
): readonly Drift[] {
  const { lastApply } = target.ledger;
  const row = (kind: Drift["kind"], remark?: string, undone = true) => [
    driftOfChange(kind, change, { undone, ...(remark !== undefined && { remark }) }),
  ];
  const wanted = lookup?.kind === "absent" ? lookup.key : undefined;
  if (!lastApply.hasLeft(key)) {
    if (lastApply.isWhole) return row("declared", "it is to be created");
    return row("unclassified", `it is not live; ${lastApply.isPending(key) ? PENDING : NO_MEMORY}`);
  }
  const doubt = resource.inventory?.doubt(wanted, target.snapshot);
  if (doubt !== undefined) return row("unclassified", `absence unproven: ${doubt.reason}`);
  if (lastApply.isPending(key)) return row("unclassified", `it is not live; ${PENDING}`);
  return importId === undefined
    ? row("deleted")
    : row("deleted", "its import block names what is gone, so apply refuses it", false);
}

function ofToken(looked: Looked, object: PlannedObject): readonly Drift[] {
  const { change, target, config } = object;
  const { ledger } = target;
  const remembered = rememberedToken(change.key);
  looked.noteKey(target, remembered.key);
  const entry = ledger.tokens.get({ login: loginOf(object) ?? "", name: textOf(config["name"]) ?? "" });
  if (entry === undefined) {
    return ledger.lastApply.isWhole
      ? [driftOfChange("declared", change, { undone: true, remark: "it is to be minted" })]
      : [driftOfChange("unclassified", change, { undone: true, remark: NO_MEMORY })];
  }
  if (change.before === null) {
    const isRefused = target.refused.has(entry.record.serial);
    const remark = isRefused ? "the service refuses the token" : "its user is gone, and the token with it";
    return [driftOfChange("deleted", change, { undone: true, remark })];
  }
  return driftOfDeclaration({ change, declaration: declarationIn(object) }, ledger.lastApply.of(remembered));
}

/** Another record is live in the place of a declared one. */
export function driftOfStray(
  looked: Looked,
  { resource, target, block, instance, key, found, isRenamed, ...declared }: Stray,
): readonly Drift[] {
  const { description, inventory } = resource;
  const { lastApply } = target.ledger;
  const remembered = memoryKeyOf(resource, key);
  looked.noteKey(target, remembered);
  looked.noteLive(target, found);
  const object = {
    description,
    address: instance.address,
    constructPath: block.constructPath,
    provider: target.provider,
    title: declared.titleOf(key),
    id: idOf(found.self),
    sensitive: declared.sensitive,
    live: inventory?.stateOf(found, null) ?? null,
  };
  const liveKey = inventory?.expectation(found).key ?? "";
  const wasOurs = lastApply.objects().some(({ uuid }) => uuid === textOf(found.self["uuid"])?.toLowerCase());
  const refuses = "apply refuses to go on";
  if (isRenamed || (wasOurs && liveKey !== key))
    return [drift("renamed", object, { from: key, to: liveKey, remark: refuses })];
  if (lastApply.hasLeft(remembered))
    return [drift("replaced", object, { remark: `the record that has its name is not ours; ${refuses}` })];
  return lastApply.isWhole
    ? [drift("created", object, { remark: `somebody else made it; ${refuses}` })]
    : [drift("unclassified", object, { remark: `it is not ours; ${NO_MEMORY}` })];
}

/** The service refuses the declared password at a log-in (`verify_password`). */
function passwordRefused({ change }: PlannedObject, { change: anew }: PlannedObject): readonly Drift[] {
  const undone = anew.attributes.some(({ path }) => path[0] === "password_wo_version");
  const remark = "the service refuses the password that was sent";
  return [driftOfChange("changed", change, { path: ["password_wo"], undone, remark })];
}

/** What somebody changed or deleted outside since the last apply, as far as a plan knows it without asking anybody. */
export function knownDrift({ objects, targets }: Pick<Walked, "objects" | "targets">): readonly Drift[] {
  const looked = new Looked(targets);
  return objects
    .flatMap((object) => driftOfObject(looked, object, undefined))
    .filter(({ kind }) => kind === "changed" || kind === "deleted");
}

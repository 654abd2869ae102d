/** The differences of each declared or managed object since the last apply, and their origin. */
import {
  type Drift,
  drift,
  driftOfChange,
  driftOfDeclaration,
  driftOfEnds,
  driftOfLive,
  driftOfPrivileges,
  driftOfRetained,
  heldRights,
  unclassified,
  type UnmanagedUser,
} from "../../plan";
import { idOf, type Resource, rightsOfRecord } from "../../resources";
import type { Records } from "../../schema";
import type { StackRelease, StackRemoval } from "../../stack";
import { textOf } from "../../lib/values";
import type { DeclaredElsewhere } from "../change";
import { resolveRemoval } from "../diff/removals";
import { loginOf, tokenKey } from "../tokens/identity";
import { unprovenAbsenceOfTokenUser } from "../tokens/user";
import { mayExist } from "../diff/unseen";
import {
  listedFamilies,
  objectKeyOf,
  partsOfObjectKey,
  rememberedRecord,
  resourceOf,
  tokenFamily,
} from "../families";
import { undeclaredAddress } from "../change";
import type { endingObjects } from "../ended";
import { changedPrivilegesOf } from "../entries/privileges";
import { possiblyRecordedObjects } from "../entries/records";
import type { PlannedObject, ConflictingObject, EvaluationResult } from "../planned-object";
import type { ReadTarget } from "../target";
import { declarationIn, isProvenAbsent, rememberedKey, rememberedToken } from "../entries/names";

// Declared objects.

const PENDING = "a run that did not end set out to write it";

/** @param healed the same object with the plan to replace a password that was left from creating a token */
export function driftOfObject(
  seenRecords: SeenRecords,
  object: PlannedObject,
  healed: PlannedObject | undefined,
): readonly Drift[] {
  const { resource, change, lookup, target } = object;
  const { objects } = target.part;
  if (resource.kind === "token") return ofToken(seenRecords, object);
  const key = rememberedKey(object);
  seenRecords.noteKey(target, key);
  if (lookup?.kind !== "live") return ofAbsent(object, key);
  seenRecords.noteLive(target, lookup.records);
  const others = [
    ...(healed === undefined || healed === object ? [] : replacedPassword(object, healed)),
    ...driftOfPrivileges(change, changedPrivilegesOf(object)),
  ];
  const lastApply = object.remembered === undefined ? undefined : objects.leftOf(object.remembered);
  if (objects.isPending(key)) return [...unclassified(change, PENDING), ...others];
  if (lastApply !== undefined) {
    const { config } = object;
    const declaration = declarationIn(object);
    return [...driftOfLive({ change, config, declaration, records: lookup.records }, lastApply), ...others];
  }
  if (objects.hasLeft(key))
    return [driftOfChange("replaced", change, { remark: "another managed record has taken its place" })];
  if (!objects.isComplete) {
    seenRecords.unremembered++;
    return [...unclassified(change, NO_ENTRY), ...others];
  }
  return [driftOfChange("declared", change, { remark: "apply will manage it" })];
}

/** @param key its key in the state */
function ofAbsent(
  { resource, change, lookup, target, importId }: PlannedObject,
  key: string,
): readonly Drift[] {
  const { objects } = target.part;
  const row = (kind: Drift["kind"], remark?: string, undone = true) => [
    driftOfChange(kind, change, { undone, ...(remark !== undefined && { remark }) }),
  ];
  if (!objects.hasLeft(key)) {
    if (importId !== undefined && objects.recordAt(key) === undefined)
      return row("declared", "its import line names an object that does not exist; apply refuses it", false);
    if (objects.isComplete) return row("declared", "it is to be created");
    return row("unclassified", `it is not live; ${objects.isPending(key) ? PENDING : NO_ENTRY}`);
  }
  const unproven = lookup && resource.inventory?.unprovenAbsenceOf(lookup, target.snapshot);
  if (unproven !== undefined) return row("unclassified", mayExist(unproven));
  if (objects.isPending(key)) return row("unclassified", `it is not live; ${PENDING}`);
  return row("deleted");
}

function ofToken(seenRecords: SeenRecords, object: PlannedObject): readonly Drift[] {
  const { change, target, config } = object;
  const { part } = target;
  const rememberedObject = rememberedToken(change.key);
  seenRecords.noteKey(target, rememberedObject.key);
  // The login of a user whom the run makes is known by the token's planned key alone.
  const entry =
    part.tokens.get({ login: loginOf(object) ?? "", name: textOf(config["name"]) ?? "" }) ??
    part.tokens.list().find((one) => tokenKey(one) === change.key);
  if (entry === undefined) {
    // Without the state nothing is known of it.
    if (part.isClosed) return [];
    return part.objects.isComplete
      ? [driftOfChange("declared", change, { undone: true, remark: "it is to be created" })]
      : [driftOfChange("unclassified", change, { undone: true, remark: NO_ENTRY })];
  }
  if (change.before === null) {
    const isRefused = target.refused.has(entry.record.serial);
    const unproven = isRefused ? undefined : unprovenAbsenceOfTokenUser(entry, target);
    if (unproven !== undefined)
      return [driftOfChange("unclassified", change, { undone: true, remark: mayExist(unproven) })];
    const remark = isRefused ? "the service refuses the token" : "its user is gone, and the token with it";
    return [driftOfChange("deleted", change, { undone: true, remark })];
  }
  return driftOfDeclaration(
    { change, declaration: declarationIn(object) },
    part.objects.leftOf(rememberedObject),
  );
}

/** Another record is live in the place of a declared one. */
export function driftOfStray(
  seenRecords: SeenRecords,
  { resource, target, block, instance, key, found: liveRecords, isRenamed, ...rest }: ConflictingObject,
): readonly Drift[] {
  const { description, inventory } = resource;
  const { objects } = target.part;
  const objectKey = objectKeyOf(resource, key);
  seenRecords.noteKey(target, objectKey);
  seenRecords.noteLive(target, liveRecords);
  const object = {
    description,
    address: instance.address,
    constructPath: block.constructPath,
    provider: target.provider,
    title: rest.titleOf(key),
    id: idOf(liveRecords.self),
    sensitive: rest.sensitive,
    live: inventory?.stateOf(liveRecords, null) ?? null,
  };
  const liveKey = inventory?.expectation(liveRecords).key ?? "";
  const wasManaged = objects
    .leftObjects()
    .some(({ uuid }) => uuid === textOf(liveRecords.self["uuid"])?.toLowerCase());
  const refuses = "apply refuses to go on";
  if (isRenamed || (wasManaged && liveKey !== key))
    return [drift("renamed", object, { from: key, to: liveKey, remark: refuses })];
  if (objects.hasLeft(objectKey))
    return [
      drift("replaced", object, {
        remark: `the record that has its name is not managed by this stack; ${refuses}`,
      }),
    ];
  return objects.isComplete
    ? [drift("created", object, { remark: `it was made outside this project; ${refuses}` })]
    : [drift("unclassified", object, { remark: `this stack does not manage it; ${NO_ENTRY}` })];
}

function replacedPassword({ change }: PlannedObject, healed: PlannedObject): readonly Drift[] {
  const undone = healed.change.attributes.some(({ path }) => path[0] === "password_wo_version");
  const remark = "a password that was set to create a token has replaced it";
  return [driftOfChange("changed", change, { path: ["password_wo"], undone, remark })];
}

/** Changes and deletes outside Tenancy since the last apply, as far as a plan knows them without further requests. */
export function knownDrift({
  objects,
  targets,
}: Pick<EvaluationResult, "objects" | "targets">): readonly Drift[] {
  const seenRecords = new SeenRecords(targets);
  return objects
    .flatMap((object) => driftOfObject(seenRecords, object, undefined))
    .filter(({ kind }) => kind === "changed" || kind === "deleted" || kind === "privilege");
}

// Objects that we own and that are not declared: no longer declared, retained, made by others, or gone.

/** Objects that `new Deletion(…)` names and that are still live. */
export function driftOfRemoved(
  seenRecords: SeenRecords,
  removals: readonly StackRemoval[],
): readonly Drift[] {
  return removals.flatMap((one): readonly Drift[] => {
    const removalTarget = resolveRemoval(one, seenRecords.targets);
    if (removalTarget?.found.kind !== "live" || !removalTarget.isNamed) return [];
    const { target, found: liveObject } = removalTarget;
    const { resource, inventory } = removalTarget.family;
    const title = inventory.textOf(liveObject.key);
    seenRecords.noteKey(target, objectKeyOf(resource, title));
    seenRecords.noteLive(target, liveObject.records);
    const object = undeclaredFacts(target, resource, title, liveObject.records);
    return [drift("declared", object, { undone: true, remark: "it is declared to be removed" })];
  });
}

/** Objects that `new Release(…)` names and that the state has recorded. */
export function driftOfReleased(
  seenRecords: SeenRecords,
  releases: readonly StackRelease[],
): readonly Drift[] {
  return releases.flatMap((one): readonly Drift[] => {
    const resolved = resolveRemoval(one, seenRecords.targets);
    if (resolved?.found.kind !== "live" || !resolved.isNamed) return [];
    const { target, found: live, family } = resolved;
    const title = family.inventory.textOf(live.key);
    const object = rememberedRecord(family.resource, title, live.records);
    if (!target.part.objects.isRecorded(object.key)) return [];
    seenRecords.noteKey(target, object.key);
    seenRecords.noteLive(target, live.records);
    const facts = undeclaredFacts(target, family.resource, title, live.records);
    return [drift("declared", facts, { remark: "it is declared to be released" })];
  });
}

/** Undeclared live objects that may be recorded ones, with their access: no apply deletes them. */
function driftOfPossiblyRecorded(seenRecords: SeenRecords, target: ReadTarget): readonly Drift[] {
  const { part, snapshot } = target;
  return possiblyRecordedObjects(part, snapshot).flatMap((one): readonly Drift[] => {
    seenRecords.noteKey(target, one.recordedKey);
    if (seenRecords.isNoted(target, idOf(one.self))) return [];
    seenRecords.noteLive(target, { self: one.self });
    const facts = undeclaredFacts(target, one.family.resource, one.key, { self: one.self });
    const holds = heldRights(rightsOfRecord(one.self), "permission");
    const remark = `no longer declared, and has ${holds}; apply does not delete it: ${one.difference}`;
    return [drift("declared", facts, { remark })];
  });
}

export function driftOfUndeclared(seenRecords: SeenRecords, target: ReadTarget): readonly Drift[] {
  const { objects, tokens } = target.part;
  const records = listedFamilies().flatMap(({ resource, inventory }) =>
    target
      .managed(resource, (self) => !seenRecords.isNoted(target, idOf(self)))
      .flatMap(({ records: live, key }): readonly Drift[] => {
        const title = inventory.textOf(key);
        const object = rememberedRecord(resource, title, live);
        seenRecords.noteLive(target, live);
        seenRecords.noteKey(target, object.key);
        const facts = undeclaredFacts(target, resource, title, live);
        const isKept = resource.container !== undefined;
        const lastApply = objects.leftOf(object);
        if (lastApply === undefined)
          return [
            objects.isComplete
              ? drift("created", facts, { undone: !isKept, remark: NOT_LEFT })
              : drift("unclassified", facts, { undone: !isKept, remark: `not declared; ${NO_ENTRY}` }),
          ];
        if (lastApply.declaration === null) return driftOfRetained(facts, live, lastApply);
        const remark = isKept
          ? "no longer declared; apply retains it"
          : "no longer declared; apply deletes it";
        return [drift("declared", facts, { remark })];
      }),
  );
  const tokenDrift = tokens.list().flatMap((entry): readonly Drift[] => {
    const rememberedObject = rememberedToken(tokenKey(entry));
    if (!seenRecords.noteKey(target, rememberedObject.key)) return [];
    const lastApply = objects.leftOf(rememberedObject);
    if (lastApply?.declaration === null) return [];
    const facts = undeclaredFacts(target, tokenFamily(), tokenKey(entry), {
      self: { id: entry.record.id },
    });
    if (target.refused.has(entry.record.serial))
      return [drift("deleted", facts, { remark: "not declared, and the service refuses it" })];
    return [drift("declared", facts, { remark: "no longer declared; apply revokes it" })];
  });
  return [...records, ...driftOfPossiblyRecorded(seenRecords, target), ...tokenDrift];
}

/** Users whom no stack of the project declares, in accounts of this one. */
export function driftOfUnmanaged(
  users: readonly UnmanagedUser[],
  { targets }: Pick<SeenRecords, "targets">,
  declaredElsewhere: DeclaredElsewhere,
): readonly Drift[] {
  return users.flatMap((user): readonly Drift[] => {
    const target = targets.find(({ origin }) => origin === user.origin);
    const self = target?.snapshot.profile(user.id);
    if (target === undefined || self === undefined) return [];
    const declaration = declaredElsewhere(target, user);
    if (declaration?.isCertain === true) return [];
    const facts = undeclaredFacts(target, resourceOf(user.type), user.key, { self });
    const holds = `${heldRights(user.rights)}${user.marks.length > 0 ? ` (${user.marks.join(", ")})` : ""}`;
    const difference = declaration === undefined ? "no stack declares this user" : declaration.clause;
    return [drift("unmanaged", facts, { remark: `${holds}; ${difference}` })];
  });
}

/** Undeclared objects that an apply left and that no list shows any more. */
export function driftOfGone(seenRecords: SeenRecords, target: ReadTarget): readonly Drift[] {
  const { objects } = target.part;
  return objects.leftObjects().flatMap(({ key, uuid }): readonly Drift[] => {
    if (seenRecords.hasKey(target, key)) return [];
    const { resource, key: title } = partsOfObjectKey(key);
    // A token that the state forgot was revoked by an earlier run, and an object that a run set out to delete was deleted by it.
    if (resource.kind === "token" || objects.isPending(key)) return [];
    const { accounts, profiles } = target.snapshot;
    const renamedRecord = [...accounts, ...profiles].find((one) => textOf(one.uuid)?.toLowerCase() === uuid);
    if (renamedRecord !== undefined) {
      const facts = undeclaredFacts(target, resource, title, { self: renamedRecord });
      return [
        drift("renamed", facts, {
          from: title,
          to: resource.inventory.expectation({ self: renamedRecord }).key,
        }),
      ];
    }
    const facts = undeclaredFacts(target, resource, title, undefined);
    return isProvenAbsent(key, target)
      ? [drift("deleted", facts, { remark: "it is no longer declared either" })]
      : [
          drift("unclassified", facts, {
            remark: "not verified: may exist: the lists may not show all there is",
          }),
        ];
  });
}

/** Ended access that is still granted, also to a user of another declaration. */
export function driftOfEnded({ endings, lost }: ReturnType<typeof endingObjects>): readonly Drift[] {
  return [
    ...endings.flatMap(({ target, resource, key, records, declared, overdue, days }) => {
      const facts = undeclaredFacts(target, resource, key, records);
      const { address, constructPath, title, sensitive } = declared?.change ?? { ...facts, title: key };
      return driftOfEnds({ ...facts, address, constructPath, title, sensitive }, overdue, days);
    }),
    ...lost.map(({ target, resource, key, why }) =>
      drift("unclassified", undeclaredFacts(target, resource, key, undefined), {
        remark: `its access has ended and may still be granted: ${why}`,
      }),
    ),
  ];
}

// The objects that were found, so the rest is undeclared or deleted.

const NO_ENTRY = "nothing is remembered of it";
const NOT_LEFT = "its uuid is managed, and no apply that is remembered left it";

export class SeenRecords {
  /** Live declared objects of which nothing is remembered. */
  unremembered = 0;
  readonly #live = new Set<string>();
  readonly #remembered = new Set<string>();

  constructor(readonly targets: readonly ReadTarget[]) {}

  /** Notes a live record. */
  noteLive({ origin }: ReadTarget, { self }: Records): void {
    this.#live.add(JSON.stringify([origin, idOf(self)]));
  }

  isNoted({ origin }: ReadTarget, id: string): boolean {
    return this.#live.has(JSON.stringify([origin, id]));
  }

  /** Origin and id of each. */
  get live(): readonly (readonly [origin: string, id: string])[] {
    return [...this.#live].map((pair) => JSON.parse(pair) as [string, string]);
  }

  /** Notes a key of the state. @returns whether it was not noted before */
  noteKey(target: ReadTarget, key: string): boolean {
    const isNew = !this.hasKey(target, key);
    this.#remembered.add(keyInPart(target, key));
    return isNew;
  }

  hasKey(target: ReadTarget, key: string): boolean {
    return this.#remembered.has(keyInPart(target, key));
  }
}

function keyInPart({ provider }: ReadTarget, key: string): string {
  return `${provider} ${key}`;
}

/** The facts of a row about an object that is not declared. */
function undeclaredFacts(target: ReadTarget, resource: Resource, key: string, live: Records | undefined) {
  const { description, inventory } = resource;
  return {
    description,
    address: undeclaredAddress(description.type, key),
    constructPath: undefined,
    provider: target.provider,
    title: key,
    id: live === undefined ? undefined : idOf(live.self),
    sensitive: [],
    live: live === undefined ? null : (inventory?.stateOf(live, null) ?? null),
  };
}

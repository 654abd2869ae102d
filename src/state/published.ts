/** The public part of the state, for planning. It contains no secret: no token, no key, no hash, and no value that may be sensitive. */
import { randomBytes } from "node:crypto";
import type { ObjectValue, Value } from "../lib/values";
import { shapes } from "../lib/values";
import {
  type DeclaredNames,
  STATE_FORMAT,
  FORMAT_VERSION,
  type MovesFrom,
  type Part,
  type PartName,
  StateDocument,
} from "./document";
import { type AnyKind, KIND_NAMES, KINDS, type HasPlainKeepers } from "./entries";
import type { KnownVersion } from "./git-branch";
import { StatePart } from "./state-part";
import { type DeclaredValueOf, publishObjects, restoreObjects } from "./object-document";

/** The declarations, as far as they bear on secrecy: a value is published only if they show that it is not sensitive. */
export interface DeclaredValues {
  readonly hasPlainKeepers: HasPlainKeepers;
  readonly valueOf: DeclaredValueOf;
}

/** The public part of one state, for one service. */
export interface PublishedState {
  /** False if there is no state at all. */
  readonly exists: boolean;
  /** True if nothing is kept, so that uuids alone show the managed objects. @default false */
  readonly none?: boolean;
  readonly parts: readonly ObjectValue[];
  /** Names of the objects that stacks declared when they were synthesized last, by stack. @default none */
  readonly stacks?: Readonly<Record<string, DeclaredNames>>;
  /** Stacks whose own states did not open: their declarations are not known. @default none */
  readonly unopened?: readonly string[];
  /** The version that was read, by the place of the state; none for a state that is not on a branch. @default none */
  readonly versions?: Readonly<Record<string, KnownVersion>>;
}

/** The public part of the entries of one provider configuration. */
export function publishedPart(
  { stack, provider, entries, objects }: Part,
  declaredValues: DeclaredValues,
): ObjectValue {
  const lists = KIND_NAMES.flatMap((name) => {
    const kind: AnyKind = KINDS[name];
    const list = [...entries[name].values()];
    if (list.length === 0 && kind.isRare) return [];
    return [[kind.member, list.map((entry) => kind.publish(entry, declaredValues.hasPlainKeepers))] as const];
  });
  return {
    stack,
    provider,
    ...Object.fromEntries(lists),
    objects: publishObjects(objects, declaredValues.valueOf),
  };
}

/**
 * Makes a part that answers as the state's would, as far as the snapshot knows.
 * @throws Misshapen
 */
export function partOfPublished(
  { exists, parts }: PublishedState,
  name: PartName,
  isMoved?: MovesFrom,
): StatePart {
  const document = exists
    ? StateDocument.read(
        {
          format: STATE_FORMAT,
          version: FORMAT_VERSION,
          parts: parts.map((part) => restoredPart(part, name)),
        },
        "of the snapshot",
        false,
      )
    : StateDocument.empty(false);
  return new StatePart(document, name, false, isMoved);
}

function restoredPart(part: ObjectValue, { origin }: PartName): Value {
  const lists = KIND_NAMES.flatMap((name) => {
    const kind: AnyKind = KINDS[name];
    const { member, isRare } = kind;
    const { [member]: published } = part;
    if (published === undefined && isRare) return [];
    const list = shapes.listOf(shapes.anyObject)(published, member);
    return [[member, list.map((one) => kind.restore(one))] as const];
  });
  return {
    origin,
    stack: shapes.text(part["stack"], "stack"),
    provider: shapes.text(part["provider"], "provider"),
    key: randomBytes(32).toString("base64"),
    ...Object.fromEntries(lists),
    objects: restoreObjects(part["objects"]),
  };
}

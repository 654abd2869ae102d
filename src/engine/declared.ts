/** The live records and tokens that the stacks of a project declare, as far as they can be evaluated. Reports and exports use it. */
import { partKey } from "../state";
import { cancelled, type Finding, isError, TenancyError } from "../problems";
import { type Ends, endsIn, endsThatCount, idOf } from "../resources";
import type { StackRemoval } from "../stack";
import { resolveRemoval } from "./diff/removals";
import { type EvaluationRequest, evaluateStack } from "./evaluate/stack";
import type { Live } from "./live";
import { type PlanOptions, type StackSource, withoutCredentialsIfFromSnapshot } from "./options";
import { textOf } from "../lib/values";
import { Run } from "./run";
import type { PlannedObject, EvaluationResult } from "./planned-object";
import type { ReadTarget } from "./target";

interface DeclaredRecord {
  readonly how: "managed" | "imported" | "unmanaged";
  /** Path of the construct that declares it. */
  readonly path: string | undefined;
  /** Name of the stack. */
  readonly stack: string;
  /** In lower case. */
  readonly uuid: string;
  /** Declared ends of access. */
  readonly ends: Ends;
}

export interface ProjectDeclarations {
  /** By service, the declared records that are live, by their ids. */
  readonly records: ReadonlyMap<string, ReadonlyMap<string, DeclaredRecord>>;
  /** Declared tokens by the part of the state ({@link partKey}): the constructs' paths by `login/name`. */
  readonly tokens: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>;
  /** By service, the ids of records that are declared to be deleted (`new Deletion(…)`). */
  readonly removed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Why not everything could be read. */
  readonly notes: readonly string[];
}

/** @param live the open services; the caller closes them */
export async function declaredIn(
  stacks: readonly StackSource[],
  options: PlanOptions,
  live: Pick<Live, "run">,
  plannedAt: Date,
): Promise<ProjectDeclarations> {
  const asking = withoutCredentialsIfFromSnapshot(options);
  const records = new Map<string, Map<string, DeclaredRecord>>();
  const tokens = new Map<string, Map<string, string | undefined>>();
  const removedIds = new Map<string, Set<string>>();
  const notes: string[] = [];
  for (const stack of stacks) {
    const run = new Run(asking, stack.name, live.run);
    const { objects, findings, removals } = await evaluateTolerantly(stack, asking, { run, plannedAt });
    for (const object of objects) {
      const { target } = object;
      const record = declaredRecordOf(object, stack.name);
      if (record !== undefined) entryIn(records, target.origin).set(...record);
      else if (object.resource.kind === "token")
        entryIn(tokens, partKey(target.part.name)).set(object.change.key, object.change.constructPath);
    }
    for (const [origin, id] of removals) {
      const ids = removedIds.get(origin) ?? new Set<string>();
      removedIds.set(origin, ids.add(id));
    }
    notes.push(...doubtsOf(stack, findings));
  }
  return { records, tokens, removed: removedIds, notes };
}

/** Why not every declaration of a stack is known. */
export function doubtsOf({ name }: StackSource, findings: readonly Finding[]): readonly string[] {
  const [error, ...others] = findings.filter(isError);
  if (error === undefined) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return [
    `${name} cannot be evaluated to its end, so what it declares is known in part: ${error.summary}${more}`,
  ];
}

/** Evaluates as far as that is possible. The findings say why it is not possible to the end. */
export async function evaluateTolerantly(
  stack: StackSource,
  options: PlanOptions,
  request: EvaluationRequest,
) {
  return evaluateStack(stack, options, { ...request, tolerates: "everything" }).then(
    (one) => ({ ...one.evaluation, removals: removalsIn(one.evaluation, one.stack.removals) }),
    unevaluated,
  );
}

function declaredRecordOf(
  { lookup, importId, change, config }: PlannedObject,
  stack: string,
): [string, DeclaredRecord] | undefined {
  const { id, uuid } = lookup?.kind === "live" ? lookup.records.self : {};
  if (lookup?.kind !== "live" || typeof id !== "string") return undefined;
  const how = lookup.claim === "managed" ? "managed" : importId === undefined ? "unmanaged" : "imported";
  const ends = how === "unmanaged" ? {} : endsIn(config);
  return [id, { how, path: change.constructPath, stack, uuid: textOf(uuid)?.toLowerCase() ?? "", ends }];
}

/** The ends that count, by the uuid of the user, or of the account whose primary user has them. */
export function endsByUuid(
  targets: readonly Pick<ReadTarget, "origin" | "part">[],
  declarations: Pick<ProjectDeclarations, "records"> | undefined,
): ReadonlyMap<string, Ends> {
  const ends = new Map(
    targets.flatMap(({ part: { objects } }) =>
      objects.endingObjects().map(({ uuid, days }): [string, Ends] => [uuid, days]),
    ),
  );
  const declaredRecords = targets.flatMap(({ origin }) => [
    ...(declarations?.records.get(origin)?.values() ?? []),
  ]);
  for (const { uuid, ends: declaredEnds } of declaredRecords)
    if (Object.keys(declaredEnds).length > 0)
      ends.set(uuid, endsThatCount(declaredEnds, ends.get(uuid) ?? {}));
  return ends;
}

/** The live records that `new Deletion(…)` means, each with its service. */
function removalsIn(
  { targets }: Pick<EvaluationResult, "targets">,
  removals: readonly StackRemoval[],
): readonly (readonly [origin: string, id: string])[] {
  return removals.flatMap((one) => {
    const removalTarget = resolveRemoval(one, targets);
    if (removalTarget?.found.kind !== "live" || !removalTarget.isNamed) return [];
    return [[removalTarget.target.origin, idOf(removalTarget.found.records.self)] as const];
  });
}

function entryIn<T>(maps: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const entries = maps.get(key) ?? new Map<string, T>();
  maps.set(key, entries);
  return entries;
}

/** The declarations of a stack that cannot be evaluated at all: none is known. */
function unevaluated(
  error: unknown,
): Pick<EvaluationResult, "objects" | "offlineObjects" | "findings"> & { readonly removals: [] } {
  if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
  return { objects: [], offlineObjects: [], findings: error.toFindings(), removals: [] };
}

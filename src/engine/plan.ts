/** Plans one stack, without a write. */
import { ownersAt } from "../ownership";
import { accessChanges, type Change, type Draft, judge, type Plan, summaryOf } from "../plan";
import {
  absenceUnproven,
  absentStore,
  type Finding,
  isError,
  mintingImpossible,
  placeOf,
  PlanRefused,
  storeElsewhere,
  worded,
} from "../problems";
import { callerMay, type Snapshot } from "../service";
import { contentsOf, untoldStorage } from "./diff/contents";
import { changedSecrets, withVerifiedPasswords } from "./diff/passwords";
import { notDeclared, renames, stillWorking } from "./diff/told";
import { chosenOf, prune, type Pruning } from "./diff/prune";
import { mints, selectionOfRotation } from "./diff/token";
import { absentStores } from "./doubt";
import { knownDrift } from "./drift/differences";
import { hidingIn } from "./evaluate/secrets";
import { evaluate, type Evaluated, refuseSharedOwner } from "./evaluate/stack";
import { depthOf } from "./families";
import { refuseAbsent } from "./load/selection";
import { load } from "./load/stack";
import { type PlanOptions, refuseIfLive, type StackSource, withoutCredentialsIfLive } from "./options";
import { Run, surveyedOf } from "./run";
import { usageIn } from "./snapshot/open";
import { siblingAddresses } from "./siblings";
import {
  namedTarget,
  type PlannedObject,
  type Prune,
  type Rotation,
  type Target,
  type Walked,
} from "./stages";
import { refusalToMint } from "./store";

/** The third stage: undeclared objects of ours are added, and the guards have judged the whole. Nothing else is needed by the apply. */
export interface PlannedRun extends Evaluated {
  readonly run: Run;
  readonly plan: Plan;
  /** Declared objects that the apply carries out. */
  readonly objects: readonly PlannedObject[];
  readonly prunes: readonly Prune[];
  /** Whether it is the rotation of one token that somebody named. */
  readonly isRotation: boolean;
}

/**
 * @param rotation plans the rotation of this one token, and nothing else
 * @throws TenancyError; nothing has been written then
 */
export async function planStack(
  source: StackSource,
  given: PlanOptions,
  rotation?: Rotation,
): Promise<PlannedRun> {
  const options = withoutCredentialsIfLive(given);
  refuseIfLive(options, rotation !== undefined);
  const run = new Run(options);
  try {
    const plannedAt = new Date();
    const loaded = await load(source, options);
    const evaluated = await evaluate(loaded, { run, plannedAt, rotation });
    await refuseSharedOwner(loaded);
    const { looked, ...found } = await lookFurther(evaluated, run, plannedAt, rotation);
    const made = await guard(looked, found, run);
    refuseAbsent(evaluated.presumed, made.plan, evaluated.walked.objects);
    return { ...looked, ...made, run, isRotation: rotation !== undefined };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** What is found besides the stack's own findings, and besides what the guards say. */
interface Found {
  readonly plannedAt: Date;
  /** What stops the plan. */
  readonly refusals: readonly Finding[];
  /** What stops its apply. */
  readonly unproven: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Tries passwords, and whether tokens could be minted; narrows a rotation down to its token. */
async function lookFurther(
  evaluated: Evaluated,
  run: Run,
  plannedAt: Date,
  rotation: Rotation | undefined,
): Promise<Found & { readonly looked: Evaluated }> {
  const { walked, options } = evaluated;
  const { destroy = false, resetPasswords = false } = options;
  const selection =
    rotation === undefined
      ? evaluated.selection
      : selectionOfRotation(walked.objects, rotation, run.storeDescription);
  const { objects, findings } =
    destroy || rotation !== undefined
      ? { objects: walked.objects, findings: [] }
      : await withVerifiedPasswords(walked.objects, { plannedAt, resetPasswords, destroy });
  const carriedOut = destroy ? [] : objects.filter(({ change }) => selection.hasObject(change.address));
  const refusals = await refusedMinting(carriedOut, run.storeDescription, options);
  // Whoever only reads does not mint: the apply's own caller does.
  const isLeftToApply = ({ code }: Finding) =>
    code === mintingImpossible.code && walked.targets.every(({ snapshot }) => onlyReads(snapshot));
  // The missing store may be this one, under another owner or address.
  const isStoreMissed = refusals.some(({ code }) => code === absentStore.code);
  const elsewhere = isStoreMissed ? walked.findings.filter(({ code }) => code === storeElsewhere.code) : [];
  // What a rotation is not about is not read either.
  const deferred = rotation === undefined ? walked.deferred : new Set<string>();
  return {
    looked: { ...evaluated, selection, walked: { ...walked, objects, deferred } },
    plannedAt,
    refusals: [...refusals.filter((one) => !isLeftToApply(one)), ...elsewhere],
    unproven: refusals.filter(isLeftToApply),
    warnings: [...run.remarks(), ...findings, ...(await changedSecrets(carriedOut))],
  };
}

/** Whether the service says that the caller may change neither accounts nor users. */
function onlyReads(snapshot: Snapshot): boolean {
  const rights = ["realm.manage_accounts", "user.manage_users"] as const;
  return rights.every((right) => callerMay(snapshot, right) === false);
}

// From an evaluated stack to a plan: prunes, guards, access changes, summary.

/** @throws PlanRefused where a guard stops it */
async function guard(
  evaluated: Evaluated,
  found: Found,
  run: Run,
): Promise<Pick<PlannedRun, "plan" | "objects" | "prunes">> {
  const { walked, selection, options } = evaluated;
  const { destroy = false } = options;
  const pruning = pruneAll(evaluated);
  const prunes = inOrderOfDeletion(
    selection.isPartial ? chosenOf(pruning.prunes, selection, destroy) : pruning.prunes,
  );
  const contents = await contentsOf(prunes);
  const objects = destroy
    ? []
    : selection.isPartial
      ? walked.objects.filter(({ change }) => selection.hasObject(change.address))
      : walked.objects;
  const changes = [...objects, ...prunes].map(({ change }) => change);
  const retained = selection.isPartial ? [] : pruning.retained;
  const draft: Draft = {
    changes,
    retained,
    surveyed: walked.targets.map(surveyedOf),
    permits: options,
    destroy,
    asOf: found.plannedAt,
    declaresNothing: walked.objects.length === 0 && !selection.isPartial,
    contents,
    preventDestroy: new Set(
      walked.objects
        .filter(({ block }) => block.lifecycle.preventDestroy)
        .map(({ change }) => change.address),
    ),
  };
  const judged = judge(draft);
  const ceasing = contents.flatMap(({ ceasing: others = [] }) => others);
  const siblings = await siblingAddresses(evaluated, run, { prunes, retained, ceasing });
  const refusals = [
    ...found.refusals,
    ...pruning.findings.filter(isError),
    ...siblings.filter(isError),
    ...unreadable(walked, prunes),
    ...judged.filter((one) => !isAbsence(one)),
  ].map(walked.hide);
  const unproven = [...found.unproven, ...judged.filter(isAbsence)].map(walked.hide);
  const untold = untoldStorage(changes, contents);
  const seen = unproven.map((one) => ({ ...one, severity: "warning" as const }));
  const warnings = [
    ...seen,
    ...found.warnings,
    ...walked.findings,
    ...pruning.findings,
    ...siblings,
    ...untold,
  ]
    .filter((one) => !isError(one))
    .map(walked.hide);
  const live = { targets: walked.targets, objects: walked.objects, prunes: pruning.prunes, retained };
  const undeclared = [
    ...pruning.prunes.map(({ change, target }) => [target.origin, change.sighting.id] as const),
    ...retained.map(({ origin = "", id }) => [origin, id] as const),
  ];
  const isWhole = !destroy && !selection.isPartial && walked.unread.length === 0;
  const told = {
    retained,
    notDeclared: isWhole ? notDeclared(walked.objects, undeclared) : [],
    renames: isWhole ? renames(live) : [],
    ceasing,
  };
  const plan = { ...planOf(evaluated, found.plannedAt, changes, told, warnings), unproven: worded(unproven) };
  if (refusals.length > 0) {
    const error = new PlanRefused(refusals);
    refused.set(error, plan);
    throw error;
  }
  return { plan, objects, prunes };
}

/** A plan is shown to a caller who cannot see everything, too; its apply, with a caller of its own, is refused. */
function isAbsence({ code }: Finding): boolean {
  return code === absenceUnproven.code;
}

/** No member of the error: whoever prints an error prints its members. */
const refused = new WeakMap<Error, Plan>();

/** What a guard has stopped, to be shown beside its reasons; undefined for any other error. It cannot be applied. */
export function refusedPlan(error: unknown): Plan | undefined {
  return error instanceof Error ? refused.get(error) : undefined;
}

/** A partial run may leave out blocks that it cannot evaluate, but then it cannot tell what is undeclared. */
function unreadable({ unread }: Walked, prunes: readonly Prune[]): readonly Finding[] {
  if (unread.length === 0) return [];
  const doubtful = prunes.filter(({ change }) => change.reason !== "removed" && change.reason !== "destroy");
  return doubtful.map(({ change: { address, key } }) =>
    absenceUnproven.at(
      `cannot tell whether "${key}" is declared, because ${unread.join(", ")} cannot be evaluated`,
      { address },
    ),
  );
}

/** Providers of one service whose owners, present or previous, meet share what is declared and what is ours. */
function pruneAll({ walked, stack, options }: Evaluated): Pruning {
  const { destroy = false, noPrune = false } = options;
  let groups: { readonly owners: readonly string[]; readonly targets: readonly Target[] }[] = [];
  for (const target of walked.pruning) {
    const owners = ownersAt(target.origin, target.owners);
    const meeting = groups.filter((group) => group.owners.some((owner) => owners.includes(owner)));
    groups = [
      ...groups.filter((group) => !meeting.includes(group)),
      {
        owners: [...meeting.flatMap((group) => group.owners), ...owners],
        targets: [...meeting.flatMap((group) => group.targets), target],
      },
    ];
  }
  const prunings = groups.map(({ targets }) => {
    const ofGroup = new Set<Target>(targets);
    const pruning = prune({
      targets,
      declared: walked.objects.filter(({ target }) => ofGroup.has(target)),
      removed: stack.removed,
      permits: options,
      destroy,
      noPrune,
    });
    return { ...pruning, retained: stillWorking(pruning.retained, targets) };
  });
  return {
    prunes: prunings.flatMap(({ prunes }) => prunes),
    retained: prunings.flatMap(({ retained }) => retained),
    findings: prunings.flatMap(({ findings }) => findings),
  };
}

/** Tokens are revoked before their user, and users deleted before their account. */
function inOrderOfDeletion(prunes: readonly Prune[]): readonly Prune[] {
  const families = new Set(prunes.map(({ resource }) => resource));
  const depths = new Map([...families].map((family) => [family, depthOf(family)]));
  const depth = ({ resource }: Prune) => depths.get(resource) ?? 0;
  // Infinity less itself is no number.
  return [...prunes].sort((a, b) => (depth(a) === depth(b) ? 0 : depth(a) < depth(b) ? 1 : -1));
}

function planOf(
  { source, options, walked, selection }: Evaluated,
  plannedAt: Date,
  changes: readonly Change[],
  told: Pick<Plan, "retained" | "notDeclared" | "renames" | "ceasing">,
  warnings: readonly Finding[],
): Plan {
  const { destroy = false, noPrune = false } = options;
  return {
    stack: source.name,
    targets: walked.targets.map((target) => {
      const { previous } = target.owners;
      return { ...namedTarget(target), ...(previous.length > 0 && { previousOwners: previous }) };
    }),
    ...takenAtOf(walked.targets),
    ...usageIn(walked.targets, changes),
    destroy,
    partial: selection.isPartial,
    noPrune,
    changes,
    ...told,
    access: accessChanges([...changes, ...told.ceasing], plannedAt),
    outputs: destroy ? [] : walked.outputs,
    evaluated: walked.evaluated,
    warnings: worded(warnings),
    drift: onDemand(() => knownDrift(walked)),
    plannedAt: plannedAt.toISOString(),
    summary: summaryOf({ changes, ...told }),
  };
}

function onDemand<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function takenAtOf([target]: readonly Target[]): Pick<Plan, "takenAt"> {
  return target?.takenAt === undefined ? {} : { takenAt: target.takenAt };
}

// Refusals to mint a token, judged before anything is sent (design: Tokens).

/** @param store description of the store, for messages */
async function refusedMinting(
  objects: readonly PlannedObject[],
  store: string,
  options: PlanOptions,
): Promise<readonly Finding[]> {
  const minted = objects.filter(({ change }) => mints(change));
  if (minted.length === 0) return [];
  return [
    // Where a snapshot is read, the store of the apply is not at hand.
    ...(options.live === undefined ? (refusalToMint(options)?.toFindings() ?? []) : []),
    ...(options.initStore === true
      ? []
      : [...absentStores(minted, store).values()].flatMap((error) => error.toFindings())),
    ...(await Promise.all(minted.map(foreseen))).flat(),
  ];
}

async function foreseen({ resource, target, config, sensitive, block, instance }: PlannedObject) {
  const place = placeOf(block, instance.address);
  const findings = (await resource.foresee?.(target.connection, config)) ?? [];
  return findings.map(hidingIn(config, sensitive)).map((one): Finding => ({ ...place, ...one }));
}

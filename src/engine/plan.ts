/** Leads from a stack to its plan, without a write; validates a stack without asking its service. */
import {
  absentStore,
  type Diagnostic,
  type Finding,
  tokenCreationImpossible,
  whereaboutsOf,
  storeElsewhere,
  worded,
  wordsFor,
} from "../problems";
import { callerMay, type Snapshot } from "../service";
import { isKnownText, isUnknown, normalForm, type ObjectValue } from "../lib/values";
import { changedSecrets, leftPasswords, replaceLeftPasswords } from "./diff/passwords";
import { mints, selectionOfRotation } from "./diff/token";
import { absentStores } from "./possibly-issued-tokens";
import { evaluate, type Evaluated, evaluateStack } from "./evaluate/stack";
import { type FurtherFindings, guard, type Guarded } from "./guard";
import { refuseAbsent } from "./load/selection";
import { load } from "./load/stack";
import {
  type PlanOptions,
  refuseIfFromSnapshot,
  type StackSource,
  withoutCredentialsIfFromSnapshot,
} from "./options";
import { Run } from "./run";
import { refuseSharedOwner } from "./shared-owner";
import type { PlannedObject, Rotation } from "./stages";
import { refusalToMint } from "./store";

/** The context of the last stage: what was evaluated, and what the guards have let pass. Nothing else is needed by the apply. */
export interface PlannedRun extends Evaluated, Guarded {
  readonly run: Run;
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
  const options = withoutCredentialsIfFromSnapshot(given);
  refuseIfFromSnapshot(options, rotation !== undefined);
  const run = new Run(options);
  try {
    const plannedAt = new Date();
    const loaded = await load(source, options);
    const evaluated = await evaluate(loaded, { run, plannedAt, rotation });
    await refuseSharedOwner(evaluated);
    const { narrowed, ...further } = await lookFurther(evaluated, run, plannedAt, rotation);
    const guarded = await guard(narrowed, further, { run, plannedAt });
    refuseAbsent(evaluated.presumed, guarded.plan, evaluated.walked.objects);
    return { ...narrowed, ...guarded, run, isRotation: rotation !== undefined };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Tries passwords, and whether tokens could be created; narrows a rotation down to its token. */
async function lookFurther(
  evaluated: Evaluated,
  run: Run,
  plannedAt: Date,
  rotation: Rotation | undefined,
): Promise<FurtherFindings & { readonly narrowed: Evaluated }> {
  const { walked, options } = evaluated;
  const { destroy = false, resetPasswords = false } = options;
  const selection =
    rotation === undefined
      ? evaluated.selection
      : selectionOfRotation(walked.objects, rotation, run.storeDescription);
  const objects =
    destroy || rotation !== undefined
      ? walked.objects
      : replaceLeftPasswords(walked.objects, { plannedAt, resetPasswords, destroy });
  const carriedOut = destroy ? [] : objects.filter(({ change }) => selection.hasObject(change.address));
  const refusals = await refusedMinting(carriedOut, run.storeDescription, options);
  // A caller who may only read creates nothing: the caller of the apply does.
  const isLeftToApply = ({ code }: Finding) =>
    code === tokenCreationImpossible.code && walked.targets.every(({ snapshot }) => onlyReads(snapshot));
  // The missing store may be this one, under another owner or address.
  const isStoreMissed = refusals.some(({ code }) => code === absentStore.code);
  const elsewhere = isStoreMissed ? walked.findings.filter(({ code }) => code === storeElsewhere.code) : [];
  // What a rotation is not about is not read either.
  const deferred = rotation === undefined ? walked.deferred : new Set<string>();
  return {
    narrowed: {
      ...evaluated,
      selection,
      walked: { ...walked, objects, deferred },
    },
    refusals: [...refusals.filter((one) => !isLeftToApply(one)), ...elsewhere],
    unproven: refusals.filter(isLeftToApply),
    warnings: [
      ...run.remarks(),
      ...leftPasswords(walked.targets, carriedOut),
      ...(await changedSecrets(carriedOut)),
    ],
  };
}

/** Whether the service says that the caller may change neither accounts nor users. */
function onlyReads(snapshot: Snapshot): boolean {
  const rights = ["realm.manage_accounts", "user.manage_users"] as const;
  return rights.every((right) => callerMay(snapshot, right) === false);
}

// Validating: the same without asking the service, up to the guards.

/**
 * Values that only the service knows are unknown, and so are variables without a value.
 * @returns warnings
 * @throws InvalidConfiguration with every finding; sharedOwner
 */
export async function validateStack(
  source: StackSource,
  options: PlanOptions,
): Promise<readonly Diagnostic[]> {
  const evaluated = await evaluateStack(source, options, { run: undefined, plannedAt: new Date() });
  await refuseSharedOwner(evaluated);
  return worded(evaluated.walked.findings, wordsFor(options.reader));
}

// Refusals to create a token, judged before anything is sent (design: Tokens).

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
    ...(options.fromSnapshot === undefined ? (refusalToMint(options)?.toFindings() ?? []) : []),
    ...(options.initStore === true
      ? []
      : [...absentStores(minted, store).values()].flatMap((error) => error.toFindings())),
    ...(await Promise.all(minted.map(foreseenAmong(objects)))).flat(),
  ];
}

/** The login of a user whom the run makes is known by the token's planned key alone. */
function withForeseenLogin({ config, change }: PlannedObject): ObjectValue {
  const { login, name } = config;
  if (!isUnknown(login ?? null) || typeof name !== "string" || !isKnownText(change.key)) return config;
  return { ...config, login: change.key.slice(0, -`/${name}`.length) };
}

/** @param objects what the plan carries out: it may change the user of a token */
function foreseenAmong(objects: readonly PlannedObject[]) {
  const userKey = (origin: string, login: string) => `${origin} ${normalForm(login)}`;
  const users = new Map(
    objects
      .filter(({ resource }) => Object.hasOwn(resource.description.attributes, "access_api"))
      .map(({ target, change }) => [userKey(target.origin, change.key), change]),
  );
  return async (token: PlannedObject) => {
    const { resource, target, block, instance } = token;
    const plannedUser = (login: string) => users.get(userKey(target.origin, login))?.after ?? undefined;
    const findings = await resource.checkBeforeCreate?.(
      target.connection,
      withForeseenLogin(token),
      undefined,
      plannedUser,
    );
    const where = whereaboutsOf(block, instance.address);
    return (findings ?? []).map((one): Finding => ({ ...where, ...one }));
  };
}

/** Care of the state by hand (`tenancy state …`): a look at it, a new branch, a key, a place, a run that died. */
import { type TenancyState, openState, type PartName, partName, type StatePart } from "../state";
import { heldEnds } from "../plan";
import {
  type LockHolder,
  noSuchRun,
  stateBranchMissing,
  stateKeyMissing,
  unknownStack,
  usage,
} from "../problems";
import { accountOfLogin } from "../resources";
import { readManifest } from "../stack";
import { compareText, normalForm } from "../lib/values";
import { objectKeyOf, partsOfObjectKey, resourceOf } from "./families";
import { declaredInCode } from "./other-stacks";
import { tokenProviders } from "./tokens/list";
import type { PlanOptions, StackSource } from "./options";
import { isOnBranch, lockOptionsOf, stateOptionsOf } from "./state";

/** A state, without any secret. */
export interface StateStatus {
  /** Its path, its branch, or "kept by" a helper. */
  readonly place: string;
  /** The stack whose state it is; null where all stacks share it. */
  readonly stack: string | null;
  /** True if anything is kept; null where a helper keeps it. */
  readonly exists: boolean | null;
  /** True if it is sealed, and the key opened it; null where a helper keeps it. */
  readonly isSealed: boolean | null;
  /** Counts its versions; null where it is not sealed. */
  readonly version: number | null;
  /** When it was written last, ISO 8601. */
  readonly writtenAt: string | null;
  /** The run that wrote it last. */
  readonly run: string | null;
  /** The commit that was applied last. */
  readonly commit: string | null;
  /** Bytes of all versions of its branch; null if it is not on a branch, or git cannot measure it. */
  readonly historySize: number | null;
  /** The run that holds it; null if none does, or for a file. */
  readonly holder: LockHolder | null;
  readonly tokens: number | null;
  /** Tokens that holders of an earlier key may know. */
  readonly exposed: readonly ExposedTokenName[];
}

interface ExposedTokenName {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
}

/**
 * Opens the state and describes it. Sends nothing to the service.
 * @param source undefined: no stack; a state on a branch needs one
 * @throws the errors of reading the state: TENANCY_STATE_KEY_WRONG, TENANCY_STATE_BRANCH_MISSING …
 */
export async function stateStatus(
  source: StackSource | undefined,
  options: PlanOptions = {},
): Promise<StateStatus> {
  const stateOptions = stateOptionsOf(options, source?.name);
  const state = openState(stateOptions);
  const none = {
    ...{
      place: state.description,
      stack: null,
      exists: null,
      isSealed: null,
      version: null,
      writtenAt: null,
    },
    ...{ run: null, commit: null, historySize: null, holder: null, tokens: null, exposed: [] },
  };
  if (stateOptions.helper !== undefined) return none;
  const branch = stateOptions.git === undefined ? undefined : await state.branchStatus();
  const { exists, isSealed, tokens, exposed, ...summary } = await state.summary();
  const facts = branch?.facts ?? summary.facts;
  return {
    ...none,
    stack: stateOptions.git?.stack ?? null,
    exists,
    isSealed,
    tokens,
    version: facts?.sequence ?? null,
    writtenAt: facts?.time ?? null,
    run: facts?.run ?? null,
    commit: facts?.commit ?? null,
    historySize: branch?.historySize ?? null,
    holder: branch?.holder ?? null,
    exposed: exposed.map(({ login, name, serial }) => ({ login, name, serial })),
  };
}

/**
 * Makes the branch of a stack's state. If the branch exists, the key has to open it.
 * @returns its name, and whether it was made now
 * @throws TENANCY_INVALID_SETTING where the state is not on a branch; TENANCY_STATE_KEY_WRONG
 */
export async function initState(source: StackSource, options: PlanOptions = {}) {
  const state = openState(stateOptionsOf(options, source.name));
  const isNew = await state.initBranch();
  // A new key that opens nothing would otherwise reach every pipeline.
  if (!isNew) await state.summary();
  return { place: state.description, isNew };
}

/**
 * Accepts the present version of the state, although a later one existed before. For a state that was restored on purpose.
 * @returns the sequence of the version, and of its new copy
 */
export async function acceptState(source: StackSource, options: PlanOptions = {}) {
  const state = openState(stateOptionsOf(options, source.name));
  const { accepted, sequence } = await state.acceptBranch();
  return { place: state.description, accepted, sequence };
}

/**
 * Ends a run that died while it held the state.
 * @throws TENANCY_UNKNOWN_NAME where that run does not hold it
 */
export async function unlockState(
  source: StackSource,
  run: string,
  options: PlanOptions = {},
): Promise<LockHolder> {
  const state = openState(stateOptionsOf(options, source.name));
  const holder = await state.endRun(run);
  if (holder?.run === run) return holder;
  throw noSuchRun.error({ state: state.description, run, holder: holder?.run });
}

/**
 * Seals the state with a new key. The tokens in it count as exposed from then on, until each was rotated.
 * @param options `environment`: `TENANCY_PREVIOUS_STATE_KEY` is the old key, `TENANCY_STATE_KEY` the new one
 * @returns the place, and the exposed tokens
 */
export async function rekeyState(source: StackSource | undefined, options: PlanOptions = {}) {
  const { key, ...stateOptions } = stateOptionsOf(options, source?.name);
  const previousKey = options.environment?.["TENANCY_PREVIOUS_STATE_KEY"] || undefined;
  if (stateOptions.helper !== undefined)
    throw usage.error({
      problem: "a state that a helper keeps has no rekey",
      advice: "Copy it to another place.",
    });
  if (previousKey === undefined || previousKey === key)
    throw usage.error({
      problem: `TENANCY_PREVIOUS_STATE_KEY is ${previousKey === undefined ? "not set" : "the new key, too"}`,
      advice: "Set it to the key that the state has now, and TENANCY_STATE_KEY to the new one.",
    });
  const state = openState({ ...stateOptions, key: previousKey });
  if (key === undefined) throw stateKeyMissing.error(state.description);
  const exposed = await state.rekey(key, lockOptionsOf(options));
  return {
    place: state.description,
    exposed: exposed.map(({ login, name, serial }): ExposedTokenName => ({ login, name, serial })),
  };
}

/**
 * Takes out a retired stack: from then on its objects are not protected. The app must not make the stack any more.
 * @param sources the stacks of the app
 * @returns the places that knew it
 * @throws TENANCY_UNKNOWN_NAME where no state knows it; TENANCY_USAGE where nothing would end its temporary access
 */
export async function retireStack(
  sources: readonly StackSource[],
  name: string,
  options: PlanOptions = {},
): Promise<readonly string[]> {
  const sourceOrigins = new Set<string>();
  const providers = new Set<string>();
  const declaredKeys = new Set<string>();
  for (const source of sources) {
    const stacks = source.stacks ?? (await readManifest(source.outdir));
    if (stacks.some((stack) => stack.name === name))
      throw usage.error({
        problem: `the app makes the stack ${JSON.stringify(name)}`,
        advice: "Remove it from the app first. Then nothing that it declared is protected any more.",
      });
    for (const { origin, part } of await tokenProviders(source, options)) {
      sourceOrigins.add(origin);
      providers.add(part.provider);
    }
    const { declarations } = await declaredInCode({ ...source, stacks }, options, new Date());
    for (const { origin = "", type, key } of declarations)
      declaredKeys.add(`${origin} ${objectKeyOf(resourceOf(type), normalForm(key))}`);
  }
  // Entries on branches move by hand alone.
  const movingKeys = isOnBranch(options) ? new Set<string>() : declaredKeys;
  const places = new Set<string>();
  const known = new Set<string>();
  // The stack's own state comes first: nothing is changed where ends in it forbid that.
  for (const stack of isOnBranch(options) ? [name, ...sources.map((source) => source.name)] : [undefined]) {
    const state = openState(stateOptionsOf(options, stack));
    try {
      await state.lock(lockOptionsOf(options));
      // The stack may have used services that no other one uses.
      const ofStack = (await state.parts()).filter(({ stack }) => stack === name);
      const origins = new Set([...sourceOrigins, ...ofStack.map(({ origin }) => origin)]);
      for (const origin of origins) {
        for (const provider of new Set([...providers, ...ofStack.map((part) => part.provider)]))
          refuseHeldEnds(await state.part(partName(origin, name, provider)), movingKeys);
      }
      for (const origin of origins) {
        const names = await state.declaredNames(origin);
        [...names.keys()].forEach((one) => known.add(one));
        if (!names.has(name)) continue;
        await state.noteDeclaredNames(origin, new Map([[name, []]]));
        places.add(state.description);
      }
      await state.saveLast();
    } catch (error) {
      // The stack never had a state of its own.
      if (stack !== name || !stateBranchMissing.is(error)) throw error;
    } finally {
      await state.unlock();
    }
  }
  if (places.size === 0) throw unknownStack.error({ name, known: [...known] });
  return [...places];
}

/** A stack of the app that declares an object gets its end with its entry. @throws usage where nothing would remove access at its end */
function refuseHeldEnds({ name, objects }: StatePart, declaredKeys: ReadonlySet<string>): void {
  const ends = objects.endingObjects().flatMap(({ days, ...object }) => {
    if (!objects.hasLeft(object.key) || declaredKeys.has(`${name.origin} ${object.key}`)) return [];
    const { key } = partsOfObjectKey(object.key);
    return heldEnds(days, objects.privilegesOf(object)).map((end) => `${key} has ${end} until ${days[end]}`);
  });
  if (ends.length > 0)
    throw usage.error({
      problem: `nothing would end temporary access that the stack ${JSON.stringify(name.stack)} has granted: ${ends.join(", ")}`,
      advice:
        "Make the stack again. Release the users there, destroy the stack, or retire it once an apply has removed the access at its end. Users that another stack declares take their ends along: by its apply, or by hand where states are on branches.",
    });
}

/**
 * Moves entries of one stack to another one. Nothing is sent to the service. If all stacks share one file, an apply moves them itself.
 * @param source the stack that declares the objects now; `from` is the name of the stack that had them
 * @param names `acme`, `jane@acme` and `jane@acme/ci`: an account moves with its users, a user with the tokens
 * @returns the names of moved objects and tokens
 * @throws TENANCY_USAGE where the stack has no entry of a name
 */
export async function moveInState(
  source: StackSource,
  { from, names }: { readonly from: string; readonly names: readonly string[] },
  options: PlanOptions = {},
): Promise<readonly string[]> {
  const target = openState(stateOptionsOf(options, source.name));
  const former = isOnBranch(options) ? openState(stateOptionsOf(options, from)) : target;
  const states = [...new Set([target, former])];
  const isMeant = (name: string, key: string) => {
    const [user = ""] = key.split("/");
    return [key, user, accountOfLogin(user)].includes(normalForm(name));
  };
  const movedKeys = new Set<string>();
  try {
    for (const state of states) await state.lock(lockOptionsOf(options));
    for (const { part: to } of await tokenProviders(source, options)) {
      const parts = { from: partName(to.origin, from, to.provider), to };
      const isMoved = (key: string) => names.some((name) => isMeant(name, partsOfObjectKey(key).key));
      for (const key of await former.moveTo(target, parts, isMoved)) movedKeys.add(partsOfObjectKey(key).key);
    }
    const missing = names.find((name) => ![...movedKeys].some((key) => isMeant(name, key)));
    if (missing !== undefined)
      throw usage.error({
        problem: `the state has no entry of ${missing} that can move from the stack ${from}`,
        advice: "Name accounts, users or tokens that this stack has applied.",
      });
    for (const state of states) await state.saveLast();
  } finally {
    for (const state of states) await state.unlock();
  }
  return [...movedKeys].sort(compareText);
}

/**
 * Copies the contents of stacks to another place. The first state stays unchanged.
 * @param from place of the state, as {@link StateOptions.path} takes it
 * @param to place of the copy; a branch that does not exist is made
 * @throws TENANCY_STATE_KEEPS_ALREADY; TENANCY_STATE_KEY_MISSING if a sealed state would become a plain one
 */
export async function copyState(
  sources: readonly StackSource[],
  { from, to }: { readonly from: string; readonly to: string },
  options: PlanOptions = {},
): Promise<readonly string[]> {
  const at = (path: string): PlanOptions => {
    const { helper: _helper, ...others } = options.state ?? {};
    return { ...options, state: { ...others, path } };
  };
  const areParted = isOnBranch(at(from)) || isOnBranch(at(to));
  const places: string[] = [];
  for (const source of areParted ? sources : [undefined]) {
    const [state, target] = [from, to].map((path) => openState(stateOptionsOf(at(path), source?.name))) as [
      TenancyState,
      TenancyState,
    ];
    // A file has the contents of all stacks: each gets its own.
    if (isOnBranch(at(to))) await target.initBranch();
    const isMeant = ({ stack }: PartName) => source === undefined || stack === source.name;
    const count = await state.copyTo(target, isMeant, lockOptionsOf(options));
    places.push(`${state.description} to ${target.description} (${count} service${count === 1 ? "" : "s"})`);
  }
  return places;
}

/** Care of the credential store by hand (`tenancy store …`): a look at it, a new branch, a key, a place, a run that died. */
import { type CredentialStore, openStore, type PartName, partName } from "../credentials";
import {
  type LockHolder,
  noSuchRun,
  storeBranchMissing,
  storeKeyMissing,
  unknownStack,
  usage,
} from "../problems";
import { accountOfLogin } from "../resources";
import { readManifest } from "../stack";
import { compareText, normalForm } from "../lib/values";
import { partsOfMemoryKey } from "./families";
import { tokenProviders } from "./tokens/list";
import type { PlanOptions, StackSource } from "./options";
import { isOnBranch, lockOptionsOf, storeOptionsOf } from "./store";

/** A credential store, without any secret. */
export interface StoreStatus {
  /** Its path, its branch, or "kept by" a helper. */
  readonly place: string;
  /** The stack whose store it is; null where all stacks share it. */
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
 * Opens the store and describes it. Sends nothing to the service.
 * @param source undefined: no stack; a store on a branch needs one
 * @throws the errors of reading the store: TENANCY_STORE_KEY_WRONG, TENANCY_STORE_BRANCH_MISSING …
 */
export async function storeStatus(
  source: StackSource | undefined,
  options: PlanOptions = {},
): Promise<StoreStatus> {
  const storeOptions = storeOptionsOf(options, source?.name);
  const store = openStore(storeOptions);
  const none = {
    ...{
      place: store.description,
      stack: null,
      exists: null,
      isSealed: null,
      version: null,
      writtenAt: null,
    },
    ...{ run: null, commit: null, historySize: null, holder: null, tokens: null, exposed: [] },
  };
  if (storeOptions.helper !== undefined) return none;
  const branch = storeOptions.git === undefined ? undefined : await store.branchStatus();
  const { exists, isSealed, tokens, exposed, ...summary } = await store.summary();
  const facts = branch?.facts ?? summary.facts;
  return {
    ...none,
    stack: storeOptions.git?.stack ?? null,
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
 * Makes the branch of a stack's store. If the branch exists, the key has to open it.
 * @returns its name, and whether it was made now
 * @throws TENANCY_INVALID_SETTING where the store is not on a branch; TENANCY_STORE_KEY_WRONG
 */
export async function initStore(source: StackSource, options: PlanOptions = {}) {
  const store = openStore(storeOptionsOf(options, source.name));
  const isNew = await store.initBranch();
  // A new key that opens nothing would otherwise reach every pipeline.
  if (!isNew) await store.summary();
  return { place: store.description, isNew };
}

/**
 * Accepts the present version of the store, although a later one existed before. For a store that was restored on purpose.
 * @returns the sequence of the version, and of its new copy
 */
export async function acceptStore(source: StackSource, options: PlanOptions = {}) {
  const store = openStore(storeOptionsOf(options, source.name));
  const { accepted, sequence } = await store.acceptBranch();
  return { place: store.description, accepted, sequence };
}

/**
 * Ends a run that died while it held the store.
 * @throws TENANCY_UNKNOWN_NAME where that run does not hold it
 */
export async function unlockStore(
  source: StackSource,
  run: string,
  options: PlanOptions = {},
): Promise<LockHolder> {
  const store = openStore(storeOptionsOf(options, source.name));
  const holder = await store.endRun(run);
  if (holder?.run === run) return holder;
  throw noSuchRun.error({ store: store.description, run, holder: holder?.run });
}

/**
 * Seals the store with a new key. The tokens in it count as exposed from then on, until each was rotated.
 * @param options `environment`: `TENANCY_PREVIOUS_STORE_KEY` is the old key, `TENANCY_STORE_KEY` the new one
 * @returns the place, and the exposed tokens
 */
export async function rekeyStore(source: StackSource | undefined, options: PlanOptions = {}) {
  const { key, ...storeOptions } = storeOptionsOf(options, source?.name);
  const previousKey = options.environment?.["TENANCY_PREVIOUS_STORE_KEY"] || undefined;
  if (storeOptions.helper !== undefined)
    throw usage.error({
      problem: "a store that a helper keeps has no rekey",
      advice: "Copy it to another place.",
    });
  if (previousKey === undefined || previousKey === key)
    throw usage.error({
      problem: `TENANCY_PREVIOUS_STORE_KEY is ${previousKey === undefined ? "not set" : "the new key, too"}`,
      advice: "Set it to the key that the store has now, and TENANCY_STORE_KEY to the new one.",
    });
  const store = openStore({ ...storeOptions, key: previousKey });
  if (key === undefined) throw storeKeyMissing.error(store.description);
  const exposed = await store.rekey(key, lockOptionsOf(options));
  return {
    place: store.description,
    exposed: exposed.map(({ login, name, serial }): ExposedTokenName => ({ login, name, serial })),
  };
}

/**
 * Takes out a retired stack: from then on its objects are not protected. The app must not make the stack any more.
 * @param sources the stacks of the app
 * @returns the places that knew it
 * @throws TENANCY_UNKNOWN_NAME where no store knows it
 */
export async function retireStack(
  sources: readonly StackSource[],
  name: string,
  options: PlanOptions = {},
): Promise<readonly string[]> {
  for (const { outdir, stacks = await readManifest(outdir) } of sources)
    if (stacks.some((stack) => stack.name === name))
      throw usage.error({
        problem: `the app makes the stack ${JSON.stringify(name)}`,
        advice: "Remove it from the app first. Then nothing that it declared is protected any more.",
      });
  const origins = new Set<string>();
  for (const source of sources)
    for (const { origin } of await tokenProviders(source, options)) origins.add(origin);
  const places = new Set<string>();
  const known = new Set<string>();
  for (const stack of isOnBranch(options) ? [...sources.map((source) => source.name), name] : [undefined]) {
    const store = openStore(storeOptionsOf(options, stack));
    try {
      await store.lock(lockOptionsOf(options));
      for (const origin of origins) {
        const names = await store.declaredNames(origin);
        [...names.keys()].forEach((one) => known.add(one));
        if (!names.has(name)) continue;
        await store.noteDeclaredNames(origin, new Map([[name, []]]));
        places.add(store.description);
      }
      await store.saveLast();
    } catch (error) {
      // The stack never had a store of its own.
      if (stack !== name || !storeBranchMissing.is(error)) throw error;
    } finally {
      await store.unlock();
    }
  }
  if (places.size === 0) throw unknownStack.error({ name, known: [...known] });
  return [...places];
}

/**
 * Moves entries of one stack to another one. Nothing is sent to the service. If all stacks share one file, an apply moves them itself.
 * @param source the stack that declares the objects now; `from` is the name of the stack that had them
 * @param names `acme`, `jane@acme` and `jane@acme/ci`: an account moves with its users, a user with the tokens
 * @returns the names of moved objects and tokens
 * @throws TENANCY_USAGE where the stack has no entry of a name
 */
export async function moveInStore(
  source: StackSource,
  { from, names }: { readonly from: string; readonly names: readonly string[] },
  options: PlanOptions = {},
): Promise<readonly string[]> {
  const target = openStore(storeOptionsOf(options, source.name));
  const former = isOnBranch(options) ? openStore(storeOptionsOf(options, from)) : target;
  const stores = [...new Set([target, former])];
  const isMeant = (name: string, key: string) => {
    const [user = ""] = key.split("/");
    return [key, user, accountOfLogin(user)].includes(normalForm(name));
  };
  const movedKeys = new Set<string>();
  try {
    for (const store of stores) await store.lock(lockOptionsOf(options));
    for (const { part: to } of await tokenProviders(source, options)) {
      const parts = { from: partName(to.origin, from, to.provider), to };
      const isMoved = (key: string) => names.some((name) => isMeant(name, partsOfMemoryKey(key).key));
      for (const key of await former.moveTo(target, parts, isMoved)) movedKeys.add(partsOfMemoryKey(key).key);
    }
    const missing = names.find((name) => ![...movedKeys].some((key) => isMeant(name, key)));
    if (missing !== undefined)
      throw usage.error({
        problem: `the store has no entry of ${missing} that can move from the stack ${from}`,
        advice: "Name accounts, users or tokens that this stack has applied.",
      });
    for (const store of stores) await store.saveLast();
  } finally {
    for (const store of stores) await store.unlock();
  }
  return [...movedKeys].sort(compareText);
}

/**
 * Copies the contents of stacks to another place. The first store stays unchanged.
 * @param from place of the store, as {@link StoreOptions.path} takes it
 * @param to place of the copy; a branch that does not exist is made
 * @throws TENANCY_STORE_KEEPS_ALREADY; TENANCY_STORE_KEY_MISSING if a sealed store would become a plain one
 */
export async function copyStore(
  sources: readonly StackSource[],
  { from, to }: { readonly from: string; readonly to: string },
  options: PlanOptions = {},
): Promise<readonly string[]> {
  const at = (path: string): PlanOptions => {
    const { helper: _helper, ...others } = options.store ?? {};
    return { ...options, store: { ...others, path } };
  };
  const areParted = isOnBranch(at(from)) || isOnBranch(at(to));
  const places: string[] = [];
  for (const source of areParted ? sources : [undefined]) {
    const [store, target] = [from, to].map((path) => openStore(storeOptionsOf(at(path), source?.name))) as [
      CredentialStore,
      CredentialStore,
    ];
    // A file has the contents of all stacks: each gets its own.
    if (isOnBranch(at(to))) await target.initBranch();
    const isMeant = ({ stack }: PartName) => source === undefined || stack === source.name;
    const count = await store.copyTo(target, isMeant, lockOptionsOf(options));
    places.push(`${store.description} to ${target.description} (${count} service${count === 1 ? "" : "s"})`);
  }
  return places;
}

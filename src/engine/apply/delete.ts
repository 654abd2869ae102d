/** Deletes what the plan deletes, after the last create and update, and only records that the plan saw. */
import type { CommonRecord } from "../../api";
import type { Ledger, TokenEntry } from "../../credentials";
import {
  accountNotEmpty,
  failuresIn,
  type Finding,
  movedOn,
  notRevoked,
  whereaboutsOf,
  TenancyError,
} from "../../problems";
import {
  differenceOf,
  idOf,
  type Inventory,
  isSameVersion,
  requireNoNewcomers,
  usersNotOwned,
} from "../../resources";
import { diff } from "../../schema";
import type { Connection, Snapshot } from "../../service";
import { removeToken } from "../drift/memory";
import { memoryKeyOf } from "../families";
import type { PlannedRun } from "../plan";
import { idsToDelete, type WriteTarget, writeTargetFor, type WriteTargets, type Prune } from "../stages";
import { failedRevocationsOf, identityOf } from "../store";
import { diagnose, type Progress } from "./progress";
import { schedule, type Task } from "./schedule";

interface PruneContext {
  readonly writeTargets: WriteTargets;
  readonly progress: Progress;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
}

export async function pruneAll(planned: PlannedRun, context: PruneContext): Promise<void> {
  const { prunes, options } = planned;
  const { progress, writeTargets, concurrency, signal } = context;
  if (!progress.isFlawless) return skipAll(prunes, progress, "nothing is deleted after a failure");
  if (signal?.aborted === true) return skipAll(prunes, progress, "the run was stopped");
  const tree = new PruneTree(prunes);
  const rechecked = await recheck(prunes, writeTargets, options.allowNonempty === true);
  const tasks = prunes.map((prune): Task => {
    const isRefused = (one: Prune) => rechecked.get(one)?.refusal !== undefined;
    const isKept = tree.containersOf(prune).some(isRefused);
    return {
      id: taskId(prune),
      // An object that cannot be deleted reports so itself, and does not wait for its contents.
      after: isRefused(prune) ? [] : tree.inside(prune).map(taskId),
      run: async () => {
        if (!isKept) return remove(prune, rechecked.get(prune) ?? {}, tree, planned, context);
        progress.skip(prune.change, "what it belongs to cannot be deleted");
        return false;
      },
      skip: (because) =>
        progress.skip(
          prune.change,
          because === "failed" ? "something in it could not be deleted" : "the run was stopped",
        ),
    };
  });
  await schedule(tasks, concurrency, signal);
}

async function remove(
  prune: Prune,
  { refusal }: Rechecked,
  tree: PruneTree,
  { run, options }: PlannedRun,
  { writeTargets, progress }: PruneContext,
): Promise<boolean> {
  const { change } = prune;
  const where = whereaboutsOf(change);
  const writeTarget = writeTargetFor(writeTargets, change.provider);
  const { ledger, connection } = writeTarget;
  return progress.operation(
    change,
    "delete",
    async () => {
      if (refusal !== undefined) throw refusal;
      const findings = await deleteObject(prune, {
        connection,
        ledger,
        allowNonempty: options.allowNonempty === true,
        userGoes: tree.containersOf(prune).length > 0,
        save: () => run.store.save(),
      });
      return {
        id: change.observedRecord.id,
        findings: findings.map((one) => ({ ...where, ...one })),
      };
    },
    (error) => diagnose(error, where),
  );
}

function skipAll(prunes: readonly Prune[], progress: Progress, reason: string): void {
  prunes.forEach(({ change }) => progress.skip(change, reason));
}

/** Two services may each have an object of the same address that is not declared. */
function taskId({ change }: Prune): string {
  return `${change.provider} ${change.address}`;
}

/** What is deleted belongs together: tokens to their user, users to their account. */
class PruneTree {
  readonly #inside = new Map<Prune, Prune[]>();
  readonly #container = new Map<Prune, Prune>();

  constructor(prunes: readonly Prune[]) {
    const byId = new Map<string, Prune>();
    const byLogin = new Map<string, Prune>();
    for (const prune of prunes) {
      const { change, target } = prune;
      if (prune.resource.kind === "token") continue;
      byId.set(`${target.origin} ${change.observedRecord.id}`, prune);
      byLogin.set(`${target.origin} ${change.key}`, prune);
    }
    for (const prune of prunes) {
      const { change, target, resource } = prune;
      const inAccount = (id: string | null | undefined) => byId.get(`${target.origin} ${id ?? ""}`);
      const { login } = identityOf(change.before);
      // A user who is not ours ceases with the account, without a delete of their own.
      const container =
        resource.kind === "token"
          ? (byLogin.get(`${target.origin} ${login}`) ??
            inAccount(target.snapshot.profileWithLogin(login)?.account_id))
          : inAccount(change.observedRecord.accountId);
      if (container === undefined || container === prune) continue;
      this.#container.set(prune, container);
      this.#inside.set(container, [...(this.#inside.get(container) ?? []), prune]);
    }
  }

  /** What goes before it, because it is in it. */
  inside(prune: Prune): readonly Prune[] {
    return this.#inside.get(prune) ?? [];
  }

  /** What goes after it, from the inside out. */
  containersOf(prune: Prune): readonly Prune[] {
    const containers: Prune[] = [];
    for (let outer = this.#container.get(prune); outer !== undefined; outer = this.#container.get(outer))
      containers.push(outer);
    return containers;
  }
}

/** What the deletion of one object needs besides the plan. */
interface DeleteContext {
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly allowNonempty: boolean;
  /** Whether the user of the token is deleted next. */
  readonly userGoes: boolean;
  /** Makes what was changed in the ledger durable. */
  readonly save: () => Promise<void>;
}

/**
 * Deletes one object that is no longer declared. The record that the plan saw must still be there, unchanged.
 * @throws TenancyError where it was not deleted
 */
async function deleteObject(prune: Prune, context: DeleteContext): Promise<readonly Finding[]> {
  return prune.resource.kind === "token" ? deleteToken(prune, context) : deleteRecord(prune, context);
}

async function deleteRecord(
  prune: Prune,
  { connection, ledger, allowNonempty }: DeleteContext,
): Promise<readonly Finding[]> {
  const { change, resource } = prune;
  const { observedRecord, key } = change;
  const findings = await resource.delete(connection, {
    prior: change.before,
    expected: observedRecord,
    // The guards have judged it. The account's contents are checked once more right before its delete.
    allowed: true,
    seen: seenIn(prune),
    ...(allowNonempty && { allowNonempty }),
  });
  const remembered = memoryKeyOf(resource, key);
  ledger.lastApply.drop(remembered);
  ledger.objects.forget(remembered);
  return findings;
}

async function deleteToken(
  { change, resource }: Prune,
  { connection, ledger, userGoes, save }: DeleteContext,
): Promise<readonly Finding[]> {
  const prior = change.before;
  const identity = identityOf(prior);
  const entry = ledger.tokens.get(identity);
  try {
    await resource.delete(connection, { prior });
  } catch (error) {
    // If the service revokes nothing over its API, the token and those before it end with their user, and that is proven afterwards.
    const isRevocable = !failuresIn(error).every((one) => notRevoked.is(one));
    if (isRevocable || !userGoes || entry === undefined) throw error;
    noteUnrevoked(ledger, entry, connection.now());
  }
  removeToken(ledger, identity);
  await save();
  return [];
}

function noteUnrevoked(ledger: Ledger, entry: TokenEntry, at: Date): void {
  for (const token of failedRevocationsOf(entry, at)) ledger.failedRevocations.put(token);
}

// The last look: before the first delete, all records to be deleted are read once more, so that nothing inside an account is deleted
// if the account itself has to stay. Each record is read again right before its delete.

/** The reason why a delete is refused, if there is one. */
interface Rechecked {
  readonly refusal?: TenancyError;
}

async function recheck(
  prunes: readonly Prune[],
  writeTargets: WriteTargets,
  allowNonempty: boolean,
): Promise<ReadonlyMap<Prune, Rechecked>> {
  const going = idsToDelete(prunes);
  const providers = new Set(prunes.map(({ change }) => change.provider));
  const lists = new Map<string, Promise<Snapshot>>();
  for (const provider of providers) lists.set(provider, writeTargetFor(writeTargets, provider).lists(0));
  const found = await Promise.all(
    prunes.map(async (prune): Promise<readonly [Prune, Rechecked]> => {
      const writeTarget = writeTargetFor(writeTargets, prune.change.provider);
      try {
        const snapshot = await lists.get(prune.change.provider)!;
        const { kind, inventory } = prune.resource;
        if (kind === "token") {
          requireSameToken(prune, writeTarget);
          return [prune, {}];
        }
        requireSameRecord(prune, inventory, inventory.listed(prune.change.observedRecord.id, snapshot));
        const seen = seenIn(prune);
        const account = snapshot.account(prune.change.observedRecord.id);
        if (seen !== undefined && account !== undefined)
          requireNoNewcomers(account, snapshot.profilesOf(idOf(account)), seen);
        if (!allowNonempty) await requireEmpty(prune, writeTarget, snapshot, going);
        return [prune, {}];
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        return [prune, { refusal: error }];
      }
    }),
  );
  return new Map(found);
}

/** The store was locked only after the plan: another run may have rotated the token since. */
function requireSameToken({ change }: Prune, { ledger }: WriteTarget): void {
  const { before } = change;
  const entry = ledger.tokens.get(identityOf(before));
  if (entry !== undefined && entry.record.serial !== before["serial"])
    throw movedOn.error({ noun: "token", key: change.title, what: "another run has rotated it" });
}

/** A record of which only the sequence number changed has the same plan. */
function requireSameRecord({ change }: Prune, inventory: Inventory, self: CommonRecord | undefined): void {
  // A record that is no longer listed is read by its id before it counts as gone.
  if (self === undefined) return;
  const { observedRecord, description, title } = change;
  const { seq, ...identity } = observedRecord;
  const now = inventory.expectation({ self });
  const noun = description.noun;
  const difference = differenceOf(now, identity);
  if (difference !== undefined) throw movedOn.error({ noun, key: title, what: difference });
  if (isSameVersion(now, { seq })) return;
  const changes = diff(description.attributes, change.before, inventory.stateOf({ self }, change.before));
  if (changes.length > 0)
    throw movedOn.error({
      noun,
      key: title,
      what: `${changes.map(({ path }) => path.join(".")).join(", ")} changed`,
    });
}

/** Ids of the users whom the plan saw in an account; undefined of any other object. */
function seenIn({ change, resource, target }: Prune): ReadonlySet<string> | undefined {
  if (resource.container === undefined) return undefined;
  return new Set(target.snapshot.profilesOf(change.observedRecord.id).map(idOf));
}

async function requireEmpty(
  prune: Prune,
  { connection }: WriteTarget,
  snapshot: Snapshot,
  going: ReadonlySet<string>,
): Promise<void> {
  const { change, resource } = prune;
  if (change.before["allow_nonempty_delete"] === true) return;
  const held = await resource.container?.contentsOf(connection, change.observedRecord.id, snapshot);
  const findings = held === undefined ? [] : [...held.storage, ...usersNotOwned(held, going)];
  if (findings.length > 0) throw accountNotEmpty.error({ name: change.title, findings });
}

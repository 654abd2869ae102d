/** Carries out the plan's deletes, after the last create and update, and only of records that the plan saw. */
import type { CommonRecord } from "../../api";
import { accountNotEmpty, type Finding, movedOn, whereaboutsOf, TenancyError } from "../../problems";
import { differenceSince, idOf, type Inventory, requireNoNewcomers, usersStaying } from "../../resources";
import type { Snapshot } from "../../service";
import type { PlannedRun } from "../plan";
import { type DeclaredElsewhere, idsToDelete, type Prune } from "../change";
import { declaredSince } from "../other-stacks";
import { type WriteTarget, writeTargetFor, type WriteTargets } from "../target";
import { deleteToken, requireNotRotated, userOfDeletedToken } from "../tokens/delete";
import type { ApplyContext } from "./object";
import { findingsOfError, type Progress } from "./progress";
import { schedule, type Task } from "./schedule";

/** @param concurrency how many are deleted at once */
export async function pruneAll(
  context: ApplyContext,
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
): Promise<void> {
  const { prunes } = context.planned;
  const { progress, writeTargets } = context;
  if (!progress.isFlawless) return skipAll(prunes, progress, "nothing is deleted after a failure");
  if (signal.aborted) return skipAll(prunes, progress, "the run was stopped");
  const tree = new PruneTree(prunes);
  const refusals = await recheck(context.planned, writeTargets);
  const tasks = prunes.map((prune): Task => {
    const isKept = tree.containersOf(prune).some((one) => refusals.has(one));
    return {
      id: taskId(prune),
      // An object that cannot be deleted reports so itself, and does not wait for its contents.
      after: refusals.has(prune) ? [] : tree.inside(prune).map(taskId),
      run: async () => {
        if (!isKept) return prunedObject(prune, refusals.get(prune), tree, context);
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

/** @returns true if it was deleted; the progress has a failure */
async function prunedObject(
  prune: Prune,
  refusal: TenancyError | undefined,
  tree: PruneTree,
  { planned, writeTargets, writes, progress }: ApplyContext,
): Promise<boolean> {
  const { change } = prune;
  const where = whereaboutsOf(change);
  const writeTarget = writeTargetFor(writeTargets, change.provider);
  const write = writes.writeOf(prune);
  const act = async () => {
    try {
      if (refusal !== undefined) throw refusal;
      write.started();
      const userGoes = tree.containersOf(prune).length > 0;
      const findings =
        prune.resource.kind === "token"
          ? await deleteToken(prune, writeTarget, userGoes, planned)
          : await deleteObject(prune, writeTarget, planned);
      write.deleted(change.observedRecord.id);
      return { id: change.observedRecord.id, findings: findings.map((one) => ({ ...where, ...one })) };
    } catch (error) {
      write.failed(error);
      throw error;
    }
  };
  return progress.operation(change, "delete", act, (error) => findingsOfError(error, where));
}

function skipAll(prunes: readonly Prune[], progress: Progress, reason: string): void {
  prunes.forEach(({ change }) => progress.skip(change, reason));
}

/** Two services may each have an object of the same address that is not declared. */
function taskId({ change }: Prune): string {
  return `${change.provider} ${change.address}`;
}

/** The deletes as a tree: tokens belong to their user, users to their account. */
class PruneTree {
  readonly #inside = new Map<Prune, Prune[]>();
  readonly #container = new Map<Prune, Prune>();

  constructor(prunes: readonly Prune[]) {
    const byId = new Map<string, Prune>();
    const byLogin = new Map<string, Prune>();
    for (const prune of prunes) {
      const { change, target } = prune;
      if (userOfDeletedToken(prune) !== undefined) continue;
      byId.set(`${target.origin} ${change.observedRecord.id}`, prune);
      byLogin.set(`${target.origin} ${change.key}`, prune);
    }
    for (const prune of prunes) {
      const { change, target } = prune;
      const inAccount = (id: string | null | undefined) => byId.get(`${target.origin} ${id ?? ""}`);
      const login = userOfDeletedToken(prune);
      // An unmanaged user is deleted with the account, without a separate delete.
      const container =
        login === undefined
          ? inAccount(change.observedRecord.accountId)
          : (byLogin.get(`${target.origin} ${login}`) ??
            inAccount(target.snapshot.profileWithLogin(login)?.account_id));
      if (container === undefined || container === prune) continue;
      this.#container.set(prune, container);
      this.#inside.set(container, [...(this.#inside.get(container) ?? []), prune]);
    }
  }

  /** The objects in it, which go before it. */
  inside(prune: Prune): readonly Prune[] {
    return this.#inside.get(prune) ?? [];
  }

  /** The objects that it is in, which go after it, from the inside out. */
  containersOf(prune: Prune): readonly Prune[] {
    const containers: Prune[] = [];
    for (let outer = this.#container.get(prune); outer !== undefined; outer = this.#container.get(outer))
      containers.push(outer);
    return containers;
  }
}

/**
 * Deletes a record that is no longer declared. The record that the plan saw must still be there, unchanged.
 * @throws TenancyError where it was not deleted
 */
async function deleteObject(
  prune: Prune,
  { connection }: WriteTarget,
  { options }: PlannedRun,
): Promise<readonly Finding[]> {
  return prune.resource.delete(connection, {
    prior: prune.change.before,
    expected: prune.change.observedRecord,
    // The guards have judged it. The account's contents are checked once more right before its delete.
    allowed: true,
    seen: seenIn(prune),
    ...(options.allowNonempty === true && { allowNonempty: true }),
  });
}

// The last look: before the first delete, all records to be deleted are read once more, so that nothing inside an account is deleted
// if the account itself has to stay. Each record is read again right before its delete.

/** @returns the deletes that are refused, each with the reason */
async function recheck(
  planned: PlannedRun,
  writeTargets: WriteTargets,
): Promise<ReadonlyMap<Prune, TenancyError>> {
  const { prunes, run, options } = planned;
  const declaredElsewhere = await declaredSince(planned, run);
  const going = idsToDelete(prunes);
  const providers = new Set(prunes.map(({ change }) => change.provider));
  const lists = new Map<string, Promise<Snapshot>>();
  for (const provider of providers) lists.set(provider, writeTargetFor(writeTargets, provider).lists(0));
  const refusals = await Promise.all(
    prunes.map(async (prune): Promise<readonly (readonly [Prune, TenancyError])[]> => {
      const writeTarget = writeTargetFor(writeTargets, prune.change.provider);
      try {
        requireNotDeclared(prune, declaredElsewhere);
        const snapshot = await lists.get(prune.change.provider)!;
        const { kind, inventory } = prune.resource;
        if (kind === "token") {
          requireNotRotated(prune, writeTarget.part);
          return [];
        }
        requireSameRecord(prune, inventory, inventory.listed(prune.change.observedRecord.id, snapshot));
        const plannedUsers = seenIn(prune);
        const account = snapshot.account(prune.change.observedRecord.id);
        if (plannedUsers !== undefined && account !== undefined)
          requireNoNewcomers(account, snapshot.profilesOf(idOf(account)), plannedUsers);
        if (options.allowNonempty !== true) await requireEmpty(prune, writeTarget, snapshot, going);
        return [];
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        return [[prune, error]];
      }
    }),
  );
  return new Map(refusals.flat());
}

/** Another stack may have been applied since the plan. */
function requireNotDeclared({ change, target }: Prune, declaredElsewhere: DeclaredElsewhere): void {
  const { observedRecord, description, key, title } = change;
  const declaration = declaredElsewhere(target, { key, id: observedRecord.id });
  if (declaration === undefined) return;
  throw movedOn.error({ noun: description.noun, key: title, what: declaration.clause });
}

/** A record of which only the sequence number changed has the same plan. */
function requireSameRecord({ change }: Prune, inventory: Inventory, self: CommonRecord | undefined): void {
  // A record that is no longer listed is read by its id before it counts as gone.
  if (self === undefined) return;
  const { observedRecord, description, title, before } = change;
  const what = differenceSince({ inventory, description }, { self }, before, observedRecord);
  if (what !== undefined) throw movedOn.error({ noun: description.noun, key: title, what });
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
  const contents = await resource.container?.contentsOf(connection, change.observedRecord.id, snapshot);
  const findings = contents === undefined ? [] : [...contents.storage, ...usersStaying(contents, going)];
  if (findings.length > 0) throw accountNotEmpty.error({ name: change.title, findings });
}

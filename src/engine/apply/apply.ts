/** Applies a plan: creates and updates in the order of their dependencies, then deletes if all of those succeeded. */
import type { TokenIdentity } from "../../credentials";
import {
  type ApplyResult,
  type ApprovalLevel,
  type Change,
  grantedBeyond,
  hasChanges,
  type OutputChange,
} from "../../plan";
import {
  absentStore,
  asWarning,
  type Finding,
  grantedMore,
  movedOn,
  placed,
  whereaboutsOf,
  plannedFromSnapshot,
  PlanRefused,
  unrevokedToken,
  type Location,
} from "../../problems";
import { grantedIn, type Outcome } from "../../resources";
import type { Block } from "../../stack";
import { groupedBy } from "../../lib/values";
import { tokenKey } from "../diff/token";
import { possiblyIssuedTokens, mayBeIssuedAlready } from "../possibly-issued-tokens";
import {
  hasSomethingToNote,
  noteIntended,
  noteRecorded,
  noteUntouched,
  noteUnwritten,
} from "../drift/memory";
import { stateValue } from "../evaluate/workspace";
import { updatePasswordOf } from "../diff/passwords";
import type { ApplyOptions } from "../options";
import type { PlannedRun } from "../plan";
import { type WriteTarget, writeTargetFor, type WriteTargets, type PlannedObject } from "../stages";
import { identityOf, lockOptionsOf, noteAccepted, noteEnded, revokeNoted, tokenKeeper } from "../store";
import { pruneAll } from "./delete";
import { forgetReplacedPassword, StoredTokenCheck, takeAwayLeftPasswords } from "./passwords";
import { diagnose, type Done, Progress } from "./progress";
import { schedule, type Task } from "./schedule";
import { Values } from "./values";
import { writeObject } from "./write";

const DEFAULT_PARALLELISM = 10;

/** @throws TenancyError where nothing was begun */
export async function applyRun(planned: PlannedRun, options: ApplyOptions): Promise<ApplyResult> {
  const { run, plan, options: planning } = planned;
  if (plan.takenAt !== undefined) throw plannedFromSnapshot.error(plan.takenAt);
  if (plan.notVerified !== undefined && plan.notVerified.length > 0) throw new PlanRefused(plan.notVerified);
  const progress = new Progress(options.onEvent, planning.reader, planned.walked.hide);
  if (!isWork(planned)) {
    if (hasSomethingToNote(planned, run.opened)) await saveNotes(planned, progress);
    const result = progress.result(plan.outputs);
    progress.throwIfOutputLost();
    return result;
  }
  const signals = [options.signal ?? planning.signal, progress.outputLost];
  const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
  run.services.shield();
  await run.store.lock(lockOptionsOf(planned.options));
  try {
    const outputs = await carryOut(planned, {
      progress,
      signal,
      level: options.requireApproval ?? "never",
    });
    await releaseLock(planned, progress);
    const result = progress.result(outputs);
    progress.throwIfOutputLost();
    return result;
  } finally {
    // The error that ended the run is reported, and not that the lock could not be released besides.
    await run.store.unlock().catch(() => undefined);
  }
}

/** An apply without changes notes what it leaves. It has nothing to lose where the store cannot be written. */
async function saveNotes(planned: PlannedRun, progress: Progress): Promise<void> {
  const { run } = planned;
  try {
    await run.store.lock(lockOptionsOf(planned.options));
    try {
      const writeTargets = await run.writeTargets();
      await makeStore(planned, writeTargets);
      noteUntouched(planned, writeTargets);
      await run.store.save();
    } finally {
      await run.store.unlock();
    }
  } catch (error) {
    progress.noteWarning(error);
  }
}

interface Carrying {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly level: ApprovalLevel;
}

/** @returns the outputs, as they are now */
async function carryOut(
  planned: PlannedRun,
  { progress, signal, level }: Carrying,
): Promise<readonly OutputChange[]> {
  const { run, plan, options } = planned;
  const writeTargets = await run.writeTargets();
  await makeStore(planned, writeTargets);
  const values = new Values(planned, writeTargets);
  const concurrency = options.parallelism ?? DEFAULT_PARALLELISM;
  const keptTokens = new StoredTokenCheck(planned, writeTargets, progress);
  const applier = new Applier(planned, writeTargets, values, progress, keptTokens, level);
  await schedule(tasksOf(planned, applier, values, progress), concurrency, signal);
  if (await keptTokens.tryAll()) await saveStore(planned, progress);
  if (planned.prunes.length > 0) await pruneAll(planned, { writeTargets, progress, concurrency, signal });
  if (progress.isFlawless) await revokeLeftovers(writeTargets.values(), progress);
  const changedUsers = signal.aborted
    ? []
    : await takeAwayLeftPasswords(planned, { writeTargets, progress, keptTokens });
  noteNotTried(planned, writeTargets, progress);
  noteUntouched(planned, writeTargets, changedUsers);
  if (options.verifyTokens === true)
    for (const writeTarget of writeTargets.values()) noteAccepted(writeTarget);
  await saveStore(planned, progress);
  // An object that failed or was deleted has no outputs that a reader could rely on.
  if (!progress.isFlawless || plan.destroy) return [];
  return values.outputs((error, block) => progress.noteError(error, whereaboutsOf(block)));
}

/** The changes are made even if the lock cannot be released. The lock ends by itself, and others wait until then. */
async function releaseLock({ run }: PlannedRun, progress: Progress): Promise<void> {
  try {
    await run.store.unlock();
  } catch (error) {
    progress.noteWarning(error);
  }
}

/** Noted before the first write, so that a run that is killed afterwards needs no decision from the next one. */
async function makeStore(planned: PlannedRun, writeTargets: WriteTargets): Promise<void> {
  const { run, walked } = planned;
  const missing = [...writeTargets.values()].filter(({ ledger }) => !ledger.exists);
  for (const { ledger, target } of missing) ledger.make(possiblyIssuedTokens(target, walked));
  noteIntended(planned, writeTargets);
  // Saves nothing where nothing was noted.
  await run.store.save();
}

/** Objects that the run did not reach are unchanged, so they are no longer pending. */
function noteNotTried(
  { objects, prunes }: PlannedRun,
  writeTargets: WriteTargets,
  { notTried }: Progress,
): void {
  const left = new Set(notTried);
  for (const object of [...objects, ...prunes])
    if (left.has(object.change))
      noteUnwritten(object, writeTargetFor(writeTargets, object.change.provider).ledger);
}

/** Whether there is anything to write, be it to the service or to the store, or a token to be checked. */
function isWork({ plan, objects, run }: PlannedRun): boolean {
  if (hasChanges(plan) || run.store.isToBeEncrypted) return true;
  if (objects.some(({ recorded, resource }) => recorded.length > 0 || resource.kind === "token")) return true;
  return [...run.opened.values()].some(
    ({ target: { ledger } }) =>
      ledger.failedRevocations.list().length + ledger.ephemeralPasswords.list().length > 0,
  );
}

/** The changes are made even if the store cannot note them. */
async function saveStore({ run }: PlannedRun, progress: Progress): Promise<void> {
  try {
    await run.store.save();
  } catch (error) {
    progress.noteError(error, {});
  }
}

/** Does what is planned for one declared object. */
class Applier {
  constructor(
    private readonly planned: PlannedRun,
    private readonly writeTargets: WriteTargets,
    private readonly values: Values,
    private readonly progress: Progress,
    private readonly keptTokens: StoredTokenCheck,
    private readonly level: ApprovalLevel,
  ) {}

  /** @returns whether it succeeded; what failed is in the progress */
  async apply(object: PlannedObject): Promise<boolean> {
    const { change, block, instance } = object;
    const where = whereaboutsOf(block, instance.address);
    const operation = change.action === "create" ? "create" : "update";
    this.keptTokens.noteReached(object);
    try {
      await this.#requireGoodToken(object, where);
      if (change.action === "none") {
        await this.#record(object);
        return true;
      }
    } catch (error) {
      return this.progress.fail(change, operation, diagnose(error, where));
    }
    const act = () => this.#write(object, where);
    return this.progress.operation(change, operation, act, (error) => diagnose(error, where));
  }

  async #write(object: PlannedObject, where: Location): Promise<Done> {
    const { workspace, plan, run } = this.planned;
    const { resource, sensitive } = object;
    const writeTarget = writeTargetFor(this.writeTargets, object.change.provider);
    const outcome = await writeObject(object, {
      writeTarget,
      keeper: tokenKeeper({
        store: run.store,
        ledger: writeTarget.ledger,
        now: writeTarget.connection.now,
        snapshot: writeTarget.target.snapshot,
        sensitive: object.sensitive,
        rotation: object.rotation,
        demand: (token) => this.#demandMintable(token, writeTarget),
      }),
      failedBefore: () => this.values.failedBefore(object),
      workspace,
      noteSecrets: this.planned.walked.noteSecrets,
      surroundings: this.values.surroundingsOf(object),
      plannedAt: new Date(plan.plannedAt),
      save: () => run.store.save(),
    });
    this.keptTokens.noteWritten(object);
    forgetReplacedPassword(object, outcome, this.writeTargets);
    // A secret that is not kept is lost, so a token is saved to disk before anything else happens.
    if (resource.kind === "token") await run.store.save();
    this.values.note(object, outcome.state);
    const { id } = outcome.state;
    const self = () => stateValue(outcome.state, { description: resource.description, sensitive });
    return {
      id: typeof id === "string" ? id : undefined,
      findings: [
        ...placed([...outcome.findings, ...this.#grantedMore(object, outcome)], where),
        ...this.values.failedAfter(object, self),
      ],
    };
  }

  /** The approval covers only what the plan showed. */
  #grantedMore({ resource, change }: PlannedObject, { records }: Outcome): readonly Finding[] {
    const { kind, inventory, description } = resource;
    if (this.level === "never" || change.action !== "create") return [];
    if (kind === "token" || records === undefined) return [];
    const live = inventory.stateOf(records, null);
    const more = grantedBeyond(change, live, grantedIn(description.attributes, records));
    return more.length === 0 ? [] : [grantedMore.at({ noun: description.noun, key: change.title, more })];
  }

  /** A login that the plan did not know is judged now. */
  #demandMintable(token: TokenIdentity, { ledger, target: { snapshot } }: WriteTarget): void {
    const { run, options } = this.planned;
    if (options.initStore === true || !mayBeIssuedAlready({ ledger, snapshot }, token)) return;
    throw absentStore.error({ store: run.store.description, part: ledger, tokens: [tokenKey(token)] });
  }

  /** Values that the plan took as declared because nothing was remembered of them. */
  async #record({ recorded, remembered, change, config }: PlannedObject): Promise<void> {
    if (recorded.length === 0 || remembered === undefined) return;
    await noteRecorded(
      writeTargetFor(this.writeTargets, change.provider).ledger,
      remembered,
      recorded,
      config,
    );
  }

  /**
   * The plan trusted the store's tokens. If one has gone since, the plan that was shown no longer holds. The same holds if the plan has
   * tried the tokens and the user's password has changed since: a service may revoke tokens with it.
   */
  async #requireGoodToken(object: PlannedObject, where: Location): Promise<void> {
    const { resource, change, rotation, target } = object;
    if (resource.kind === "record" || change.before === null || rotation !== undefined) return;
    const isVerified = this.planned.options.verifyTokens === true;
    if (isVerified && !updatePasswordOf(identityOf(change.before).login, target, this.planned.objects))
      return;
    const { connection, ledger } = writeTargetFor(this.writeTargets, change.provider);
    const outcome = await resource.read(connection, change.before);
    if (outcome?.state["serial"] !== change.before["serial"]) {
      noteEnded(ledger, { before: change.before, left: outcome?.state }, connection.now());
      await this.planned.run.store.save();
      throw movedOn.error(
        { noun: "token", key: change.title, what: "the service refuses it" },
        { advice: () => "Run again: then a new one is created." },
      );
    }
    for (const finding of placed(outcome?.findings ?? [], where)) this.progress.note(finding);
  }
}

// Tasks: one for each created or updated object, and one for each block, which ends after its objects.

/** Blocks without a task count as done: most blocks of a large stack do not change. */
function tasksOf(
  { objects, stack, walked }: PlannedRun,
  applier: Applier,
  values: Values,
  progress: Progress,
): readonly Task[] {
  const byBlock = groupedBy<PlannedObject, Block>(objects.filter(hasWork), ({ block }) => block);
  const users = usersByLogin(byBlock);
  return stack.blocks.flatMap((block): Task[] => {
    const atWork = byBlock.get(block) ?? [];
    if (atWork.length === 0 && !walked.changing.has(block.address)) return [];
    const before = block.dependencies.map(blockTask);
    const tasks = atWork.map((object): Task => ({
      id: object.instance.address,
      after: [...before, ...userOf(object, users)],
      run: () => applier.apply(object),
      skip: (because) => skip(object.change, because, progress),
    }));
    const end: Task = {
      id: blockTask(block.address),
      after: [...before, ...atWork.map(({ instance }) => instance.address)],
      run: () => finish(block, values, progress),
      skip: () => undefined,
    };
    return [...tasks, end];
  });
}

/** Something to send, to note, or to check: tokens are checked one by one. */
function hasWork({ change, recorded, resource }: PlannedObject): boolean {
  return change.action !== "none" || recorded.length > 0 || resource.kind === "token";
}

async function finish(block: Block, values: Values, progress: Progress): Promise<boolean> {
  try {
    await values.finish(block);
    return true;
  } catch (error) {
    progress.noteError(error, whereaboutsOf(block));
    return false;
  }
}

function blockTask(address: string): string {
  return `block ${address}`;
}

function skip(change: Change, because: "failed" | "stopped", progress: Progress): void {
  if (change.action === "none") return;
  progress.skip(change, because === "failed" ? "something that it depends on failed" : "the run was stopped");
}

/** A token waits for the declared account or user of its login, even if it does not refer to it. */
function usersByLogin(byBlock: ReadonlyMap<Block, readonly PlannedObject[]>): ReadonlyMap<string, string> {
  const users = new Map<string, string>();
  for (const { change, instance, resource, target } of [...byBlock.values()].flat())
    if (resource.kind === "record") users.set(`${target.origin} ${change.key}`, instance.address);
  return users;
}

function userOf(
  { resource, change, target, config }: PlannedObject,
  users: ReadonlyMap<string, string>,
): readonly string[] {
  if (resource.kind === "record") return [];
  const login = change.key.slice(0, -`/${identityOf(config).name}`.length);
  const address = users.get(`${target.origin} ${login}`);
  return address === undefined ? [] : [address];
}

// Unfinished revocations of this run or an earlier one: tried again until the tokens are proven to have ended.

/** Leftovers of an earlier run are warnings; what this run had to revoke, and did not, is an error. */
async function revokeLeftovers(writeTargets: Iterable<WriteTarget>, progress: Progress): Promise<void> {
  for (const { connection, ledger, target } of writeTargets) {
    const earlier = new Set(target.ledger.failedRevocations.list().map(({ serial }) => serial));
    await revokeNoted(connection, ledger, ledger.failedRevocations.list());
    for (const { login, name, serial } of ledger.failedRevocations.list()) {
      const error = unrevokedToken.error({ login, name, serial });
      const findings = earlier.has(serial) ? asWarning(error) : error.toFindings();
      findings.forEach((one) => progress.note(one));
    }
  }
}

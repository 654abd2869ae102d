/**
 * Keeps the state on a branch of a remote. A run records its progress there: *begin* is the lock, *intents* comes before the first write to
 * the service, *end* comes last. Each is a pushed version, so every other clone sees the state of a killed run.
 */
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  cancelled,
  stateGitFailed,
  stateLocked,
  stateLockLost,
  stateMoved,
  type LockHolder,
} from "../problems";
import { type Environment, type ObjectValue, parseJson, stringifyJson } from "../lib/values";
import { type Backend, DEFAULT_WAIT, type KeptText, type LockWait } from "./backend";
import { type BoundSealer, digestOfText, type SealedFacts } from "./bound-sealer";
import type { BranchHead, BranchVersion, GitBranch, KnownVersion, NewContents } from "./git-branch";
import { joinedFiles, splitDocument } from "./split-document";

const POLL_MS = 2_000;

/** Other clones may have seen higher sequences than this one, of versions that no longer exist: an accepted version lies above them. */
const ACCEPTED_LEAP = 1_000;

interface GitBackendOptions {
  readonly branch: GitBranch;
  readonly sealer: BoundSealer;
  /** Id of this run. */
  readonly run: string;
  /** Names the run of the pipeline that the command works in. */
  readonly environment: Environment;
  /** Called where the remote cannot be asked, with the time of the copy that is read in its place, ISO 8601. */
  readonly onCopy?: ((at: string) => void) | undefined;
  readonly poll?: number;
}

export interface BranchStatus {
  readonly facts: SealedFacts;
  /** The run that holds the state. */
  readonly holder: LockHolder | undefined;
  /** Bytes of all versions; undefined if git does not know. */
  readonly historySize: number | undefined;
}

/** The files of a version, opened. */
interface BranchContents {
  readonly secrets: ObjectValue | undefined;
  readonly objects: ObjectValue;
}

export class GitBackend implements Backend {
  readonly description: string;
  readonly seals = true;
  /** The commit that a successful apply notes. */
  commit: string | undefined;
  readonly #options: GitBackendOptions;
  #sealer: BoundSealer;
  /** The version that this run has read under its lock, or pushed. */
  #version: BranchVersion | undefined;
  #contents: BranchContents = { secrets: undefined, objects: {} };
  #since = "";
  /** The branch that takes this run's versions, once that of the state has moved. */
  #conflict: string | undefined;
  /** True if the key has changed, so that the next write seals every file. */
  #sealsAnew = false;
  /** True if the last write failed: then the run must not end as if all were kept. */
  #isUnsaved = false;

  constructor(options: GitBackendOptions) {
    this.#options = options;
    this.#sealer = options.sealer;
    this.description = options.branch.description;
  }

  slotOf(): string {
    return "";
  }

  async read(): Promise<KeptText | undefined> {
    const version = this.#version ?? (await this.#look());
    const contents = await this.#contentsOf(version);
    if (this.#version !== undefined) this.#contents = contents;
    const { secrets, objects } = contents;
    if (secrets === undefined) return undefined;
    return { text: stringifyJson(joinedFiles(secrets, objects)), demandPrivate: () => undefined };
  }

  /** @param moment `first`: a version is pushed in any case. `last`: the run ends with this version, and the entries of objects are written, too */
  async write(_part: unknown, text: string, moment?: "first" | "last"): Promise<void> {
    const isLast = moment === "last";
    if (this.#version === undefined) throw stateLockLost.error(this.description);
    const document = parseJson(text) as ObjectValue;
    const { secrets, objects } = splitDocument(document, isLast ? undefined : this.#contents.objects);
    const areObjectsNew = this.#sealsAnew || !isDeepStrictEqual(objects, this.#contents.objects);
    const areSecretsNew = this.#sealsAnew || !isDeepStrictEqual(secrets, this.#contents.secrets);
    if (moment === undefined && !areSecretsNew) return;
    this.#isUnsaved = true;
    await this.#push(isLast ? "end" : "intents", {
      ...(areSecretsNew && { secrets }),
      ...(areObjectsNew && { objects }),
    });
    this.#isUnsaved = false;
    this.#sealsAnew = false;
    this.#contents = { secrets, objects };
    if (isLast) this.#end();
  }

  /** @throws stateLocked, stateGitFailed, and as reading does */
  async lock({ timeout = DEFAULT_WAIT, onWait, signal }: LockWait): Promise<void> {
    const { branch, run, poll = POLL_MS } = this.#options;
    const begin = performance.now();
    for (let isWaiting = false; ;) {
      const version = await branch.look(this.#sealer);
      const holder = runHolding(version);
      if (holder === undefined) {
        this.#since = new Date().toISOString();
        const next = await branch.next(version, this.#named("begin"), {}, this.#sealer);
        if (await branch.push(next, version)) {
          this.#version = next;
          this.#contents = await this.#contentsOf(next);
          this.#conflict = undefined;
          this.#isUnsaved = false;
          return;
        }
        // Another run was faster: the next look shows who.
        if (performance.now() - begin < timeout) continue;
      }
      const other = holder ?? { run };
      if (performance.now() - begin >= timeout)
        throw stateLocked.error({ state: this.description, holder: other });
      if (signal?.aborted === true) throw cancelled.error("waiting for the state");
      if (!isWaiting) onWait?.(other);
      isWaiting = true;
      await sleep(poll, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }

  async unlock(): Promise<void> {
    if (this.#version === undefined) return;
    try {
      // The branch must not say that a run has ended of which something was not kept.
      if (this.#isUnsaved)
        throw stateGitFailed.error({
          state: this.description,
          task: "push",
          words: "what this run did last",
          run: this.#options.run,
        });
      await this.#push("end", {});
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#version = undefined;
  }

  async #look(): Promise<BranchVersion> {
    const { branch, onCopy } = this.#options;
    try {
      return await branch.look(this.#sealer);
    } catch (error) {
      if (!stateGitFailed.is(error)) throw error;
      const copy = await branch.copy(this.#sealer);
      if (copy === undefined) throw error;
      onCopy?.(copy.at);
      return copy.version;
    }
  }

  async #contentsOf(version: BranchVersion): Promise<BranchContents> {
    const { branch } = this.#options;
    const secrets = await branch.contents(version, "secrets", this.#sealer);
    return { secrets, objects: (await branch.contents(version, "objects", this.#sealer)) ?? {} };
  }

  /** @throws stateMoved, stateGitFailed */
  async #push(phase: string, contents: NewContents): Promise<void> {
    const { branch, run } = this.#options;
    const before = this.#version;
    if (before === undefined) throw stateLockLost.error(this.description);
    const hasWritten = before.head.run.phase === "intents";
    const commit = phase === "end" ? this.commit : undefined;
    const next = await branch.next(before, this.#named(phase), contents, this.#sealer, {
      ...(commit && { commit }),
    });
    if (this.#conflict === undefined && (await branch.push(next, before))) {
      this.#version = next;
      return;
    }
    // The branch has moved. A later version that contains this run's last version loses nothing.
    const isNothingNew = Object.keys(contents).length === 0;
    if (this.#conflict === undefined && isNothingNew && (await branch.holds(before))) return;
    const facts = { state: this.description, run, branch: branch.name, remote: branch.remote };
    if (!hasWritten && this.#conflict === undefined) {
      this.#end();
      throw stateMoved.error({ ...facts, conflictBranch: undefined });
    }
    this.#conflict = branch.conflictBranch(run);
    await branch.push(next, before, this.#conflict);
    this.#version = next;
    this.#isUnsaved = false;
    if (phase !== "end") return;
    this.#end();
    throw stateMoved.error({ ...facts, conflictBranch: this.#conflict });
  }

  #named(phase: string): BranchHead["run"] {
    const { run, environment } = this.#options;
    const pipeline = pipelineOf(environment);
    const facts = { id: run, phase, host: hostname(), pid: process.pid, since: this.#since };
    return pipeline === undefined ? facts : { ...facts, pipeline };
  }

  // By hand, outside of a run.

  /** The version at the tip, opened and checked, as other programs know it. */
  async knownVersion(): Promise<KnownVersion> {
    const { facts, headText } = await this.#look();
    return { sequence: facts.sequence, digest: digestOfText(headText) };
  }

  /** Names of the stacks whose states are next to this one. */
  async stacks(): Promise<readonly string[]> {
    return this.#options.branch.stacks();
  }

  async status(): Promise<BranchStatus> {
    const version = await this.#look();
    const historySize = await this.#options.branch.historySize(version);
    return { facts: version.facts, holder: runHolding(version), historySize };
  }

  /**
   * Makes the branch.
   * @returns false if it exists already
   * @throws stateReplayed if this clone has seen it before
   */
  async init(): Promise<boolean> {
    const { branch } = this.#options;
    if ((await branch.fetchTip()) !== undefined) return false;
    if (await branch.wasSeen()) await branch.look(this.#sealer);
    this.#since = new Date().toISOString();
    const first = await branch.next(undefined, this.#named("end"), {}, this.#sealer);
    return branch.push(first, undefined);
  }

  /** Takes over the version at the tip, though it is an earlier one. @returns its sequence, and that of the version made of it */
  async accept(): Promise<{ readonly accepted: number; readonly sequence: number }> {
    const { branch } = this.#options;
    const tip = await branch.fetchTip();
    const version =
      tip === undefined ? await branch.look(this.#sealer) : await branch.open(tip, this.#sealer);
    const sequence = (await branch.highestSequence(version)) + ACCEPTED_LEAP;
    this.#since = new Date().toISOString();
    const next = await branch.next(version, this.#named("end"), {}, this.#sealer, {
      restoredSequence: sequence,
    });
    if (!(await branch.push(next, version))) throw stateLockLost.error(this.description);
    return { accepted: version.facts.sequence, sequence };
  }

  /** Ends a run that died. @returns the run that holds the state; undefined if none does */
  async endRun(id: string): Promise<LockHolder | undefined> {
    const { branch } = this.#options;
    const version = await branch.look(this.#sealer);
    const holder = runHolding(version);
    if (holder?.run !== id) return holder;
    const next = await branch.next(version, { ...version.head.run, phase: "end" }, {}, this.#sealer);
    if (!(await branch.push(next, version))) throw stateLockLost.error(this.description);
    return holder;
  }

  /** From now on everything is sealed with another key. The next write seals all files again. */
  changeSealer(sealer: BoundSealer): void {
    this.#sealer = sealer;
    this.#sealsAnew = true;
  }
}

/**
 * The pipeline that a command runs in: its host, its run, and a number that grows from one attempt of this run to the next, as in `github 7103 2`.
 * @returns undefined outside of one
 */
export function pipelineOf(environment: Environment): string | undefined {
  const { GITHUB_RUN_ID: github = "", GITHUB_RUN_ATTEMPT: attempt = "1" } = environment;
  const { CI_PIPELINE_ID: gitlab = "", CI_JOB_ID: job = "0" } = environment;
  if (github !== "") return `github ${github} ${attempt}`;
  return gitlab === "" ? undefined : `gitlab ${gitlab} ${job}`;
}

/** The run that holds the state; undefined if the last one has ended. */
function runHolding({ head: { run } }: BranchVersion): LockHolder | undefined {
  if (run.phase === "end") return undefined;
  return {
    run: run.id,
    host: run.host,
    pid: Number(run.pid),
    since: run.since,
    ...(run.pipeline !== undefined && { pipeline: run.pipeline }),
  };
}

/**
 * Runs of the built command, in processes that are really killed. Where nothing happens to the process, most runs are in this one, with the
 * same bundle: to start one takes longer than what it does.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { main, type LoadVerbs } from "../../../src/cli/main";
import { COMMAND } from "../../support/built-command";
import { STACK } from "../../support/synthesized-app";
import type { Listed, Outcome } from "../invariants/invariant";
import { filesOf, neededPairsIn } from "../model/approval";
import type { Flags } from "../model/history";
import { synthesize } from "../model/synthesize";
import { readState } from "../world/kept-state";
import type { World } from "../world/world";
import { plannedAction, toldIn } from "./json-events";
import { startProcess, type ProcessEnd, type ProcessOptions, type ProcessRun } from "./process-run";
import type { Job, Project, Runner } from "./runner";

/** One run in so many is in a process even if nothing happens to it. */
const PROCESS_EVERY = 4;

export const commandRunner: Runner = {
  engine: "embedded",
  maxSteps: 3,
  open: async (world) => new CommandProject(world),
};

class CommandProject implements Project {
  readonly #folder: string;
  readonly #world: World;
  #files = 0;

  constructor(world: World) {
    this.#world = world;
    this.#folder = world.newFolder();
    mkdirSync(this.#folder);
    writeFileSync(join(this.#folder, "cdktf.json"), JSON.stringify({ language: "typescript", app: "false" }));
  }

  get remembered() {
    return readState(this.#world.stateFile, this.#world.origin);
  }

  forget(): void {
    rmSync(this.#world.stateFile, { force: true });
  }

  start(job: Job) {
    const world = this.#world;
    const variables = synthesize(join(this.#folder, "cdktf.out"), job.declaration, job.provider, world.live);
    const out = join(this.#folder, `plan-${this.#files++}.json`);
    const words = [...verbOf(job, out), "--skip-synth", "--state", world.stateFile, ...flagsOf(job)];
    this.#layOutApprovals(job);
    const options = {
      folder: this.#folder,
      environment: { PATH: process.env["PATH"], ...world.environment(job.baseUrl, variables) },
      reader: job.reader,
    };
    const needsProcess = job.mayBeKilled || job.reader !== undefined || this.#files % PROCESS_EVERY === 0;
    const { kill, ended } = needsProcess
      ? startProcess(process.execPath, [COMMAND, ...words], options)
      : runHere(words, options);
    return { kill, ended: ended.then((end) => outcomeOf(job, end, out, words)) };
  }

  #layOutApprovals({ approval }: Job): void {
    const folder = join(this.#folder, "approvals");
    rmSync(folder, { recursive: true, force: true });
    if (approval === undefined) return;
    mkdirSync(folder);
    for (const [name, text] of Object.entries(filesOf(approval))) writeFileSync(join(folder, name), text);
  }
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- the bundle, which is built before anything runs
const bundle: LoadVerbs = () => require(join(dirname(COMMAND), "verbs.js")) as ReturnType<LoadVerbs>;

/** Runs a verb in this process as the command's own process would. */
function runHere(words: readonly string[], { folder, environment }: ProcessOptions): ProcessRun {
  const output = { stdout: "", stderr: "" };
  const io = {
    stdout: { write: (text: string) => (output.stdout += text) },
    stderr: { write: (text: string) => (output.stderr += text) },
    stdin: new PassThrough(),
    environment,
    folder,
    onStop: () => () => undefined,
    exit: (code: number) => {
      throw new Error(`left at once with ${code}`);
    },
  };
  const ended = main(words, io, bundle).then((code) => ({ code, ...output }));
  return {
    kill: () => {
      throw new Error("what runs in this very process cannot be killed");
    },
    ended,
  };
}

/** Plans are printed for people and applies for programs, so that both kinds of output are looked at. */
function verbOf({ verb, file = "", flags }: Job, out: string): readonly string[] {
  switch (verb) {
    case "plan":
      return ["plan", STACK, "--out", out];
    case "apply FILE":
      return ["apply", file, "--json"];
    default:
      return [flags.recover ? "recover" : verb, STACK, "--yes", "--json"];
  }
}

function flagsOf({
  flags,
  parallelism,
  approval,
}: Pick<Job, "flags" | "parallelism" | "approval">): readonly string[] {
  const words: Readonly<Record<Exclude<keyof Flags, "maxDeletes" | "recover">, string>> = {
    allowAccountDeletion: "--allow-account-deletion",
    allowNonempty: "--allow-nonempty",
    allowSelfChange: "--allow-self-change",
    retireEarly: "--retire-early",
    resetPasswords: "--reset-passwords",
    initState: "--init-state",
    verifyTokens: "--verify-tokens",
  };
  return [
    ...Object.entries(words).flatMap(([name, word]) => (flags[name as keyof typeof words] ? [word] : [])),
    ...(approval === undefined ? [] : ["--require-approval", approval.level]),
    ...(flags.maxDeletes === undefined ? [] : ["--max-deletes", String(flags.maxDeletes)]),
    "--parallelism",
    String(parallelism),
  ];
}

function outcomeOf({ verb, reader }: Job, end: ProcessEnd, out: string, words: readonly string[]): Outcome {
  const { stdout, stderr } = end;
  const output = [words.join(" "), stdout, stderr];
  if (verb === "plan") {
    const saved = existsSync(out) ? readFileSync(out, "utf8") : undefined;
    return {
      end: endOf(end, false),
      ...(reader && { isUnread: true }),
      codes: [...stderr.matchAll(/^Error (TENANCY_[A-Z_]+)/gm)].map(([, code = ""]) => code),
      failures: [],
      ...(end.code === 0 && saved !== undefined ? savedPlan(saved) : { planned: [], listed: [] }),
      printed: saved === undefined ? output : [...output, saved],
      ...(end.code === 0 && saved !== undefined && { file: out, neededPairs: neededPairsIn(saved) }),
    };
  }
  const { isBegun, ...rest } = toldIn(stdout);
  // If nobody reads a run's output, nobody knows whether the run began.
  return {
    end: endOf(end, isBegun || reader !== undefined),
    printed: output,
    ...rest,
    ...(reader && { isUnread: true }),
  };
}

/** The exit code where a line of the plan lacks approval: nothing was written. */
const UNAPPROVED = 3;

/** No output may hold a stack trace. */
const TRACE = /^\s+at .+:\d+:\d+\)?$/m;

function endOf({ code, stdout, stderr }: ProcessEnd, isBegun: boolean): Outcome["end"] {
  if (code === null) return "killed";
  if (code === UNAPPROVED && !TRACE.test(stdout + stderr)) return "refused";
  if ((code !== 0 && code !== 1) || TRACE.test(stdout + stderr)) return "crashed";
  if (code === 0) return "ok";
  return isBegun ? "failed" : "refused";
}

interface SavedChange {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after?: Readonly<Record<string, unknown>> | null;
  };
}

function savedPlan(saved: string): Pick<Outcome, "planned" | "listed"> {
  const { resource_changes: changes, tenancy } = JSON.parse(saved) as {
    readonly resource_changes: readonly SavedChange[];
    readonly tenancy: { readonly deleted_with_account: readonly Omit<Listed, "action">[] };
  };
  const planned = actionsIn(changes);
  return {
    planned,
    listed: [...planned, ...tenancy.deleted_with_account.map((one) => ({ ...one, action: "delete" }))],
  };
}

function actionsIn(changes: readonly SavedChange[]): Outcome["planned"] {
  return changes.map(({ address, change: { actions, before, after } }) => {
    const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    // A member that is not managed may change without any harm to the plan.
    const differences = [...names]
      .filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
      .map((name) => [name, before?.[name], after?.[name]]);
    const action = actions.length === 2 ? "replace" : (actions[0] ?? "").replace("no-op", "none");
    return plannedAction(address, action, [
      before?.["id"],
      before?.["uuid"],
      action === "delete" ? [] : differences,
    ]);
  });
}

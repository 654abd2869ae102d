/**
 * Runs the workflows of `tenancy ci init` as GitHub would: job after job, step after step, each `run:` in bash, in a clone of a bare repository. GitHub
 * itself cannot be had in a test: its actions and expressions are imitated here, its API by test/support/github-api.ts, and `gh` by test/support/fake-gh.mjs.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { GITHUB_TOKEN, GithubApi, type GithubPull, type GithubRun } from "./github-api";
import { type Context, filledIn, isTrue } from "./workflow-expressions";

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly "working-directory"?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly strategy?: {
    readonly "fail-fast"?: boolean;
    readonly matrix: Readonly<Record<string, readonly string[]>>;
  };
  readonly env?: Readonly<Record<string, string>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly name: string;
  readonly permissions?: unknown;
  readonly concurrency?: Readonly<Record<string, unknown>>;
  readonly defaults?: { readonly run?: { readonly shell?: string; readonly "working-directory"?: string } };
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Ran {
  readonly run: GithubRun;
  /** `success`, `failure` or `skipped`, by job. */
  readonly jobs: Readonly<Record<string, string>>;
  /** All that was printed, and a line for each step that failed. */
  readonly log: string;
}

/** What `gh` notes, and what it is told of (test/support/fake-gh.mjs). */
interface DeskState {
  pulls: GithubPull[];
  /** By name, with the branches that they are open to. */
  environments: Record<string, { branches: string[] }>;
  /** By environment and name, as `gh secret set` and `gh variable set` have set them. */
  secrets: Record<string, Record<string, string>>;
  variables: Record<string, Record<string, string>>;
  /** Likewise: what somebody types when `gh secret set` asks for it. */
  typed: Record<string, Record<string, string>>;
  visibility?: string;
  protection?: object;
  ruleset?: object;
}

export class PipelineHost {
  readonly #folder: string;
  /** By environment, and by name. */
  readonly secrets: Record<string, Record<string, string>> = {};
  /** Likewise; those of the repository stand under an empty name. */
  readonly variables: Record<string, Record<string, string>> = {};
  /** What the names of the project's workflows begin with. */
  prefix = "";
  /** Called with each command, before it is run. */
  beforeStep: (command: string, environment: Readonly<Record<string, string>>) => void = () => undefined;

  private constructor(
    folder: string,
    readonly api: GithubApi,
    readonly machine: Readonly<Record<string, string>>,
  ) {
    this.#folder = folder;
    mkdirSync(join(folder, "host", "acme"), { recursive: true });
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "home"));
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", this.repository]);
    copyFileSync(join(__dirname, "fake-gh.mjs"), join(folder, "bin", "gh"));
    chmodSync(join(folder, "bin", "gh"), 0o755);
    this.#write({ pulls: [], environments: {}, secrets: {}, variables: {}, typed: {} });
  }

  /** @param machine what every job finds in its environment, such as the registry of npm */
  static async start(folder: string, machine: Readonly<Record<string, string>> = {}): Promise<PipelineHost> {
    return new PipelineHost(folder, await GithubApi.start(), machine);
  }

  close(): Promise<void> {
    return this.api.close();
  }

  /** What a shell finds in its environment at the desk of somebody who works with the repository. */
  get desk(): Readonly<Record<string, string>> {
    const names = Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) => [
        [`GIT_${role}_NAME`, "jane"],
        [`GIT_${role}_EMAIL`, "jane@acme.example"],
      ]),
    );
    return {
      ...this.machine,
      ...names,
      PATH: `${join(this.#folder, "bin")}:${process.env["PATH"]}`,
      FAKE_GH_STATE: this.#folder,
      FAKE_GH_API: this.api.url,
      FAKE_GH_API_TOKEN: GITHUB_TOKEN,
      FAKE_GH_MODULES: __filename,
      GH_TOKEN: "gho_token_of_jane",
    };
  }

  get repository(): string {
    return join(this.#folder, "host", "acme", "platform");
  }

  get state(): DeskState {
    return JSON.parse(readFileSync(join(this.#folder, "state.json"), "utf8")) as DeskState;
  }

  change(edit: (state: DeskState) => void): void {
    const state = this.state;
    edit(state);
    this.#write(state);
  }

  #write(state: DeskState): void {
    writeFileSync(join(this.#folder, "state.json"), JSON.stringify(state));
  }

  /** Runs the jobs of a pull request with this head, and then the review of it. */
  async reviewed(sha: string): Promise<{ own: Ran; review: Ran }> {
    const isHere = (one: GithubPull) => one.head.sha === sha;
    const pull = this.api.pulls.find(isHere) ?? this.state.pulls.find(isHere);
    if (pull === undefined) throw new Error(`no pull request has the head ${sha}`);
    if (!this.api.pulls.includes(pull)) this.api.pulls.push(pull);
    const { number } = pull;
    const own = await this.run(`${this.prefix}tenancy-pull-request.yml`, this.#mergeRef(number, sha), {
      name: "pull_request",
      head: { sha, ref: pull.head.ref },
    });
    const review = await this.run(`${this.prefix}tenancy-review.yml`, this.main, {
      name: "workflow_run",
      payload: { workflow_run: { id: own.run.id, event: "pull_request" } },
    });
    return { own, review };
  }

  /** Makes the commit that the pull request would be merged as, which GitHub keeps at a ref of its own. */
  #mergeRef(number: number, sha: string): string {
    const git = (...words: readonly string[]) =>
      execFileSync(
        "git",
        ["-C", this.repository, "-c", "user.name=host", "-c", "user.email=host@localhost", ...words],
        {
          encoding: "utf8",
        },
      ).trim();
    const tree = git("merge-tree", "--write-tree", "main", sha);
    const merge = git("commit-tree", tree, "-p", "main", "-p", sha, "-m", `Merge ${sha}`);
    git("update-ref", `refs/pull/${number}/merge`, merge);
    return merge;
  }

  /** Runs what a push to the default branch starts. */
  pushed(): Promise<Ran> {
    return this.run(`${this.prefix}tenancy.yml`, this.main, { name: "push" });
  }

  nightly(): Promise<Ran> {
    return this.run(`${this.prefix}tenancy.yml`, this.main, { name: "schedule" });
  }

  /** The newest commit of the default branch. */
  get main(): string {
    return execFileSync("git", ["-C", this.repository, "rev-parse", "main"], { encoding: "utf8" }).trim();
  }

  /**
   * @param file of the workflow
   * @param sha the commit that is checked out, and whose workflow runs
   * @param event `again`: the run that is run again
   */
  async run(
    file: string,
    sha: string,
    event: {
      readonly name: string;
      readonly payload?: object;
      readonly head?: GithubPull["head"];
      readonly inputs?: Readonly<Record<string, string>>;
      readonly again?: GithubRun;
    },
  ): Promise<Ran> {
    const text = execFileSync("git", ["-C", this.repository, "show", `${sha}:.github/workflows/${file}`]);
    const workflow = parse(text.toString()) as Workflow;
    const { again = this.api.addRun({ file, event: event.name, head_sha: event.head?.sha ?? sha }) } = event;
    if (event.head !== undefined) again.head_branch = event.head.ref;
    const attempt = Object.keys(again.jobs).length + (event.again === undefined ? 0 : 1);
    const listed: GithubRun["jobs"][number] = [];
    again.jobs[attempt] = listed;
    Object.assign(again, { status: "in_progress", conclusion: null });
    const payload = { repository: { default_branch: "main" }, ...event.payload };
    const github = { token: GITHUB_TOKEN, event_name: event.name, ref: "refs/heads/main", event: payload };
    const context = { github, inputs: event.inputs ?? {}, vars: this.variables[""] ?? {} };
    const jobs: Record<string, string> = {};
    const needed: Record<string, { result: string }> = {};
    let log = "";
    for (const [key, job] of Object.entries(workflow.jobs)) {
      const needs = [job.needs ?? []].flat();
      const isReady = needs.every((other) => needed[other]?.result === "success");
      // A condition with a function about the outcome stands in for the usual one.
      const isAsked = /(always|cancelled|failure)\(\)/.test(job.if ?? "");
      const isWanted = (isReady || isAsked) && isTrue(job.if ?? "", { ...context, needs: needed });
      const copies = job.strategy?.matrix["stack"] ?? [""];
      needed[key] = { result: isWanted ? "success" : "skipped" };
      for (const stack of copies) {
        const name = stack === "" ? key : `${key} (${stack})`;
        const isStopped = needed[key].result === "failure" && job.strategy?.["fail-fast"] === true;
        if (!isWanted || isStopped) {
          jobs[name] = "skipped";
          continue;
        }
        const entry: (typeof listed)[number] = { name, status: "in_progress", conclusion: null };
        listed.push(entry);
        const facts = { run: again, attempt, name, sha, payload };
        const ran = await this.#job(job, workflow, facts, { ...context, matrix: { stack }, needs: needed });
        jobs[name] = ran.outcome;
        if (ran.outcome !== "success") needed[key].result = "failure";
        Object.assign(entry, { status: "completed", conclusion: ran.outcome });
        log += ran.log;
      }
    }
    const conclusion = Object.values(jobs).includes("failure") ? "failure" : "success";
    Object.assign(again, { status: "completed", conclusion });
    return { run: again, jobs, log };
  }

  async #job(
    job: Job,
    workflow: Workflow,
    { run, attempt, name, sha, payload }: JobFacts,
    outer: Context,
  ): Promise<{ outcome: string; log: string }> {
    const place = join(this.#folder, "work", String(run.id), String(attempt), name.replace(/\W+/g, "-"));
    const [workspace, temp, home] = ["workspace", "temp", "home"].map((part) => {
      mkdirSync(join(place, part), { recursive: true });
      return join(place, part);
    }) as [string, string, string];
    const environmentName = String(filledIn({ name: job.environment ?? "" }, outer)["name"]);
    const secrets =
      environmentName === ""
        ? {}
        : { ...this.secrets[environmentName], ...this.state.secrets[environmentName] };
    const vars = {
      ...(outer["vars"] as object),
      ...(environmentName === ""
        ? {}
        : { ...this.variables[environmentName], ...this.state.variables[environmentName] }),
    };
    const steps: Record<string, { outcome: string; outputs: Record<string, string> }> = {};
    const folder = workflow.defaults?.run?.["working-directory"] ?? ".";
    let outcome = "success";
    let log = "";
    for (const step of job.steps) {
      const context: Context = { ...outer, secrets, vars, steps, runner: { temp } };
      const condition = step.if ?? "";
      const isAsked = /(always|cancelled)\(\)/.test(condition);
      if ((outcome !== "success" && !isAsked) || !isTrue(condition, context)) continue;
      const environment = {
        ...this.machine,
        PATH: `${join(this.#folder, "bin")}:${process.env["PATH"]}`,
        HOME: home,
        TMPDIR: temp,
        ...this.api.environment(run, sha, payload),
        // The step says who gets it.
        GITHUB_TOKEN: "",
        GITHUB_SERVER_URL: `file://${join(this.#folder, "host")}`,
        GITHUB_RUN_ATTEMPT: String(attempt),
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: temp,
        ...filledIn(workflow.env, context),
        ...filledIn(job.env, context),
        ...filledIn(step.env, context),
      };
      const done = await this.#step(step, { run, sha, workspace, environment, context, folder });
      log += done.log;
      if (done.failed) {
        outcome = "failure";
        log += `failed: ${step.name ?? step.run ?? step.uses}\n`;
      }
    }
    return { outcome, log };
  }

  async #step(
    step: Step,
    {
      run,
      sha,
      workspace,
      environment,
      context,
      folder,
    }: {
      readonly run: GithubRun;
      readonly sha: string;
      readonly workspace: string;
      readonly environment: Readonly<Record<string, string>>;
      readonly context: Context;
      /** That commands are run in, where a step names no other. */
      readonly folder: string;
    },
  ): Promise<{ failed: boolean; log: string }> {
    if (step.run !== undefined) {
      this.beforeStep(step.run, environment);
      return bash(step.run, join(workspace, step["working-directory"] ?? folder), environment);
    } else if (step.uses?.startsWith("actions/checkout@")) {
      const depth = Number(step.with?.["fetch-depth"] ?? 1);
      const shallow = depth === 0 ? [] : ["--depth", String(depth), "--no-single-branch"];
      execFileSync("git", ["clone", "--quiet", ...shallow, `file://${this.repository}`, workspace]);
      execFileSync("git", ["-C", workspace, "fetch", "--quiet", "origin", sha]);
      execFileSync("git", ["-C", workspace, "checkout", "--quiet", sha]);
    } else if (step.uses?.startsWith("actions/upload-artifact@")) {
      const { name = "", path = "", "if-no-files-found": otherwise } = filledIn(step.with, context);
      return this.#upload(run, name, isAbsolute(path) ? path : join(workspace, path), otherwise === "ignore");
    }
    return { failed: false, log: "" };
  }

  /** With `overwrite: true`, a later attempt's artifact takes the place of the earlier one: the API lists both, and the newest counts. */
  #upload(run: GithubRun, name: string, path: string, mayLack: boolean): { failed: boolean; log: string } {
    if (!existsSync(path)) return { failed: !mayLack, log: mayLack ? "" : `nothing is at ${path}\n` };
    const names = statSync(path).isDirectory() ? readdirSync(path) : [basename(path)];
    const from = statSync(path).isDirectory() ? path : dirname(path);
    const files = names.map((file) => [file, new Uint8Array(readFileSync(join(from, file)))] as const);
    this.api.upload(run, name, Object.fromEntries(files));
    return { failed: false, log: "" };
  }
}

interface JobFacts {
  readonly run: GithubRun;
  readonly attempt: number;
  readonly name: string;
  readonly sha: string;
  readonly payload: object;
}

export function bash(
  script: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ failed: boolean; log: string }> {
  return new Promise((resolve, reject) => {
    const words = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    const child = spawn("bash", words, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let log = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (log += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ failed: code !== 0, log }));
  });
}

/**
 * Runs the workflows of `tenancy init` as GitHub would: job after job, step after step, each `run:` in bash, in a clone of a bare repository. GitHub
 * itself cannot be had in a test: the four actions are imitated here, and `gh` by test/support/fake-gh.mjs.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { parse } from "yaml";

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
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Ran {
  readonly id: string;
  /** `success`, `failure` or `skipped`, by job. */
  readonly jobs: Readonly<Record<string, string>>;
  /** All that was printed, and a line for each step that failed. */
  readonly log: string;
}

interface State {
  pulls: Record<string, unknown>[];
  comments: { id: number; issue: string; user: { login: string }; body: string }[];
  issues: { number: number; state: string; title: string; body: string }[];
  statuses: { sha: string; state: string; context: string; description: string }[];
  runs: Record<string, unknown>[];
  /** By name, with the branches that they are open to. */
  environments: Record<string, { branches: string[] }>;
  /** By environment and name, as `gh secret set` has set them. */
  secrets: Record<string, Record<string, string>>;
  /** Likewise: what somebody types when `gh secret set` asks for it. */
  typed: Record<string, Record<string, string>>;
  visibility?: string;
  protection?: object;
}

type Context = Readonly<Record<string, unknown>>;

/** What the token of a workflow is called here: no output may hold it. */
export const TOKEN = "ghs_token_of_the_workflow";

export class PipelineHost {
  readonly #folder: string;
  /** By environment, and by name. */
  readonly secrets: Record<string, Record<string, string>> = {};
  readonly variables: Record<string, string> = {};
  visibility = "private";
  /** What the names of the project's workflows begin with. */
  prefix = "";
  #runs = 0;

  /** @param machine what every job finds in its environment, such as the registry of npm */
  constructor(
    folder: string,
    readonly machine: Readonly<Record<string, string>> = {},
  ) {
    this.#folder = folder;
    mkdirSync(join(folder, "host", "acme"), { recursive: true });
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "home"));
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", this.repository]);
    copyFileSync(join(__dirname, "fake-gh.mjs"), join(folder, "bin", "gh"));
    chmodSync(join(folder, "bin", "gh"), 0o755);
    const none = { pulls: [], comments: [], issues: [], statuses: [], runs: [] };
    this.#write({ ...none, environments: {}, secrets: {}, typed: {} });
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
      GH_TOKEN: "gho_token_of_jane",
    };
  }

  get repository(): string {
    return join(this.#folder, "host", "acme", "platform");
  }

  get state(): State {
    return JSON.parse(readFileSync(join(this.#folder, "state.json"), "utf8")) as State;
  }

  change(edit: (state: State) => void): void {
    const state = this.state;
    edit(state);
    this.#write(state);
  }

  #write(state: State): void {
    writeFileSync(join(this.#folder, "state.json"), JSON.stringify(state));
  }

  /** Where the artifact of a run lies. */
  artifact(run: string, name: string): string {
    return join(this.#folder, "runs", run, name);
  }

  /** Runs the jobs of a pull request with this head, and then the review of it. */
  async reviewed(sha: string): Promise<{ own: Ran; review: Ran }> {
    const own = await this.run(`${this.prefix}tenancy-pull-request.yml`, sha, { name: "pull_request" });
    const conclusion = Object.values(own.jobs).every((job) => job === "success") ? "success" : "failure";
    const payload = {
      workflow_run: { id: Number(own.id), event: "pull_request", head_sha: sha, conclusion },
    };
    const review = await this.run(`${this.prefix}tenancy-review.yml`, this.#main, {
      name: "workflow_run",
      payload,
    });
    return { own, review };
  }

  /** Runs what a push to the default branch starts. */
  pushed(): Promise<Ran> {
    return this.run(`${this.prefix}tenancy-apply.yml`, this.#main, { name: "push" });
  }

  nightly(): Promise<Ran> {
    return this.run(`${this.prefix}tenancy-nightly.yml`, this.#main, { name: "schedule" });
  }

  get #main(): string {
    return execFileSync("git", ["-C", this.repository, "rev-parse", "main"], { encoding: "utf8" }).trim();
  }

  /**
   * @param file of the workflow
   * @param sha what is checked out, and whose workflow runs
   */
  async run(
    file: string,
    sha: string,
    event: { readonly name: string; readonly payload?: object },
  ): Promise<Ran> {
    const id = String(++this.#runs);
    const text = execFileSync("git", ["-C", this.repository, "show", `${sha}:.github/workflows/${file}`]);
    const workflow = parse(text.toString()) as Workflow;
    const repository = { visibility: this.visibility, default_branch: "main" };
    const github = {
      token: TOKEN,
      event_name: event.name,
      ref: "refs/heads/main",
      event: { repository, ...event.payload },
    };
    const jobs: Record<string, string> = {};
    let log = "";
    if (event.name !== "pull_request") {
      this.change(({ runs }) =>
        runs.push({
          id,
          workflow: workflow.name,
          event: event.name,
          head_branch: "main",
          head_repository: { full_name: "acme/platform" },
          created_at: new Date(Date.UTC(2026, 0, 1) + this.#runs * 1000).toISOString(),
        }),
      );
    }
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const needs = [job.needs ?? []].flat();
      const wanted = needs.every((other) => jobs[other] === "success");
      if (!wanted || (job.if !== undefined && !isTrue(job.if, { github }))) {
        jobs[name] = "skipped";
        continue;
      }
      const ran = await this.#job(id, name, job, sha, github, workflow.defaults?.run?.["working-directory"]);
      jobs[name] = ran.outcome;
      log += ran.log;
    }
    return { id, jobs, log };
  }

  async #job(
    run: string,
    name: string,
    job: Job,
    sha: string,
    github: Context,
    folder = ".",
  ): Promise<{ outcome: string; log: string }> {
    const place = join(this.#folder, "work", run, name);
    const [workspace, temp, home] = ["workspace", "temp", "home"].map((part) => {
      mkdirSync(join(place, part), { recursive: true });
      return join(place, part);
    }) as [string, string, string];
    const secrets =
      job.environment === undefined
        ? {}
        : { ...this.secrets[job.environment], ...this.state.secrets[job.environment] };
    const steps: Record<string, { outcome: string; outputs: Record<string, string> }> = {};
    let outcome = "success";
    let log = "";
    for (const step of job.steps) {
      const context = { github, secrets, vars: this.variables, steps, runner: { temp } };
      const condition = step.if ?? "";
      if ((outcome !== "success" && !condition.includes("always()")) || !isTrue(condition, context)) continue;
      const output = join(temp, "outputs");
      writeFileSync(output, "");
      const environment = {
        ...this.machine,
        PATH: `${join(this.#folder, "bin")}:${process.env["PATH"]}`,
        HOME: home,
        CI: "true",
        FAKE_GH_STATE: this.#folder,
        GITHUB_REPOSITORY: "acme/platform",
        GITHUB_SERVER_URL: `file://${join(this.#folder, "host")}`,
        GITHUB_RUN_ID: run,
        GITHUB_SHA: sha,
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: join(temp, "summary"),
        RUNNER_TEMP: temp,
        ...filledIn(job.env, context),
        ...filledIn(step.env, context),
      };
      const done = await this.#step(step, { run, sha, workspace, environment, context, folder });
      log += done.log;
      const { failed } = done;
      if (failed) {
        outcome = "failure";
        log += `failed: ${step.name ?? step.run ?? step.uses}\n`;
      }
      if (step.id !== undefined) {
        const lines = readFileSync(output, "utf8").split("\n").filter(Boolean);
        const outputs = Object.fromEntries(
          lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
        );
        steps[step.id] = { outcome: failed ? "failure" : "success", outputs };
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
      readonly run: string;
      readonly sha: string;
      readonly workspace: string;
      readonly environment: Readonly<Record<string, string>>;
      readonly context: Context;
      /** That commands are run in, where a step names no other. */
      readonly folder: string;
    },
  ): Promise<{ failed: boolean; log: string }> {
    if (step.run !== undefined) {
      return bash(step.run, join(workspace, step["working-directory"] ?? folder), environment);
    } else if (step.uses?.startsWith("actions/checkout@")) {
      execFileSync("git", ["clone", "--quiet", this.repository, workspace]);
      execFileSync("git", ["-C", workspace, "checkout", "--quiet", sha]);
    } else if (step.uses?.startsWith("actions/upload-artifact@")) {
      const given = filledIn(step.with, context);
      return this.#upload(this.artifact(run, given["name"] ?? ""), given["path"] ?? "", workspace);
    }
    return { failed: false, log: "" };
  }

  /** An artifact cannot be uploaded twice in a run. */
  #upload(artifact: string, paths: string, workspace: string): { failed: boolean; log: string } {
    if (existsSync(artifact)) return { failed: true, log: "an artifact of this name exists\n" };
    const asked = paths.split("\n").filter(Boolean);
    // Several paths are uploaded from the folder that they have in common.
    const common = asked.length > 1 ? commonFolder(asked) : "";
    const found = asked.flatMap((path) =>
      isAbsolute(path) ? [path].filter(existsSync) : globbed(path, workspace),
    );
    for (const path of found) {
      const target = join(artifact, isAbsolute(path) ? basename(path) : path.slice(common.length));
      mkdirSync(dirname(target), { recursive: true });
      cpSync(isAbsolute(path) ? path : join(workspace, path), target, { recursive: true });
    }
    return { failed: found.length === 0, log: "" };
  }
}

function commonFolder(paths: readonly string[]): string {
  const folder = /^.*\//.exec(paths[0] ?? "")?.[0] ?? "";
  return paths.every((path) => path.startsWith(folder)) ? folder : "";
}

/** Files of a folder, by a path whose last part may begin with a star. */
export function globbed(pattern: string, folder: string): string[] {
  const place = dirname(pattern);
  if (!basename(pattern).startsWith("*")) return existsSync(join(folder, pattern)) ? [pattern] : [];
  const names = readdirSync(join(folder, place));
  return names.filter((name) => name.endsWith(basename(pattern).slice(1))).map((name) => join(place, name));
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

// Expressions: as much of them as the workflows use.

function filledIn(
  texts: Readonly<Record<string, unknown>> | undefined,
  context: Context,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts ?? {}).map(([name, text]) => [
      name,
      String(text).replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) =>
        String(valueOf(expression, context)),
      ),
    ]),
  );
}

function isTrue(condition: string, context: Context): boolean {
  return condition.split(" && ").every((part) => part === "" || Boolean(valueOf(part, context)));
}

function valueOf(expression: string, context: Context): unknown {
  const comparison = /^(\S+) ([!=]=) '(.*)'$/.exec(expression);
  if (comparison !== null) {
    const [, name = "", sign, text] = comparison;
    return (valueOf(name, context) === text) === (sign === "==");
  }
  if (expression === "always()") return true;
  const names = expression.split(".");
  if (!/^[\w.-]+$/.test(expression) || !(names[0] !== undefined && names[0] in context))
    throw new Error(`this expression is not imitated: ${expression}`);
  // What is not set is empty.
  return names.reduce<unknown>((from, name) => (from as Context | undefined)?.[name], context) ?? "";
}

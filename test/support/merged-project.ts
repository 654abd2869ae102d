/** A project at an imitated host whose merges are applied by the command itself, each job in a clone of its own. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { placeAt, stateBranch } from "../../src/pipeline";
import { dayAhead } from "../../src/plan/approval";
import { approvalFiles } from "../../src/plan/approval-file";
import { CommandProject, type Printed, type RunOptions } from "./command";
import { git, GitRemote } from "./git-remote";
import { GITHUB_TOKEN } from "./github-api";
import { GITLAB_TOKEN } from "./gitlab-api";
import { type HostedRun, type HostName, mergeHost, type MergeHost } from "./merge-host";
import { pairIn } from "./pairs";
import { stateKey } from "./state-key";

/** What every secret holds, so that a test finds it wherever it got to. */
const CANARY = "canary-0f3a";
export const SECRETS = [CANARY, GITHUB_TOKEN, GITLAB_TOKEN];

interface Declared {
  readonly rights?: readonly string[];
  /** A number, or an expression. */
  readonly limit?: number | string;
  /** Last day of each right. */
  readonly ends?: Readonly<Record<string, string>>;
}

export interface JobOptions {
  /** The run that the job is part of. @default a new one for the commit */
  readonly run?: HostedRun;
  readonly attempt?: number;
  readonly event?: string;
  /** @default the newest of the default branch */
  readonly commit?: string;
  /** Variables that differ from what the job has by itself; an empty one counts as not set. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly depth?: number;
}

export interface DoneJob extends Printed {
  readonly run: HostedRun;
  /** The folder that the job was told to leave its files in. */
  readonly out: string;
}

export class MergedProject {
  readonly remote = new GitRemote();
  readonly #desk: CommandProject;
  readonly #clone: string;
  #pulls = 0;

  private constructor(
    readonly host: MergeHost,
    readonly services: Readonly<Record<string, Simulator>>,
    readonly path: string,
  ) {
    this.#clone = this.remote.clone();
    mkdirSync(join(this.#clone, path), { recursive: true });
    this.#desk = new CommandProject(join(this.#clone, path));
  }

  /** Each stack has a service of its own with an account that is live, and a state on a branch. @param path of the project in the repository */
  static async start(host: HostName, stacks: readonly string[], path = "."): Promise<MergedProject> {
    const services: Record<string, Simulator> = {};
    for (const name of stacks)
      services[name] = await startSimulator({ systemUser: { password: `${CANARY}-password` } });
    const project = new MergedProject(await mergeHost(host, placeAt(path)), services, path);
    const lock = { packages: { "node_modules/tenancy": { version } } };
    await project.#desk.write("package-lock.json", lock);
    await project.#desk.write(".gitignore", "cdktf.out\ntenancy-stacks.json\n");
    await project.merge({});
    const made = await project.atDesk(["state", "init"]);
    if (made.code !== 0) throw new Error(made.stderr);
    return project;
  }

  async close(): Promise<void> {
    for (const service of Object.values(this.services)) await service.close();
    await this.host.api.close();
    this.remote.remove();
  }

  get #state() {
    return { TENANCY_STATE: `git:origin/${stateBranch(placeAt(this.path))}` };
  }

  get stacks(): readonly string[] {
    return Object.keys(this.services);
  }

  /** The newest commit of the default branch. */
  get main(): string {
    return this.remote.git("rev-parse", "main");
  }

  service(stack = "platform"): Simulator {
    const service = this.services[stack];
    if (service === undefined) throw new Error(`no stack is called ${stack}`);
    return service;
  }

  /** Requests that change something. */
  writes(stack = "platform"): number {
    const isWrite = (method: string, path: string) => method !== "GET" && !/session|auth|login/.test(path);
    return this.service(stack).requests.filter(({ method, path }) => isWrite(method, path)).length;
  }

  /** Runs the command as a colleague who has the key of the state. */
  atDesk(words: readonly string[], options: RunOptions = {}): Promise<Printed> {
    const environment = {
      ...{ ...this.#state, TENANCY_STATE_KEY: stateKey(`${CANARY}-state-key`) },
      ...options.environment,
    };
    return this.#desk.tenancy(words, { ...options, environment });
  }

  git(...words: readonly string[]): string {
    return git(this.#clone, ...words);
  }

  /**
   * Merges a pull request that makes the stacks these, and writes these files of the project; those that begin with a slash are of the repository's top.
   * @returns its number
   */
  async merge(declared: Declared, files: Readonly<Record<string, string>> = {}): Promise<number> {
    const stack = ({ baseUrl }: Simulator) => ({
      provider: { tenancy: [{ base_url: baseUrl, owner: "acme-platform" }] },
      resource: {
        tenancy_account: {
          acme: {
            name: "acme",
            limits_vss_num: declared.limit ?? 10,
            permissions: Object.fromEntries((declared.rights ?? []).map((right) => [right, true])),
            ...(declared.ends === undefined ? {} : { permissions_until: declared.ends }),
            access_web: false,
            access_api: false,
            deletion_protection: true,
          },
        },
      },
    });
    const entries = Object.entries(this.services).map(([name, service]) => [name, stack(service)]);
    await this.#desk.declare(Object.fromEntries(entries) as Record<string, object>);
    await this.#desk.write("cdktf.json", { language: "typescript", app: "sh app.sh", projectId: "platform" });
    const top = new CommandProject(this.#clone);
    for (const [path, text] of Object.entries(files))
      await (path.startsWith("/") ? top : this.#desk).write(path.replace(/^\//, ""), text);
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", "change");
    this.git("push", "--quiet", "origin", "HEAD:main");
    const number = ++this.#pulls;
    this.host.merged(number, this.main);
    return number;
  }

  /** Files of `approvals/` one for each stack, that approve these pairs. */
  approvals(...pairs: readonly string[]): Readonly<Record<string, string>> {
    return approvalFiles(
      Object.entries(this.services).map(([stack, { baseUrl }]) => ({
        ...{ stack, service: new URL(baseUrl).origin, until: dayAhead(new Date(), 7) },
        pairs: pairs.map(pairIn),
      })),
    );
  }

  /** A run of the default branch whose job without secrets has packed the stacks of the commit. */
  async packed({ commit = this.main, event = "push" }: JobOptions = {}): Promise<HostedRun> {
    const job = this.#cloneAt(commit);
    const environment = { ...this.host.mark, TENANCY_STACKS: this.stacks.join(" ") };
    const { code, stdout } = await job.tenancy(["ci", "pack"], { environment });
    if (code !== 0) throw new Error(stdout);
    return this.host.packed(commit, event, readFileSync(join(job.folder, "tenancy-stacks.json")));
  }

  #cloneAt(commit: string, depth?: number): CommandProject {
    const folder = this.remote.clone();
    if (depth !== undefined) {
      git(
        this.remote.folder,
        "clone",
        "-q",
        "--depth",
        String(depth),
        `file://${this.remote.bare}`,
        `${folder}-s`,
      );
      return new CommandProject(join(`${folder}-s`, this.path));
    }
    git(folder, "checkout", "--quiet", commit);
    return new CommandProject(join(folder, this.path));
  }

  /** What the job of a stack finds in its environment, besides what the host sets. */
  environment(stack: string): Readonly<Record<string, string>> {
    const { username, password, baseUrl } = this.service(stack);
    return {
      ...{ ...this.#state, TENANCY_STACKS: this.stacks.join(" ") },
      ...{ TENANCY_USERNAME: username, TENANCY_PASSWORD: password, TENANCY_TOKEN: "" },
      ...{
        TENANCY_STATE_KEY: stateKey(`${CANARY}-state-key`),
        TENANCY_SNAPSHOT_KEY: stateKey(`${CANARY}-snapshot-key`),
      },
      ...{ TENANCY_ALLOWED_ORIGINS: new URL(baseUrl).origin },
    };
  }

  /** Runs a job of a stack, such as `apply`, `apply --ended` or `nightly`; the host notes how it ended. */
  async job(verb: string, stack = "platform", options: JobOptions = {}): Promise<DoneJob> {
    const { commit = this.main, attempt = 1 } = options;
    const run = options.run ?? (await this.packed(options));
    const job = this.#cloneAt(commit, options.depth);
    const [word = "", ...flags] = verb.split(" ");
    const jobVerb = flags.includes("--ended") ? "ended" : word;
    const hosted = this.host.begin(run, { verb: jobVerb, stack, attempt });
    const printed = await job.tenancy(
      ["ci", word, stack, ...flags, ...(flags.length > 0 ? [] : ["--out", "out"])],
      {
        environment: {
          ...hosted.environment,
          ...this.environment(stack),
          ...options.environment,
        },
      },
    );
    const out = join(job.folder, "out");
    hosted.end(printed.code === 0, snapshotIn(out, stack));
    return { ...printed, run, out };
  }

  /** Runs the jobs of a merge, one stack after the other until one fails. @returns the exit code of each that ran */
  async applied(options: JobOptions = {}): Promise<Readonly<Record<string, DoneJob>>> {
    const run = options.run ?? (await this.packed(options));
    const done: Record<string, DoneJob> = {};
    for (const stack of this.stacks) {
      const job = await this.job("apply", stack, { ...options, run });
      done[stack] = job;
      if (job.code !== 0) break;
    }
    return done;
  }

  /** All that the host was told and given. */
  told(...jobs: readonly DoneJob[]): string {
    const files = jobs.flatMap(({ out }) =>
      this.stacks
        .flatMap((stack) => [join(out, `${stack}.snapshot`), join(out, `${stack}.prom`)])
        .filter(existsSync)
        .map((file) => readFileSync(file, "utf8")),
    );
    return JSON.stringify([this.host.said, jobs.map(({ stdout, stderr }) => stdout + stderr), files]);
  }
}

function snapshotIn(folder: string, stack: string): Readonly<Record<string, Buffer>> {
  const name = `${stack}.snapshot`;
  const file = join(folder, name);
  return existsSync(file) ? { [name]: readFileSync(file) } : {};
}

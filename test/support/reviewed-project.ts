/** A project at an imitated host, whose pull requests are packed and reviewed by the command itself, each job in a clone of its own. */
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { placeAt } from "../../src/pipeline";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { dayAhead } from "../../src/plan/approval";
import { approvalFiles } from "../../src/plan/approval-file";
import { CommandProject, type Printed, type Stacks } from "./command";
import { git, GitRemote } from "./git-remote";
import { GithubApi, type GithubPull, type GithubRun } from "./github-api";
import { pairIn } from "./pairs";
import { stateKey } from "./state-key";

/** What every secret holds, so that a test finds it wherever it got to. */
export const CANARY = "canary-0f3a";
export const SNAPSHOT_KEY = stateKey(`${CANARY}-snapshot-key`);

/** A pull request, with the run of its own job. */
export interface PackedPull {
  readonly pull: GithubPull;
  readonly sha: string;
  readonly merge: string;
  readonly run: GithubRun;
  readonly packed: Printed;
  /** What its job hands over; undefined where the job has failed. */
  archive: Buffer | undefined;
}

export class ReviewedProject {
  readonly remote = new GitRemote();
  readonly #author: CommandProject;
  /** Begins the names of the project's workflows. */
  readonly #prefix: string;
  #pulls = 0;
  #branches = 0;

  private constructor(
    readonly api: GithubApi,
    readonly service: Simulator,
    readonly stackNames: readonly string[],
    readonly folder: string,
    readonly path: string,
  ) {
    this.#author = new CommandProject(join(this.remote.clone(), path));
    this.#prefix = placeAt(path).prefix;
  }

  /**
   * Each stack has an account of its own, which is live, and a snapshot.
   * @param path of the project in its repository
   */
  static async start(stacks: readonly string[], path = "."): Promise<ReviewedProject> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-reviewed-")));
    const api = await GithubApi.start();
    const service = await startSimulator({ systemUser: { password: `${CANARY}-password` } });
    const project = new ReviewedProject(api, service, stacks, folder, path);
    await project.#begin();
    return project;
  }

  async #begin(): Promise<void> {
    await this.#author.write("package-lock.json", { packages: { "node_modules/tenancy": { version } } });
    await this.#author.write(".gitignore", "cdktf.out\ntenancy-stacks.json\n");
    await this.#author.declare(this.stacks());
    this.commit("Begin");
    this.git("push", "-q", "origin", "HEAD:main");
    await this.applied();
  }

  /** Forgets what was said and asked so far; the default branch and its snapshots stay. */
  rest(): void {
    const { api } = this;
    api.fault = () => undefined;
    api.isLost = () => false;
    api.visibility = "private";
    for (const list of [api.pulls, api.comments, api.statuses, api.requests, api.downloads]) list.length = 0;
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.service.close();
    this.remote.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The stacks, all alike. @param rights that the account's primary user gains */
  stacks({
    rights = [],
    limit = 10,
    more = {},
  }: {
    readonly rights?: readonly string[];
    readonly limit?: number;
    readonly more?: object;
  } = {}): Stacks {
    const stack = (name: string) => ({
      provider: { tenancy: [{ base_url: this.service.baseUrl, owner: name }] },
      resource: {
        tenancy_account: {
          acme: {
            name: `acme-${name}`,
            limits_vss_num: limit,
            permissions: Object.fromEntries(rights.map((right) => [right, true])),
            access_web: false,
            access_api: false,
            deletion_protection: true,
          },
        },
      },
      ...more,
    });
    return Object.fromEntries(this.stackNames.map((name) => [name, stack(name)]));
  }

  /** Files of `approvals/` one for each stack, that approve these pairs. */
  approvals(...pairs: readonly string[]): Readonly<Record<string, string>> {
    return approvalFiles(
      this.stackNames.map((stack) => ({
        ...{ stack, service: new URL(this.service.baseUrl).origin, until: dayAhead(new Date(), 7) },
        pairs: pairs.map((pair) => pairIn(pair.replace("acme", `acme-${stack}`))),
      })),
    );
  }

  /** Writes a file of the author's clone. */
  async write(path: string, content: string): Promise<void> {
    await this.#author.write(path, content);
  }

  git(...words: readonly string[]): string {
    return git(this.#author.folder, ...words);
  }

  commit(message: string): string {
    this.git("add", "--all");
    this.git("commit", "-q", "--allow-empty", "-m", message);
    return this.git("rev-parse", "HEAD");
  }

  /** Applies what the author's clone has, and leaves the snapshots of a run of the default branch. */
  async applied(): Promise<void> {
    const environment = {
      TENANCY_USERNAME: this.service.username,
      TENANCY_PASSWORD: this.service.password,
      TENANCY_SNAPSHOT_KEY: SNAPSHOT_KEY,
    };
    const run = this.api.addRun({
      file: `${this.#prefix}tenancy.yml`,
      event: "push",
      head_sha: this.git("rev-parse", "HEAD"),
    });
    for (const stack of this.stackNames) {
      const file = join(this.folder, `${stack}.snapshot`);
      const state = ["--state", join(this.folder, `state-${stack}`)];
      for (const words of [
        ["apply", stack, "--yes", ...state],
        ["snapshot", stack, "--out", file, ...state],
      ]) {
        const { code, stderr } = await this.#author.tenancy(words, { environment });
        if (code !== 0) throw new Error(stderr);
      }
      this.api.upload(run, `tenancy-${stack}`, { [`${stack}.snapshot`]: readFileSync(file) });
    }
  }

  /**
   * A pull request that makes these changes, and what its own job hands over.
   * @param stacks what its app declares; files by their paths
   */
  async pullRequest(
    stacks: Stacks,
    files: Readonly<Record<string, string | { readonly link: string }>> = {},
    base = "main",
  ): Promise<PackedPull> {
    const ref = `change-${(this.#branches += 1)}`;
    this.git("switch", "-q", "-c", ref, "origin/main");
    await this.#author.declare(stacks);
    for (const [path, content] of Object.entries(files)) {
      await this.#author.write(path, typeof content === "string" ? content : "");
      if (typeof content === "string") continue;
      rmSync(join(this.#author.folder, path));
      symlinkSync(content.link, join(this.#author.folder, path));
    }
    const sha = this.commit(ref);
    return this.opened(ref, sha, base);
  }

  /** Opens a pull request of a commit, and runs its own job. */
  async opened(ref: string, sha: string, base = "main"): Promise<PackedPull> {
    const number = (this.#pulls += 1);
    const pull: GithubPull = { number, state: "open", head: { sha, ref }, base: { ref: base } };
    this.api.pulls.push(pull);
    const merge = this.merged(number, sha);
    const packed = await this.#author.tenancy(["ci", "pack"], {
      environment: { GITHUB_ACTIONS: "true", TENANCY_STACKS: this.stackNames.join(" ") },
    });
    const run = this.api.addRun({
      file: `${this.#prefix}tenancy-pull-request.yml`,
      event: "pull_request",
      head_sha: sha,
      head_branch: ref,
      conclusion: packed.code === 0 ? "success" : "failure",
    });
    const archive =
      packed.code === 0 ? readFileSync(join(this.#author.folder, "tenancy-stacks.json")) : undefined;
    if (archive !== undefined)
      this.api.upload(run, "tenancy-stacks", { "tenancy-stacks.json": new Uint8Array(archive) });
    return { pull, sha, merge, run, packed, archive };
  }

  /** Puts something else in the place of what the job of a pull request handed over. */
  forge(change: PackedPull, edit: (files: Record<string, string>) => void): void {
    const document = JSON.parse(String(change.archive)) as { files: Record<string, string> };
    edit(document.files);
    change.archive = Buffer.from(JSON.stringify(document));
    this.api.upload(change.run, "tenancy-stacks", { "tenancy-stacks.json": new Uint8Array(change.archive) });
  }

  /** The merge commit that the host makes of a pull request, checked out in the author's clone. */
  merged(number: number, sha: string): string {
    this.git("fetch", "-q", "origin");
    this.git("switch", "-q", "--detach", "origin/main");
    this.git("merge", "-q", "--no-ff", "-m", `Merge ${sha}`, sha);
    this.git("push", "-q", "--force", "origin", `HEAD:refs/pull/${number}/merge`);
    return this.git("rev-parse", "HEAD");
  }

  /** The job of the review that the end of a run starts: a clone of the default branch, and its environment. */
  reviewJob(run: GithubRun): {
    readonly folder: string;
    readonly environment: Readonly<Record<string, string>>;
  } {
    const folder = join(this.remote.clone(), this.path);
    const file = `${this.#prefix}tenancy-review.yml`;
    const started = this.api.addRun({ file, event: "workflow_run", head_sha: "" });
    const environment = {
      ...this.api.environment(started, this.remote.git("rev-parse", "main"), {
        workflow_run: { id: run.id },
      }),
      TENANCY_SNAPSHOT_KEY: SNAPSHOT_KEY,
      TENANCY_STACKS: this.stackNames.join(" "),
    };
    return { folder, environment };
  }

  /** Runs that review in the test's own process. */
  async review(
    run: GithubRun,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Printed & { readonly folder: string }> {
    const job = this.reviewJob(run);
    const printed = await new CommandProject(job.folder).tenancy(["ci", "review", "--pages", "pages"], {
      environment: { ...job.environment, ...environment },
    });
    return { ...printed, folder: job.folder };
  }
}

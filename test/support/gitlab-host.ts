/**
 * Runs the pipelines of `tenancy init` as GitLab would: job after job, the lines of a script in one shell, in a clone of a bare repository. GitLab itself cannot be
 * had in a test: its API is imitated by a real server, as far as the pipelines ask it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { parse } from "yaml";
import { bash, globbed } from "./pipeline-host";

export interface GitlabJob {
  readonly image: string;
  readonly timeout: string;
  readonly interruptible: boolean;
  readonly resource_group?: string;
  readonly environment?: { readonly name: string; readonly action?: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly needs: readonly { readonly job: string; readonly artifacts: boolean }[];
  readonly dependencies: readonly string[];
  readonly rules: readonly { readonly if: string; readonly changes?: readonly string[] }[];
  readonly script: readonly string[];
  readonly artifacts: {
    readonly paths: readonly string[];
    readonly access: string;
    readonly when: string;
    readonly expire_in: string;
  };
}

interface Pipeline {
  readonly id: number;
  readonly project_id: number;
  readonly sha: string;
  readonly ref: string;
  readonly source: string;
}

interface RanJob {
  readonly id: number;
  readonly name: string;
  status: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly pipeline: Pipeline;
  artifacts_file?: { readonly filename: string };
}

interface MergeRequest {
  readonly iid: number;
  sha: string;
  state: string;
  readonly source_project_id: number;
  readonly target_branch: string;
  merge_commit_sha?: string;
}

interface Written {
  readonly id: number;
  readonly iid: number;
  readonly author: { readonly id: number };
  /** Of a note or an issue. */
  body?: string;
  title?: string;
  description?: string;
  state?: string;
}

interface Status {
  readonly id: number;
  readonly sha: string;
  readonly state: string;
  readonly name: string;
  readonly description: string;
  readonly pipeline_id?: string;
  readonly author: { readonly id: number };
}

export interface GitlabRan {
  readonly jobs: Readonly<Record<string, string>>;
  readonly log: string;
}

/** What a token of the project is called here, and what a job's own: no output may hold either. */
export const PROJECT_TOKEN = "glpat-token_of_the_project";
const JOB_TOKEN = "glcbt-token_of_the_job";

/** Who the pipelines' token is. */
export const BOT = 77;

export class GitlabHost {
  readonly #folder: string;
  readonly #server: Server;
  /** Protected ones, by environment and by name. */
  readonly variables: Record<string, Record<string, string>> = {};
  visibility = "private";
  readonly mergeRequests: MergeRequest[] = [];
  readonly notes: Written[] = [];
  readonly issues: Written[] = [];
  readonly statuses: Status[] = [];
  readonly pipelines: Pipeline[] = [];
  readonly jobs: RanJob[] = [];
  readonly resourceGroups: Record<string, string> = {};
  /** What was asked of the API: method and path. */
  readonly asked: string[] = [];
  #ids = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, "host", "acme"), { recursive: true });
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", this.repository]);
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const url = new URL(request.url ?? "", "http://host");
        const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString("utf8")));
        const method = request.method ?? "";
        this.asked.push(`${method} ${url.pathname}`);
        if (request.headers.authorization !== `Bearer ${PROJECT_TOKEN}`) response.writeHead(401).end();
        else {
          const answer = this.#answer(method, url, fields);
          if (answer === undefined) response.writeHead(404).end(`{"message":"404 Not found"}`);
          else response.end(answer instanceof Uint8Array ? answer : JSON.stringify(answer));
        }
      });
    });
  }

  static async start(folder: string): Promise<GitlabHost> {
    const host = new GitlabHost(folder);
    await new Promise<void>((resolve) => host.#server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get repository(): string {
    return join(this.#folder, "host", "acme", "platform.git");
  }

  /** Where what a job has left lies. */
  artifacts(job: number): string {
    return join(this.#folder, "artifacts", String(job));
  }

  /** The newest job of this name. */
  job(name: string): RanJob | undefined {
    return this.jobs.findLast((one) => one.name === name);
  }

  newId(): number {
    return ++this.#ids;
  }

  /** Runs the pipeline that a commit has for an event. */
  async run(
    source: "merge_request_event" | "push" | "schedule",
    sha: string,
    about: { readonly iid?: number; readonly schedule?: string } = {},
  ): Promise<GitlabRan> {
    const ref = about.iid === undefined ? "main" : `refs/merge-requests/${about.iid}/head`;
    const pipeline = { id: this.newId(), project_id: 1, sha, ref, source };
    this.pipelines.push(pipeline);
    const predefined = {
      CI_PIPELINE_SOURCE: source,
      CI_DEFAULT_BRANCH: "main",
      ...(about.iid === undefined
        ? { CI_COMMIT_BRANCH: "main" }
        : { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main", CI_MERGE_REQUEST_IID: String(about.iid) }),
      ...(about.schedule === undefined ? {} : { CI_PIPELINE_SCHEDULE_DESCRIPTION: about.schedule }),
    };
    const changed = this.#changed(source === "push" ? `${sha}^1` : `main...${sha}`, sha, source);
    const jobs: Record<string, string> = {};
    let log = "";
    for (const [name, job] of Object.entries(this.#configuration(sha))) {
      if (!job.rules.some((rule) => applies(rule, predefined, changed))) continue;
      if (!job.needs.every((need) => jobs[need.job] === "success")) {
        jobs[name] = "skipped";
        continue;
      }
      const ran = await this.#job(name, job, pipeline, predefined);
      jobs[name] = ran.failed ? "failed" : "success";
      log += ran.log;
    }
    return { jobs, log };
  }

  #changed(range: string, sha: string, source: string): readonly string[] {
    if (source === "schedule") return [];
    const words = source === "push" ? [range, sha] : [range];
    try {
      return this.#git("diff", "--name-only", ...words)
        .trim()
        .split("\n");
    } catch {
      // The first commit has none before it: everything is new.
      return this.#git("ls-tree", "-r", "--name-only", sha).trim().split("\n");
    }
  }

  #configuration(sha: string): Readonly<Record<string, GitlabJob>> {
    const file = (path: string) => parse(this.#git("show", `${sha}:${path}`)) as Record<string, unknown>;
    const top = file(".gitlab-ci.yml");
    const included = (top["include"] as { local: string }[]).map(({ local }) => file(local));
    const all = Object.assign({}, ...included, top) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(all).filter(([, one]) => typeof one === "object" && one !== null && "script" in one),
    ) as Record<string, GitlabJob>;
  }

  async #job(
    name: string,
    job: GitlabJob,
    pipeline: Pipeline,
    predefined: Readonly<Record<string, string>>,
  ): Promise<{ failed: boolean; log: string }> {
    const id = this.newId();
    const ran: RanJob = { id, name, status: "running", ref: pipeline.ref, tag: false, pipeline };
    this.jobs.push(ran);
    const place = join(this.#folder, "work", String(id));
    const [workspace, home, temp] = ["workspace", "home", "temp"].map((part) => join(place, part)) as [
      string,
      string,
      string,
    ];
    for (const folder of [home, temp]) mkdirSync(folder, { recursive: true });
    execFileSync("git", ["clone", "--quiet", this.repository, workspace], { stdio: "ignore" });
    execFileSync("git", ["-C", workspace, "checkout", "--quiet", pipeline.sha]);
    // Protected variables are those of the default branch's pipelines, and each is of one environment.
    const isProtected = pipeline.ref === "main";
    const { port } = this.#server.address() as AddressInfo;
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      TMPDIR: temp,
      CI: "true",
      CI_JOB_TOKEN: JOB_TOKEN,
      CI_JOB_ID: String(id),
      CI_JOB_URL: `https://host.example/acme/platform/-/jobs/${id}`,
      CI_PROJECT_ID: "1",
      CI_PROJECT_DIR: workspace,
      CI_PROJECT_URL: `file://${join(this.#folder, "host", "acme", "platform")}`,
      CI_PROJECT_VISIBILITY: this.visibility,
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PIPELINE_ID: String(pipeline.id),
      CI_COMMIT_SHA: pipeline.sha,
      ...predefined,
      ...job.variables,
      ...(isProtected && job.environment !== undefined ? this.variables[job.environment.name] : {}),
    };
    const done = await bash(job.script.join("\n"), workspace, environment);
    ran.status = done.failed ? "failed" : "success";
    const kept = job.artifacts.paths.flatMap((path) => globbed(path, workspace));
    if (kept.length > 0) ran.artifacts_file = { filename: "artifacts.zip" };
    for (const path of kept) {
      const target = join(this.artifacts(id), path);
      mkdirSync(dirname(target), { recursive: true });
      // As they are, links among them.
      execFileSync("cp", ["-a", join(workspace, path), target]);
    }
    return { failed: done.failed, log: `${done.log}\n` };
  }

  #git(...words: readonly string[]): string {
    return execFileSync("git", ["-C", this.repository, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  }

  #answer(method: string, url: URL, fields: Readonly<Record<string, string>>): object | undefined {
    if (url.pathname === "/api/v4/user") return { id: BOT };
    const rest = url.pathname.replace("/api/v4/projects/1/", "");
    const [kind = "", first = "", second = "", third = ""] = rest.split("/");
    const asked = url.searchParams;
    const author = { id: BOT };
    const paged = (all: readonly object[]) =>
      all.slice(100 * (Number(asked.get("page")) - 1), 100 * Number(asked.get("page")));
    if (kind === "jobs" && first === "") return paged(this.jobs.toReversed());
    if (kind === "jobs") {
      const folder = this.artifacts(Number(first));
      return existsSync(folder) ? zipSync(zipped(folder)) : undefined;
    }
    if (kind === "pipelines")
      return paged(this.jobs.filter(({ pipeline }) => String(pipeline.id) === first).toReversed());
    if (kind === "resource_groups") {
      this.resourceGroups[first] = fields["process_mode"] ?? "";
      return {};
    }
    if (kind === "statuses") {
      const pipeline = this.pipelines.find(({ id }) => String(id) === fields["pipeline_id"]);
      // A fork's commit is on no branch.
      if (pipeline === undefined && this.#git("branch", "--contains", first).trim() === "") return undefined;
      this.statuses.push({ id: this.newId(), sha: first, author, ...fields } as unknown as Status);
      return {};
    }
    if (kind === "repository" && first === "merge_base")
      return { id: this.#git("merge-base", ...asked.getAll("refs[]")).trim() };
    if (kind === "repository" && third === "statuses")
      return this.statuses.filter(({ sha, name }) => sha === second && name === asked.get("name"));
    if (kind === "repository" && third === "merge_requests")
      return this.mergeRequests.filter(({ merge_commit_sha }) => merge_commit_sha === second);
    if (kind === "repository")
      return { parent_ids: this.#git("show", "--no-patch", "--format=%P", second).trim().split(" ") };
    if (kind === "issues") return this.#written(this.issues, method, first, fields, "opened");
    if (kind !== "merge_requests") return undefined;
    const request = this.mergeRequests.find(({ iid }) => String(iid) === first);
    if (request === undefined) return paged(this.mergeRequests.filter(({ state }) => state === "opened"));
    if (second === "pipelines")
      return paged(
        this.pipelines.filter(({ ref }) => ref.startsWith(`refs/merge-requests/${first}/`)).toReversed(),
      );
    if (second === "diffs") {
      const names = this.#git("diff", "--name-only", `main...${request.sha}`).trim().split("\n");
      return paged(names.map((name) => ({ old_path: name, new_path: name })));
    }
    return this.#written(this.notes, method, third, fields, undefined, request.iid);
  }

  /** Notes of a merge request, or issues. */
  #written(
    all: Written[],
    method: string,
    key: string,
    fields: Readonly<Record<string, string>>,
    state?: string,
    iid?: number,
  ): object | undefined {
    if (method === "GET")
      return all.filter((one) => (iid === undefined ? one.state === "opened" : one.iid === iid));
    if (method === "POST") {
      const id = this.newId();
      all.push({
        id,
        iid: iid ?? id,
        author: { id: BOT },
        ...(state === undefined ? {} : { state }),
        ...fields,
      });
      return {};
    }
    const one = all.find(({ id }) => String(id) === key);
    if (one === undefined) return undefined;
    const { state_event, ...rest } = fields;
    return Object.assign(one, rest, state_event === "close" ? { state: "closed" } : {});
  }
}

function applies(
  rule: GitlabJob["rules"][number],
  variables: Readonly<Record<string, string>>,
  changed: readonly string[],
): boolean {
  const valueOf = (text: string) => (text.startsWith("$") ? variables[text.slice(1)] : text.slice(1, -1));
  const holds = rule.if.split(" && ").every((part) => {
    const [left = "", right = ""] = part.split(" == ");
    return valueOf(left) === valueOf(right);
  });
  const paths = rule.changes?.map((path) => path.replace(/\*\*\/\*$/, ""));
  return (
    holds && (paths === undefined || changed.some((file) => paths.some((path) => file.startsWith(path))))
  );
}

/** A folder as it is, with links as links. */
function zipped(folder: string): Zippable {
  const files: Zippable = {};
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const facts = lstatSync(path);
    if (facts.isDirectory()) files[name] = zipped(path);
    else if (facts.isSymbolicLink())
      files[name] = [Buffer.from(readlinkSync(path)), { os: 3, attrs: 0o120777 << 16 }];
    else files[name] = readFileSync(path);
  }
  return files;
}

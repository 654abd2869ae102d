/** Imitates GitLab's REST API (version 4), as its documentation has it, as far as the pipelines ask it. */
import { type HostAnswer, type HostRequest, RestHost } from "./rest-host";

export const GITLAB_TOKEN = "glpat-token_of_the_project";

/** Whom the token belongs to. */
export const GITLAB_BOT = { id: 77, username: "project_1_bot" };

export interface GitlabMergeRequest {
  readonly iid: number;
  state: "opened" | "closed" | "merged";
  sha: string;
  source_branch: string;
  target_branch: string;
  source_project_id: number;
  merge_commit_sha?: string | null;
  squash_commit_sha?: string | null;
  /** False: GitLab cannot merge it. */
  mergeable?: boolean;
}

export interface GitlabPipeline {
  readonly id: number;
  /** Of the merge request that it belongs to. */
  readonly iid?: number;
  readonly project_id: number;
  sha: string;
  ref: string;
  source: string;
  status: string;
}

export interface GitlabApiJob {
  readonly id: number;
  readonly pipeline: GitlabPipeline;
  name: string;
  status: string;
  ref: string;
  tag: boolean;
  /** What it left, by path. */
  files: Record<string, Buffer>;
}

interface GitlabText {
  readonly id: number;
  /** Of the merge request, or of the issue itself. */
  readonly iid: number;
  readonly author: { readonly id: number };
  state?: string;
  title?: string;
  body?: string;
  description?: string;
}

export class GitlabApi extends RestHost {
  visibility = "private";
  readonly mergeRequests: GitlabMergeRequest[] = [];
  readonly pipelines: GitlabPipeline[] = [];
  readonly jobs: GitlabApiJob[] = [];
  readonly notes: GitlabText[] = [];
  readonly issues: GitlabText[] = [];
  readonly statuses: {
    id: number;
    sha: string;
    status: string;
    name: string;
    description: string;
    pipeline_id?: string;
    author: { id: number };
  }[] = [];
  /** By commit. */
  readonly parents: Record<string, readonly string[]> = {};
  #ids = 1000;

  static async start(): Promise<GitlabApi> {
    return new GitlabApi(GITLAB_TOKEN).listen();
  }

  /** What a job of a pipeline finds in its environment. */
  environment(pipeline: GitlabPipeline, token = GITLAB_TOKEN): Record<string, string> {
    return {
      CI: "true",
      GITLAB_CI: "true",
      CI_API_V4_URL: `${this.url}/api/v4`,
      CI_COMMIT_SHA: pipeline.sha,
      CI_DEFAULT_BRANCH: "main",
      CI_JOB_URL: "https://gitlab.example/acme/platform/-/jobs/1",
      CI_PIPELINE_ID: String(pipeline.id),
      CI_PROJECT_ID: "1",
      CI_PROJECT_URL: "https://gitlab.example/acme/platform",
      TENANCY_GITLAB_TOKEN: token,
    };
  }

  addPipeline(
    about: Pick<GitlabPipeline, "sha" | "ref" | "source"> & Partial<GitlabPipeline>,
  ): GitlabPipeline {
    const pipeline = { id: ++this.#ids, project_id: 1, status: "running", ...about };
    this.pipelines.push(pipeline);
    return pipeline;
  }

  addJob(pipeline: GitlabPipeline, name: string, files: Record<string, Buffer> = {}): GitlabApiJob {
    const job = { id: ++this.#ids, pipeline, name, status: "success", ref: pipeline.ref, tag: false, files };
    this.jobs.push(job);
    return job;
  }

  protected answer({ method, path, query, body }: HostRequest): HostAnswer {
    if (path === "/api/v4/user") return GITLAB_BOT;
    const [, rest] = /^\/api\/v4\/projects\/1(?:\/(.*))?$/.exec(path) ?? [];
    if (path === "/api/v4/projects/1") return { default_branch: "main", visibility: this.visibility };
    if (rest === undefined) return undefined;
    const [kind = "", first = "", second = "", ...further] = rest.split("/");
    if (kind === "jobs" && first === "")
      return this.paged(
        this.jobs
          .filter(({ status }) => query.getAll("scope[]").includes(status))
          .toReversed()
          .map(shownJob),
        query,
      );
    if (kind === "jobs") {
      const job = this.jobs.find(({ id }) => String(id) === first);
      return second === "artifacts" ? job?.files[further.join("/")] : job && shownJob(job);
    }
    if (kind === "pipelines") {
      const pipeline = this.pipelines.find(({ id }) => String(id) === first);
      if (second !== "jobs") return pipeline;
      const jobs = this.jobs.filter((job) => job.pipeline === pipeline);
      // Of a job that was run again, the newest is shown.
      const isRetried = ({ id, name }: GitlabApiJob) => jobs.some((one) => one.name === name && one.id > id);
      return this.paged(jobs.filter((job) => !isRetried(job)).map(shownJob), query);
    }
    if (kind === "repository") return this.#commit(second, further[0] ?? "", query);
    if (kind === "statuses") return this.#status(first, body);
    if (kind === "merge_requests")
      return this.#mergeRequests(method, [first, second, further[0] ?? ""], query, body);
    return kind === "issues" ? this.#issues(method, first, query, body) : undefined;
  }

  #commit(sha: string, kind: string, query: URLSearchParams): HostAnswer {
    if (kind === "statuses")
      return this.paged(
        this.statuses.filter((one) => one.sha === sha && one.name === query.get("name")),
        query,
      );
    if (kind === "merge_requests")
      return this.paged(
        this.mergeRequests.filter(
          (one) =>
            [one.sha, one.merge_commit_sha, one.squash_commit_sha].includes(sha) &&
            ["all", one.state].includes(query.get("state") ?? ""),
        ),
        query,
      );
    const parents = this.parents[sha];
    return parents && { id: sha, parent_ids: parents };
  }

  #status(sha: string, body: Record<string, unknown>): HostAnswer {
    const { state = "", name = "", description = "", pipeline_id: id } = body as Record<string, string>;
    if (!["pending", "running", "success", "failed", "canceled"].includes(state) || description.length > 255)
      return { status: 400, message: "state does not have a valid value" };
    // A fork's commit is in no pipeline of the project.
    if (id === undefined && !this.pipelines.some((one) => one.sha === sha)) return undefined;
    if (id !== undefined && !this.pipelines.some((one) => String(one.id) === id && one.sha === sha))
      return undefined;
    this.statuses.push({
      id: ++this.#ids,
      sha,
      status: state,
      name,
      description,
      author: GITLAB_BOT,
      ...(id !== undefined && { pipeline_id: id }),
    });
    return { id: this.#ids };
  }

  #mergeRequests(
    method: string,
    [first = "", second = "", third = ""]: string[],
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): HostAnswer {
    if (first === "")
      return this.paged(
        this.mergeRequests.filter(
          (one) =>
            ["all", one.state].includes(query.get("state") ?? "all") &&
            (query.get("target_branch") ?? one.target_branch) === one.target_branch &&
            (query.get("source_branch") ?? one.source_branch) === one.source_branch,
        ),
        query,
      );
    const request = this.mergeRequests.find(({ iid }) => String(iid) === first);
    if (request === undefined || second === "") return request;
    if (second === "merge_ref")
      return request.mergeable === false
        ? { status: 400, message: "Merge request is not mergeable" }
        : { commit_id: "" };
    if (second === "pipelines")
      return this.paged(this.pipelines.filter(({ iid }) => iid === request.iid).toReversed(), query);
    if (second !== "notes") return undefined;
    if (method === "GET")
      return this.paged(
        this.notes.filter(({ iid }) => iid === request.iid),
        query,
      );
    if (method === "POST") {
      this.notes.push({ id: ++this.#ids, iid: request.iid, author: GITLAB_BOT, body: String(body["body"]) });
      return { id: this.#ids };
    }
    const note = this.notes.find(({ id }) => String(id) === third);
    if (note?.author.id !== GITLAB_BOT.id) return { status: 403, message: "Forbidden" };
    return Object.assign(note, body);
  }

  #issues(method: string, first: string, query: URLSearchParams, body: Record<string, unknown>): HostAnswer {
    if (method === "GET")
      return this.paged(
        this.issues.filter(
          ({ state, author }) =>
            state === query.get("state") && String(author.id) === (query.get("author_id") ?? ""),
        ),
        query,
      );
    if (method === "PUT") {
      const issue = this.issues.find(({ iid }) => String(iid) === first);
      const { state_event: event, ...rest } = body;
      return issue && Object.assign(issue, rest, event === "close" ? { state: "closed" } : {});
    }
    const id = ++this.#ids;
    this.issues.push({ id, iid: id, author: GITLAB_BOT, state: "opened", ...body });
    return { id };
  }
}

function shownJob({ files, ...job }: GitlabApiJob): object {
  return { ...job, artifacts_file: Object.keys(files).length === 0 ? null : { filename: "artifacts.zip" } };
}

/** GitHub and GitLab as a project's merges meet them: runs, their jobs, what a job leaves, and what the host was told. */
import { below, type Place } from "../../src/pipeline";
import { GITHUB_TOKEN, GithubApi } from "./github-api";
import { GITLAB_TOKEN, GitlabApi } from "./gitlab-api";

export const HOSTS = ["github", "gitlab"] as const;
export type HostName = (typeof HOSTS)[number];

/** A run of a workflow, or a pipeline. */
export interface HostedRun {
  readonly id: number;
}

/** A job that has begun. */
interface HostedJob {
  /** What it finds in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** @param files that it leaves for others, by their names in its folder for them */
  end(hasSucceeded: boolean, files: Readonly<Record<string, Buffer>>): void;
}

export interface MergeHost {
  readonly name: HostName;
  readonly api: GithubApi | GitlabApi;
  readonly token: string;
  /** The variable by which a job of this host is known. */
  readonly mark: Readonly<Record<string, string>>;
  /** Notes a pull request that was merged as this commit. */
  merged(number: number, sha: string): void;
  /** A run of the default branch whose job without secrets left this archive. */
  packed(commit: string, event: string, archive: Buffer): HostedRun;
  begin(
    run: HostedRun,
    job: { readonly verb: string; readonly stack: string; readonly attempt: number },
  ): HostedJob;
  readonly comments: readonly { readonly pull: number; readonly body: string }[];
  readonly issues: readonly { readonly isOpen: boolean; readonly title: string; readonly body: string }[];
  /** An issue of somebody else. */
  addIssue(body: string): void;
  /** All that the host was told. */
  readonly said: string;
}

export async function mergeHost(name: HostName, place: Place): Promise<MergeHost> {
  return name === "github"
    ? new GithubMerges(await GithubApi.start(), place)
    : new GitlabMerges(await GitlabApi.start(), place);
}

class GithubMerges implements MergeHost {
  readonly name = "github";
  readonly token = GITHUB_TOKEN;
  readonly mark = { GITHUB_ACTIONS: "true" };

  constructor(
    readonly api: GithubApi,
    private readonly place: Place,
  ) {}

  merged(number: number, sha: string): void {
    this.api.pulls.push({
      ...{ number, state: "closed", head: { sha, ref: `change-${number}` }, base: { ref: "main" } },
      ...{ merge_commit_sha: sha, merged_at: "2026-11-26T00:00:00Z" },
    });
  }

  packed(commit: string, event: string, archive: Buffer): HostedRun {
    const file = `${this.place.prefix}tenancy.yml`;
    const run = this.api.addRun({
      ...{ file, event, head_sha: commit, status: "in_progress", conclusion: null },
    });
    this.api.upload(run, "tenancy-stacks", { "tenancy-stacks.json": new Uint8Array(archive) });
    return run;
  }

  begin(hosted: HostedRun, { verb, stack, attempt }: Parameters<MergeHost["begin"]>[1]): HostedJob {
    const run = this.api.runs.find(({ id }) => id === hosted.id);
    if (run === undefined) throw new Error(`there is no run ${hosted.id}`);
    const listed = (run.jobs[attempt] ??= []);
    const entry: (typeof listed)[number] = {
      ...{ name: `${verb} (${stack})`, status: "in_progress", conclusion: null },
    };
    listed.push(entry);
    return {
      environment: {
        ...this.api.environment(run, run.head_sha),
        GITHUB_RUN_ATTEMPT: String(attempt),
      },
      end: (hasSucceeded, files) => {
        Object.assign(entry, { status: "completed", conclusion: hasSucceeded ? "success" : "failure" });
        const zipped = Object.entries(files).map(([name, file]) => [name, new Uint8Array(file)] as const);
        if (zipped.length > 0) this.api.upload(run, `tenancy-${stack}`, Object.fromEntries(zipped));
      },
    };
  }

  get comments() {
    return this.api.comments.map(({ issue, body }) => ({ pull: issue, body }));
  }

  get issues() {
    return this.api.issues.map(({ state, title, body }) => ({ isOpen: state === "open", title, body }));
  }

  addIssue(body: string): void {
    this.api.issues.push({ number: 1, state: "open", user: { login: "mallory" }, title: "Drift", body });
  }

  get said(): string {
    const { comments, issues, statuses } = this.api;
    return JSON.stringify([comments, issues, statuses]);
  }
}

class GitlabMerges implements MergeHost {
  readonly name = "gitlab";
  readonly token = GITLAB_TOKEN;
  readonly mark = { GITLAB_CI: "true" };

  constructor(
    readonly api: GitlabApi,
    private readonly place: Place,
  ) {}

  merged(iid: number, sha: string): void {
    this.api.mergeRequests.push({
      ...{ iid, state: "merged", sha, merge_commit_sha: sha },
      ...{ source_branch: `change-${iid}`, target_branch: "main", source_project_id: 1 },
    });
  }

  packed(sha: string, event: string, archive: Buffer): HostedRun {
    const pipeline = this.api.addPipeline({ sha, ref: "main", source: event });
    const path = `${below(this.place)}tenancy-stacks.json`;
    this.api.addJob(pipeline, `${this.place.prefix}tenancy-pack`, { [path]: archive });
    return pipeline;
  }

  /** A job that is run again is another job of the same pipeline. */
  begin(hosted: HostedRun, { verb, stack }: Parameters<MergeHost["begin"]>[1]): HostedJob {
    const pipeline = this.api.pipelines.find(({ id }) => id === hosted.id);
    if (pipeline === undefined) throw new Error(`there is no pipeline ${hosted.id}`);
    const job = this.api.addJob(pipeline, `${this.place.prefix}tenancy-${verb}-${stack}`);
    job.status = "running";
    return {
      environment: { ...this.api.environment(pipeline), CI_JOB_ID: String(job.id) },
      end: (hasSucceeded, files) => {
        job.status = hasSucceeded ? "success" : "failed";
        const folder = `${below(this.place)}tenancy-out`;
        for (const [name, file] of Object.entries(files)) job.files[`${folder}/${name}`] = file;
      },
    };
  }

  get comments() {
    return this.api.notes.map(({ iid, body = "" }) => ({ pull: iid, body }));
  }

  get issues() {
    return this.api.issues.map(({ state, title = "", description = "" }) => ({
      ...{ isOpen: state === "opened", title, body: description },
    }));
  }

  addIssue(description: string): void {
    this.api.issues.push({
      ...{ id: 1, iid: 1, state: "opened", author: { id: 5 }, title: "Drift", description },
    });
  }

  get said(): string {
    const { notes, issues, statuses } = this.api;
    return JSON.stringify([notes, issues, statuses]);
  }
}

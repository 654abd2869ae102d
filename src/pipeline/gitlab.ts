/** GitLab, as its REST API describes it (version 4). */
import { hostFailed, unfitArchive } from "../problems";
import { type Environment, isList, isObject, type ObjectValue } from "../lib/values";
import {
  ARCHIVE_FILE,
  type Host,
  type HostRun,
  type HostStatus,
  type JobOutcome,
  LARGEST_ARCHIVE,
  LARGEST_SNAPSHOT,
  type PullRequest,
  type PullRequestBuild,
  snapshotFile,
  shortStatus,
} from "./host";
import { below, type Place, statusName } from "./place";
import { Rest, requiredVariable, wordOf } from "./rest";

/** A job or a pipeline in one of these states is over. */
const OVER = new Set(["success", "failed", "canceled", "skipped"]);

export class GitlabHost implements Host {
  readonly kind = "gitlab";
  readonly run: HostRun;
  readonly gitAuthorization: string;
  readonly #rest: Rest;
  readonly #project: string;
  readonly #projectId: string;
  readonly #place: Place;
  #user: string | undefined;
  #defaultBranch: string | undefined;

  /** @throws unfitPipeline */
  constructor(environment: Environment, place: Place, signal?: AbortSignal) {
    const variable = (name: string) => requiredVariable(environment, name);
    const token = requiredVariable(
      environment,
      "TENANCY_GITLAB_TOKEN",
      "Make it a protected variable of the job's environment: an access token of the project, with the scope `api`.",
    );
    this.run = {
      id: variable("CI_PIPELINE_ID"),
      commit: variable("CI_COMMIT_SHA"),
      url: variable("CI_JOB_URL"),
    };
    this.gitAuthorization = `Authorization: Basic ${Buffer.from(`tenancy:${token}`).toString("base64")}`;
    this.#projectId = variable("CI_PROJECT_ID");
    this.#project = `/projects/${encodeURIComponent(this.#projectId)}`;
    this.#place = place;
    this.#rest = new Rest({
      host: "GitLab",
      baseUrl: variable("CI_API_V4_URL"),
      headers: { authorization: `Bearer ${token}` },
      environment,
      signal,
    });
  }

  async project() {
    const { default_branch: branch, visibility } = await this.#rest.get(this.#project);
    this.#defaultBranch = wordOf(branch);
    return { defaultBranch: wordOf(branch), isPublic: visibility !== "private" && visibility !== "internal" };
  }

  async builds(): Promise<readonly PullRequestBuild[]> {
    const branch = encodeURIComponent(await this.#branch());
    const open = await this.#rest.list(
      `${this.#project}/merge_requests?state=opened&target_branch=${branch}`,
    );
    const builds: PullRequestBuild[] = [];
    for (const request of open) {
      const build = await this.#buildOf(request);
      if (build !== undefined) builds.push(build);
    }
    return builds;
  }

  /**
   * The newest pipeline for the very commit that the merge request ends with, or for its merge, in this project: a fork's pipeline is the fork's.
   * @returns undefined while its job is under way: the next round has it
   */
  async #buildOf({ iid, sha, source_branch: branch }: ObjectValue): Promise<PullRequestBuild | undefined> {
    const head = wordOf(sha);
    const absent = {
      id: undefined,
      head,
      headBranch: wordOf(branch),
      statusCommit: head,
      hasSucceeded: false,
    };
    const pipelines = (await this.#rest.list(`${this.#project}/merge_requests/${wordOf(iid)}/pipelines`))
      .filter(({ project_id: project }) => wordOf(project) === this.#projectId)
      .filter(({ source }) => source === "merge_request_event")
      .toSorted((a, b) => Number(b["id"]) - Number(a["id"]));
    for (const { id, ref, sha: itsCommit } of pipelines) {
      if (itsCommit !== sha) {
        if (ref !== `refs/merge-requests/${wordOf(iid)}/merge`) continue;
        const { parent_ids: parents } = await this.#rest.get(
          `${this.#project}/repository/commits/${wordOf(itsCommit)}`,
        );
        if (!isList(parents) || !parents.includes(head)) continue;
      }
      const pipelineBuild = { ...absent, statusCommit: wordOf(itsCommit), statusRun: wordOf(id) };
      const job = await this.#packJob(wordOf(id));
      if (job === undefined) return pipelineBuild;
      const status = wordOf(job["status"]);
      if (!OVER.has(status)) return undefined;
      return { ...pipelineBuild, id: wordOf(job["id"]), hasSucceeded: status === "success" };
    }
    return absent;
  }

  async #packJob(pipeline: string): Promise<ObjectValue | undefined> {
    const jobs = await this.#rest.list(`${this.#project}/pipelines/${pipeline}/jobs?include_retried=false`);
    return jobs.find(({ name }) => name === `${this.#place.prefix}tenancy-pack`);
  }

  async pullRequestsOf({ head, headBranch }: PullRequestBuild): Promise<readonly PullRequest[]> {
    const branch = encodeURIComponent(headBranch);
    const lists = [
      await this.#rest.list(`${this.#project}/repository/commits/${head}/merge_requests?state=all`),
      await this.#rest.list(`${this.#project}/merge_requests?state=all&source_branch=${branch}`),
    ];
    const requests = lists.flat().map(mergeRequestOf);
    return [...new Map(requests.map((one) => [one.number, one])).values()].filter((one) => one.head === head);
  }

  async pullRequest(number: number): Promise<PullRequest> {
    return mergeRequestOf(await this.#rest.get(`${this.#project}/merge_requests/${number}`));
  }

  /** The request makes GitLab compute the merge again. */
  async mergeRef(number: number): Promise<string | undefined> {
    try {
      await this.#rest.get(`${this.#project}/merge_requests/${number}/merge_ref`);
    } catch (error) {
      if (hostFailed.is(error) && /^400\b/.test(error.facts.because)) return undefined;
      throw error;
    }
    return `refs/merge-requests/${number}/merge`;
  }

  async archiveOf({ id = "" }: PullRequestBuild): Promise<Buffer> {
    return this.#archive(id);
  }

  async ownArchive(): Promise<Buffer> {
    return this.#archive(wordOf((await this.#packJob(this.run.id))?.["id"]));
  }

  async #archive(job: string): Promise<Buffer> {
    const archive = `${ARCHIVE_FILE} of the job ${job || "tenancy-pack"}`;
    const text = job && (await this.#file(job, ARCHIVE_FILE, LARGEST_ARCHIVE, archive));
    if (!text) throw unfitArchive.error({ archive, problem: "there is none, or it has expired" });
    return text;
  }

  /** One file of a job's artifacts, which GitLab extracts from the archive. */
  #file(job: string, path: string, limit: number, archive: string): Promise<Buffer | undefined> {
    const whole = `${below(this.#place)}${path}`.split("/").map(encodeURIComponent).join("/");
    return this.#rest.download(`${this.#project}/jobs/${job}/artifacts/${whole}`, limit, archive);
  }

  /** By the pipeline that made it, and not by a job's name alone: a merge request can have a job of any name. */
  async newestSnapshot(stack: string): Promise<Buffer | undefined> {
    const branch = await this.#branch();
    const names = ["apply", "nightly"].map((verb) => `${this.#place.prefix}tenancy-${verb}-${stack}`);
    const path = `${this.#project}/jobs?scope[]=success&scope[]=failed`;
    for await (const page of this.#rest.pages(path))
      for (const { id, name, ref, tag, artifacts_file: file } of page) {
        if (!names.includes(wordOf(name)) || ref !== branch || tag !== false || !isObject(file)) continue;
        const archive = `the snapshot of the job ${wordOf(id)}`;
        const snapshot = await this.#file(
          wordOf(id),
          `tenancy-out/${snapshotFile(stack)}`,
          LARGEST_SNAPSHOT,
          archive,
        );
        if (snapshot !== undefined) return snapshot;
      }
    return undefined;
  }

  async keepComment(number: number, marker: string, text: string): Promise<void> {
    const path = `${this.#project}/merge_requests/${number}/notes`;
    const user = await this.#ownId();
    await this.#rest.settled(async () => {
      const own = (await this.#rest.list(`${path}?sort=asc`)).find(
        ({ author, body }) => isBy(author, user) && wordOf(body).startsWith(marker),
      );
      if (own === undefined) await this.addComment(number, text);
      else if (own["body"] !== text)
        await this.#rest.send("PUT", `${path}/${wordOf(own["id"])}`, { body: text });
    });
  }

  async addComment(number: number, text: string): Promise<void> {
    await this.#rest.send("POST", `${this.#project}/merge_requests/${number}/notes`, { body: text });
  }

  /** A status that says the same already is left alone: reviews come every few minutes. */
  async setStatus(build: PullRequestBuild, { state, text }: HostStatus): Promise<void> {
    const name = statusName(this.#place);
    const status = {
      state: state === "success" ? "success" : "failed",
      name,
      description: shortStatus(text),
      target_url: this.run.url,
      ...(build.statusRun !== undefined && { pipeline_id: build.statusRun }),
    };
    const path = `${this.#project}/repository/commits/${build.statusCommit}/statuses?name=${encodeURIComponent(name)}`;
    try {
      const [newest] = (await this.#rest.list(path)).toSorted((a, b) => Number(b["id"]) - Number(a["id"]));
      const isSame =
        newest !== undefined &&
        isBy(newest["author"], await this.#ownId()) &&
        newest["status"] === status.state &&
        newest["description"] === status.description;
      if (!isSame) await this.#rest.send("POST", `${this.#project}/statuses/${build.statusCommit}`, status);
    } catch (error) {
      // GitLab may know no branch with a fork's commit, and takes no status of it then.
      if (build.statusRun !== undefined) throw error;
    }
  }

  async jobs(): Promise<ReadonlyMap<string, JobOutcome>> {
    const jobs = await this.#rest.list(
      `${this.#project}/pipelines/${this.run.id}/jobs?include_retried=false`,
    );
    return new Map(
      jobs.map(({ name, status }) => [
        wordOf(name),
        !OVER.has(wordOf(status)) ? "unfinished" : status === "success" ? "success" : "failure",
      ]),
    );
  }

  async keepIssue(
    marker: string,
    issue: { readonly title: string; readonly text: string } | undefined,
  ): Promise<void> {
    const path = `${this.#project}/issues`;
    const user = await this.#ownId();
    const texts = issue && { title: issue.title, description: issue.text };
    await this.#rest.settled(async () => {
      const own = (await this.#rest.list(`${path}?state=opened&author_id=${user}`)).find(
        ({ author, description }) => isBy(author, user) && wordOf(description).startsWith(marker),
      );
      if (own !== undefined)
        await this.#rest.send("PUT", `${path}/${wordOf(own["iid"])}`, texts ?? { state_event: "close" });
      else if (texts !== undefined) await this.#rest.send("POST", path, texts);
    });
  }

  async isRunOver(id: string): Promise<boolean> {
    const { status } = await this.#rest.get(`${this.#project}/pipelines/${encodeURIComponent(id)}`);
    return OVER.has(wordOf(status));
  }

  async mergedPullRequest(commit: string): Promise<number | undefined> {
    const branch = await this.#branch();
    const merged = await this.#rest.list(
      `${this.#project}/repository/commits/${encodeURIComponent(commit)}/merge_requests?state=merged`,
    );
    const merge = merged.find(
      (one) =>
        one["target_branch"] === branch &&
        [one["merge_commit_sha"], one["squash_commit_sha"], one["sha"]].includes(commit),
    );
    return merge === undefined ? undefined : Number(merge["iid"]);
  }

  async close(): Promise<void> {
    await this.#rest.close();
  }

  async #branch(): Promise<string> {
    return this.#defaultBranch ?? (await this.project()).defaultBranch;
  }

  /** Whom the token belongs to. */
  async #ownId(): Promise<string> {
    return (this.#user ??= wordOf((await this.#rest.get("/user"))["id"]));
  }
}

function isBy(author: ObjectValue[string] | undefined, user: string): boolean {
  return isObject(author) && wordOf(author["id"]) === user;
}

function mergeRequestOf({ iid, state, sha, target_branch: branch }: ObjectValue): PullRequest {
  return {
    number: Number(iid),
    isOpen: state === "opened",
    head: wordOf(sha),
    baseBranch: wordOf(branch),
  };
}

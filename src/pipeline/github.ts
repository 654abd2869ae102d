/** GitHub, as its REST API describes it (version 2022-11-28). */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { unfitArchive, unfitPipeline } from "../problems";
import { compareText, type Environment, isObject, type ObjectValue, parseJson } from "../lib/values";
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
import { type Place, statusName } from "./place";
import { Rest, requiredVariable, wordOf } from "./rest";
import { fileFromZip } from "./zip";

/** Who writes with the token of a workflow. */
const BOT = "github-actions[bot]";
/** Artifact with the output of `ci pack`. */
const STACKS_ARTIFACT = "tenancy-stacks";
/** Runs of the default branch that are looked through for a snapshot. */
const MOST_RUNS = 30;
/** Events that start a run which takes snapshots. */
const OF_THE_DEFAULT_BRANCH = new Set(["push", "schedule", "workflow_dispatch"]);

export class GithubHost implements Host {
  readonly kind = "github";
  readonly run: HostRun;
  readonly gitAuthorization: string;
  readonly #rest: Rest;
  readonly #repository: string;
  readonly #attempt: string;
  readonly #place: Place;
  readonly #event: string | undefined;
  #defaultBranch: string | undefined;

  /** @throws unfitPipeline */
  constructor(environment: Environment, place: Place, signal?: AbortSignal) {
    const variable = (name: string) => requiredVariable(environment, name);
    const token = requiredVariable(
      environment,
      "GITHUB_TOKEN",
      "Hand it on in the step: `GITHUB_TOKEN: ${{ github.token }}`.",
    );
    const repository = variable("GITHUB_REPOSITORY");
    const id = variable("GITHUB_RUN_ID");
    this.run = {
      id,
      commit: variable("GITHUB_SHA"),
      url: `${variable("GITHUB_SERVER_URL")}/${repository}/actions/runs/${id}`,
    };
    this.gitAuthorization = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
    this.#repository = `/repos/${repository}`;
    this.#attempt = environment["GITHUB_RUN_ATTEMPT"] || "1";
    this.#place = place;
    this.#event = environment["GITHUB_EVENT_PATH"];
    this.#rest = new Rest({
      host: "GitHub",
      baseUrl: variable("GITHUB_API_URL"),
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
      },
      environment,
      signal,
    });
  }

  async project() {
    const { default_branch: branch, visibility } = await this.#rest.get(this.#repository);
    this.#defaultBranch = wordOf(branch);
    return { defaultBranch: wordOf(branch), isPublic: visibility !== "private" && visibility !== "internal" };
  }

  /** The event that started this run names another run. The host is asked about that one: the event's payload is a file. */
  async builds(): Promise<readonly PullRequestBuild[]> {
    const noEvent = () =>
      unfitPipeline.error({
        problem: "the event that started this run contains no run of a pull request",
        advice: "Run `tenancy ci review` in a workflow that `workflow_run` starts.",
      });
    const payload = await readFile(this.#event ?? "", "utf8").then(parseJson, () => null);
    const started = isObject(payload) ? payload["workflow_run"] : undefined;
    if (!isObject(started)) throw noEvent();
    const id = wordOf(started["id"]);
    const run = await this.#rest.get(`${this.#repository}/actions/runs/${encodeURIComponent(id)}`);
    if (run["event"] !== "pull_request") throw noEvent();
    const head = wordOf(run["head_sha"]);
    const owner = isObject(run["head_repository"]) ? run["head_repository"]["owner"] : undefined;
    return [
      {
        id: wordOf(run["id"]),
        head,
        headBranch: `${isObject(owner) ? wordOf(owner["login"]) : ""}:${wordOf(run["head_branch"])}`,
        statusCommit: head,
        hasSucceeded: run["conclusion"] === "success",
      },
    ];
  }

  /**
   * Two lists, since neither is whole: the first has open ones of every branch that holds the commit, the second closed ones of this branch, too.
   */
  async pullRequestsOf({ head, headBranch }: PullRequestBuild): Promise<readonly PullRequest[]> {
    const branch = encodeURIComponent(headBranch);
    const lists = [
      await this.#rest.list(`${this.#repository}/commits/${encodeURIComponent(head)}/pulls`),
      await this.#rest.list(`${this.#repository}/pulls?state=all&head=${branch}`),
    ];
    const pulls = lists.flat().map(pullRequestOf);
    return [...new Map(pulls.map((pull) => [pull.number, pull])).values()].filter(
      (pull) => pull.head === head,
    );
  }

  async pullRequest(number: number): Promise<PullRequest> {
    return pullRequestOf(await this.#rest.get(`${this.#repository}/pulls/${number}`));
  }

  /** GitHub computes it in the background, and says `null` while it does. */
  async mergeRef(number: number): Promise<string | undefined> {
    const { mergeable } = await this.#rest.get(`${this.#repository}/pulls/${number}`);
    return mergeable === false ? undefined : `refs/pull/${number}/merge`;
  }

  async archiveOf({ id, head }: PullRequestBuild): Promise<Buffer> {
    return this.#archive(id ?? "", head);
  }

  async ownArchive(): Promise<Buffer> {
    return this.#archive(this.run.id, this.run.commit);
  }

  /** A run that was run again has an artifact of each attempt: the newest counts. */
  async #archive(run: string, head: string): Promise<Buffer> {
    const archive = `the artifact ${STACKS_ARTIFACT} of run ${run}`;
    const zip = await this.#artifact(run, STACKS_ARTIFACT, head, LARGEST_ARCHIVE, archive);
    const text = zip && (await fileFromZip(zip, ARCHIVE_FILE, LARGEST_ARCHIVE, archive, true));
    if (text === undefined)
      throw unfitArchive.error({
        archive,
        problem: zip === undefined ? "there is none, or it has expired" : `it holds no ${ARCHIVE_FILE}`,
      });
    return text;
  }

  async #artifact(run: string, name: string, head: string, limit: number, archive: string) {
    const path = `${this.#repository}/actions/runs/${encodeURIComponent(run)}/artifacts?name=${encodeURIComponent(name)}`;
    const [newest] = (await this.#rest.list(path, "artifacts"))
      .filter((one) => one["name"] === name && one["expired"] === false)
      .toSorted((a, b) => Number(b["id"]) - Number(a["id"]));
    if (newest === undefined) return undefined;
    const unfit = (problem: string) => unfitArchive.error({ archive, problem });
    const maker = newest["workflow_run"];
    if (!isObject(maker) || wordOf(maker["id"]) !== run || maker["head_sha"] !== head)
      throw unfit("another run, or another commit, has made it");
    if (Number(newest["size_in_bytes"]) > limit) throw unfit(`it is larger than ${limit / 2 ** 20} MiB`);
    const zip = await this.#rest.download(
      `${this.#repository}/actions/artifacts/${wordOf(newest["id"])}/zip`,
      limit,
      archive,
    );
    const digest = wordOf(newest["digest"]);
    // Older servers send no digest.
    if (
      zip !== undefined &&
      digest !== "" &&
      digest !== `sha256:${createHash("sha256").update(zip).digest("hex")}`
    )
      throw unfit("its digest is not the one that the host recorded");
    return zip;
  }

  /** By the run that made it, and not by its name alone: every run can upload an artifact of that name. */
  async newestSnapshot(stack: string): Promise<Buffer | undefined> {
    const branch = this.#defaultBranch ?? (await this.project()).defaultBranch;
    const file = `${this.#place.prefix}tenancy.yml`;
    const { workflow_runs: answer } = await this.#rest.get(
      `${this.#repository}/actions/workflows/${file}/runs?branch=${encodeURIComponent(branch)}&per_page=${MOST_RUNS}`,
    );
    const runs = (Array.isArray(answer) ? answer : [])
      .filter(isObject)
      .filter(
        ({ event, head_branch: on, head_repository: from }) =>
          OF_THE_DEFAULT_BRANCH.has(wordOf(event)) &&
          on === branch &&
          isObject(from) &&
          `/repos/${wordOf(from["full_name"])}` === this.#repository,
      )
      .toSorted((a, b) => compareText(wordOf(b["created_at"]), wordOf(a["created_at"])));
    for (const run of runs) {
      const name = `tenancy-${stack}`;
      const archive = `the artifact ${name} of run ${wordOf(run["id"])}`;
      const head = wordOf(run["head_sha"]);
      const zip = await this.#artifact(wordOf(run["id"]), name, head, LARGEST_SNAPSHOT, archive);
      const snapshot = zip && (await fileFromZip(zip, snapshotFile(stack), LARGEST_SNAPSHOT, archive));
      if (snapshot !== undefined) return snapshot;
    }
    return undefined;
  }

  async keepComment(number: number, marker: string, text: string): Promise<void> {
    await this.#rest.settled(async () => {
      const comments = await this.#rest.list(`${this.#repository}/issues/${number}/comments`);
      const own = comments.find((one) => isOurs(one, marker));
      const path = `${this.#repository}/issues/comments/${wordOf(own?.["id"])}`;
      if (own === undefined) await this.addComment(number, text);
      else if (own["body"] !== text) await this.#rest.send("PATCH", path, { body: text });
    });
  }

  async addComment(number: number, text: string): Promise<void> {
    await this.#rest.send("POST", `${this.#repository}/issues/${number}/comments`, { body: text });
  }

  async setStatus({ statusCommit }: PullRequestBuild, { state, text }: HostStatus): Promise<void> {
    await this.#rest.send("POST", `${this.#repository}/statuses/${statusCommit}`, {
      state,
      context: statusName(this.#place),
      description: shortStatus(text),
      target_url: this.run.url,
    });
  }

  async jobs(): Promise<ReadonlyMap<string, JobOutcome>> {
    const path = `${this.#repository}/actions/runs/${this.run.id}/attempts/${this.#attempt}/jobs`;
    const jobs = await this.#rest.list(path, "jobs");
    return new Map(
      jobs.map(({ name, status, conclusion }) => [
        wordOf(name),
        status !== "completed" ? "unfinished" : conclusion === "success" ? "success" : "failure",
      ]),
    );
  }

  async keepIssue(
    marker: string,
    issue: { readonly title: string; readonly text: string } | undefined,
  ): Promise<void> {
    const path = `${this.#repository}/issues`;
    const texts = issue && { title: issue.title, body: issue.text };
    await this.#rest.settled(async () => {
      const open = await this.#rest.list(`${path}?state=open&creator=${encodeURIComponent(BOT)}`);
      const own = open.find((one) => isOurs(one, marker) && !("pull_request" in one));
      if (own !== undefined)
        await this.#rest.send("PATCH", `${path}/${wordOf(own["number"])}`, texts ?? { state: "closed" });
      else if (texts !== undefined) await this.#rest.send("POST", path, texts);
    });
  }

  async isRunOver(id: string): Promise<boolean> {
    const { status } = await this.#rest.get(`${this.#repository}/actions/runs/${encodeURIComponent(id)}`);
    return status === "completed";
  }

  async mergedPullRequest(commit: string): Promise<number | undefined> {
    const pulls = await this.#rest.list(`${this.#repository}/commits/${encodeURIComponent(commit)}/pulls`);
    const merge = pulls.find((pull) => pull["merge_commit_sha"] === commit && pull["merged_at"] !== null);
    return merge === undefined ? undefined : Number(merge["number"]);
  }

  async close(): Promise<void> {
    await this.#rest.close();
  }
}

function isOurs({ user, body }: ObjectValue, marker: string): boolean {
  return isObject(user) && user["login"] === BOT && wordOf(body).startsWith(marker);
}

function pullRequestOf({ number, state, head, base }: ObjectValue): PullRequest {
  return {
    number: Number(number),
    isOpen: state === "open",
    head: isObject(head) ? wordOf(head["sha"]) : "",
    baseBranch: isObject(base) ? wordOf(base["ref"]) : "",
  };
}

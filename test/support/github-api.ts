/** Imitates GitHub's REST API (2022-11-28), as its documentation has it, as far as the pipelines ask it. */
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { type HostAnswer, type HostRequest, RestHost } from "./rest-host";

export const GITHUB_TOKEN = "ghs_token_of_the_job";
const BOT = { login: "github-actions[bot]" };

export interface GithubPull {
  readonly number: number;
  state: "open" | "closed";
  head: { sha: string; ref: string; owner?: string };
  base: { ref: string };
  mergeable?: boolean | null;
  merge_commit_sha?: string;
  merged_at?: string | null;
}

export interface GithubRun {
  readonly id: number;
  /** Of its workflow: `tenancy.yml`. */
  readonly file: string;
  event: string;
  status: string;
  conclusion: string | null;
  head_sha: string;
  head_branch: string;
  head_repository: { full_name: string; owner: { login: string } };
  created_at: string;
  /** By attempt. */
  jobs: Record<number, { name: string; status: string; conclusion: string | null }[]>;
}

interface GithubArtifact {
  readonly id: number;
  name: string;
  run: number;
  head_sha: string;
  expired: boolean;
  digest: string;
  size: number;
  zip: Buffer;
}

export class GithubApi extends RestHost {
  visibility = "private";
  readonly pulls: GithubPull[] = [];
  readonly runs: GithubRun[] = [];
  readonly artifacts: GithubArtifact[] = [];
  readonly comments: { id: number; issue: number; user: { login: string }; body: string }[] = [];
  readonly issues: { number: number; state: string; user: { login: string }; title: string; body: string }[] =
    [];
  readonly statuses: {
    sha: string;
    state: string;
    context: string;
    description: string;
    target_url: string;
  }[] = [];
  #ids = 1000;

  static async start(): Promise<GithubApi> {
    return new GithubApi(GITHUB_TOKEN).listen();
  }

  /** What a job of a run finds in its environment. @param payload of the event that started it */
  environment(run: GithubRun, sha: string, payload: object = {}): Record<string, string> {
    const event = join(realpathSync(mkdtempSync(join(tmpdir(), "tenancy-event-"))), "event.json");
    writeFileSync(event, JSON.stringify(payload));
    return {
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: this.url,
      GITHUB_EVENT_PATH: event,
      GITHUB_REPOSITORY: "acme/platform",
      GITHUB_RUN_ATTEMPT: "1",
      GITHUB_RUN_ID: String(run.id),
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_SHA: sha,
      GITHUB_TOKEN,
    };
  }

  addRun(about: Partial<GithubRun> & Pick<GithubRun, "file" | "event" | "head_sha">): GithubRun {
    const id = ++this.#ids;
    const run: GithubRun = {
      id,
      status: "completed",
      conclusion: "success",
      head_branch: "main",
      head_repository: { full_name: "acme/platform", owner: { login: "acme" } },
      created_at: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
      jobs: { 1: [] },
      ...about,
    };
    this.runs.push(run);
    return run;
  }

  /** @param files of the artifact, or its very bytes */
  upload(run: GithubRun, name: string, files: Zippable | Buffer): GithubArtifact {
    const zip = Buffer.isBuffer(files) ? files : Buffer.from(zipSync(files));
    const artifact = {
      id: ++this.#ids,
      name,
      run: run.id,
      head_sha: run.head_sha,
      expired: false,
      digest: `sha256:${createHash("sha256").update(zip).digest("hex")}`,
      size: zip.length,
      zip,
    };
    this.artifacts.push(artifact);
    return artifact;
  }

  protected answer({ method, path, query, body }: HostRequest): HostAnswer {
    const [kind = "", first = "", second = "", third = "", fourth = ""] = path
      .replace(/^\/repos\/acme\/platform\/?/, "")
      .split("/");
    if (!path.startsWith("/repos/acme/platform")) return undefined;
    if (kind === "") return { default_branch: "main", visibility: this.visibility, private: true };
    if (kind === "actions") return this.#actions([first, second, third, fourth, path], query);
    if (kind === "commits" && second === "pulls")
      // Open ones, and for a commit of the default branch the merged one.
      return this.paged(
        this.pulls.filter(
          (pull) =>
            (pull.state === "open" && pull.head.sha === first) ||
            (pull.merge_commit_sha === first && pull.merged_at !== undefined),
        ),
        query,
      );
    if (kind === "pulls" && first === "") {
      const [owner = "", ref = ""] = (query.get("head") ?? "").split(":");
      const pulls = this.pulls.filter(
        ({ head, state }) =>
          (query.get("state") === "all" || state === "open") &&
          head.ref === ref &&
          (head.owner ?? "acme") === owner,
      );
      return this.paged(pulls, query);
    }
    if (kind === "pulls") return this.pulls.find(({ number }) => String(number) === first);
    if (kind === "statuses" && method === "POST") return this.#status(first, body);
    if (kind === "issues") return this.#issues(method, [first, second, third], query, body);
    return undefined;
  }

  #actions([first = "", second = "", third = "", fourth = "", path = ""]: string[], query: URLSearchParams) {
    if (first === "artifacts" && third === "zip") {
      const artifact = this.artifacts.find(({ id }) => String(id) === second);
      if (artifact?.expired === true) return { status: 410, message: "Artifact has expired" };
      return artifact && this.stored(`/blob/${artifact.id}?signature=x`, artifact.zip);
    }
    if (first === "workflows") {
      const runs = this.runs.filter(
        ({ file, head_branch: branch }) => file === second && branch === query.get("branch"),
      );
      return { total_count: runs.length, workflow_runs: this.paged(runs.toReversed(), query) };
    }
    const run = this.runs.find(({ id }) => String(id) === second);
    if (first !== "runs" || run === undefined) return undefined;
    if (third === "") return run;
    if (third === "attempts") {
      const jobs = run.jobs[Number(fourth)] ?? [];
      return path.endsWith("/jobs") ? { total_count: jobs.length, jobs: this.paged(jobs, query) } : undefined;
    }
    if (third !== "artifacts") return undefined;
    const all = this.artifacts.filter(
      (one) => one.run === run.id && one.name === (query.get("name") ?? one.name),
    );
    const artifacts = all.map(({ id, name, size, expired, digest, head_sha: sha }) => ({
      id,
      name,
      size_in_bytes: size,
      expired,
      digest,
      workflow_run: { id: run.id, head_sha: sha, head_branch: run.head_branch },
    }));
    return { total_count: all.length, artifacts: this.paged(artifacts, query) };
  }

  #status(sha: string, body: Record<string, unknown>): HostAnswer {
    const { state, context, description, target_url: url } = body as Record<string, string>;
    if (!["error", "failure", "pending", "success"].includes(state ?? "") || (description?.length ?? 0) > 140)
      return { status: 422, message: "Validation Failed" };
    this.statuses.push({
      sha,
      state: state ?? "",
      context: context ?? "default",
      description: description ?? "",
      target_url: url ?? "",
    });
    return { id: this.#ids++ };
  }

  #issues(
    method: string,
    [first = "", second = "", third = ""]: string[],
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): HostAnswer {
    if (typeof body["body"] === "string" && body["body"].length > 65_536)
      return { status: 422, message: "body is too long" };
    if (first === "comments") {
      const comment = this.comments.find(({ id }) => String(id) === second);
      if (comment?.user.login !== BOT.login) return { status: 403, message: "Resource not accessible" };
      return Object.assign(comment, body);
    }
    if (second === "comments") {
      const all = this.comments.filter(({ issue }) => String(issue) === first);
      if (method === "GET") return this.paged(all, query);
      this.comments.push({ id: ++this.#ids, issue: Number(first), user: BOT, body: String(body["body"]) });
      return { id: this.#ids };
    }
    if (third !== "") return undefined;
    if (method === "PATCH") {
      const issue = this.issues.find(({ number }) => String(number) === first);
      return issue && Object.assign(issue, body);
    }
    if (method === "GET")
      return this.paged(
        this.issues.filter(
          ({ state, user }) => state === query.get("state") && user.login === query.get("creator"),
        ),
        query,
      );
    this.issues.push({
      number: ++this.#ids,
      state: "open",
      user: BOT,
      title: String(body["title"]),
      body: String(body["body"]),
    });
    return { number: this.#ids };
  }
}

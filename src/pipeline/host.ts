/** The host of a pipeline, as far as its commands need it. */

/** The run that a command is part of. */
export interface HostRun {
  /** Id at the host: of the workflow run at GitHub, of the pipeline at GitLab. */
  readonly id: string;
  /** The commit that it runs for. */
  readonly commit: string;
  /** Address of the run, for people. */
  readonly url: string;
}

/** A pull request at GitHub, a merge request at GitLab. */
export interface PullRequest {
  readonly number: number;
  readonly isOpen: boolean;
  /** The commit that it ends with. */
  readonly head: string;
  readonly baseBranch: string;
}

/** A pull request's own job that has ended, and left an archive if it succeeded. */
export interface PullRequestBuild {
  /** Of the run at GitHub, of the job at GitLab; undefined where there was none. */
  readonly id: string | undefined;
  /** The commit that the pull request ended with when it ran. */
  readonly head: string;
  /** Branch of the head, with its owner if the host shows it: `acme:change`. */
  readonly headBranch: string;
  /** The commit that gets the status. */
  readonly statusCommit: string;
  /** The pipeline that gets the status, where the host wants one. */
  readonly statusRun?: string;
  readonly hasSucceeded: boolean;
}

export interface HostStatus {
  readonly state: "success" | "failure";
  /** At most 140 characters count. */
  readonly text: string;
}

export type JobOutcome = "success" | "failure" | "unfinished";

/** Requests that are not answered are repeated for half a minute. All methods throw `TENANCY_CI_HOST`. */
export interface Host {
  readonly kind: "github" | "gitlab";
  readonly run: HostRun;
  /** Value of the header by which Git logs in at the project's own address. */
  readonly gitAuthorization: string;
  /** Facts of the project, as the host knows them. */
  project(): Promise<{ readonly defaultBranch: string; readonly isPublic: boolean }>;
  /** The jobs of pull requests that this run has to review: the one that started it at GitHub, those of all open ones at GitLab. */
  builds(): Promise<readonly PullRequestBuild[]>;
  /** All pull requests, open and closed, that end with the commit of a build. */
  pullRequestsOf(build: PullRequestBuild): Promise<readonly PullRequest[]>;
  pullRequest(number: number): Promise<PullRequest>;
  /** The ref of the commit that the pull request would be merged as; undefined where it cannot be merged. */
  mergeRef(number: number): Promise<string | undefined>;
  /** The archive that `ci pack` wrote in the job of a pull request, checked for age, size and digest. @throws unfitArchive */
  archiveOf(build: PullRequestBuild): Promise<Buffer>;
  /** The archive that `ci pack` wrote in this very run. @throws unfitArchive */
  ownArchive(): Promise<Buffer>;
  /** The newest snapshot of a stack, of a run of the default branch; undefined where there is none. */
  newestSnapshot(stack: string): Promise<Buffer | undefined>;
  /** Writes this project's one comment, which begins with the marker: a new one, or in place of its earlier text. */
  keepComment(number: number, marker: string, text: string): Promise<void>;
  addComment(number: number, text: string): Promise<void>;
  setStatus(build: PullRequestBuild, status: HostStatus): Promise<void>;
  /** The jobs of this attempt of this run, by name. */
  jobs(): Promise<ReadonlyMap<string, JobOutcome>>;
  /** Opens or updates this project's one issue, which begins with the marker; without an issue, closes it. */
  keepIssue(
    marker: string,
    issue: { readonly title: string; readonly text: string } | undefined,
  ): Promise<void>;
  /** True if a run of this host, by its id, is over; false while it runs, and where the host does not know. */
  isRunOver(id: string): Promise<boolean>;
  /** The pull request whose merge a commit of the default branch is. */
  mergedPullRequest(commit: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** The file that `ci pack` writes in the project's folder. */
export const ARCHIVE_FILE = "tenancy-stacks.json";

/** The file in the artifact of an apply or a nightly run that holds the snapshot of a stack. */
export function snapshotFile(stack: string): string {
  return `${stack}.snapshot`;
}

/** Bytes of the largest archive, and of the largest snapshot. */
export const LARGEST_ARCHIVE = 32 * 2 ** 20;
export const LARGEST_SNAPSHOT = 128 * 2 ** 20;

/** Characters of a status that every host takes. */
const LONGEST_STATUS = 140;

export function shortStatus(text: string): string {
  return text.length <= LONGEST_STATUS ? text : `${text.slice(0, LONGEST_STATUS - 1)}…`;
}

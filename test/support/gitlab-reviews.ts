/** The pull requests of a reviewed project as merge requests at an imitated GitLab, whose schedule reviews all open ones. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { below, placeAt } from "../../src/pipeline";
import { CommandProject, type Printed } from "./command";
import { type GitlabApiJob, GitlabApi, type GitlabMergeRequest, type GitlabPipeline } from "./gitlab-api";
import { type PackedPull, type ReviewedProject, SNAPSHOT_KEY } from "./reviewed-project";

export class GitlabReviews {
  private constructor(
    readonly api: GitlabApi,
    private readonly project: ReviewedProject,
  ) {}

  /** @param project whose snapshots the newest apply has left */
  static async start(project: ReviewedProject): Promise<GitlabReviews> {
    const reviews = new GitlabReviews(await GitlabApi.start(), project);
    const applied = reviews.#pipelineOfMain("push");
    const place = placeAt(project.path);
    for (const stack of project.stackNames)
      reviews.api.addJob(applied, `${place.prefix}tenancy-apply-${stack}`, {
        [`${below(place)}tenancy-out/${stack}.snapshot`]: readFileSync(
          join(project.folder, `${stack}.snapshot`),
        ),
      });
    return reviews;
  }

  close(): Promise<void> {
    return this.api.close();
  }

  #pipelineOfMain(source: string): GitlabPipeline {
    return this.api.addPipeline({ sha: this.project.remote.git("rev-parse", "main"), ref: "main", source });
  }

  /**
   * A merge request, its pipeline, and what the job in it left.
   * @param isMerged false: the project runs pipelines for the branch alone, and not for what the merge would be
   */
  opened(
    { pull, sha, merge, archive }: PackedPull,
    isMerged = true,
  ): { request: GitlabMergeRequest; pipeline: GitlabPipeline; job: GitlabApiJob } {
    const { api, project } = this;
    const { number: iid } = pull;
    project.remote.git("update-ref", `refs/merge-requests/${iid}/merge`, merge);
    const request: GitlabMergeRequest = {
      iid,
      state: "opened",
      sha,
      source_branch: pull.head.ref,
      target_branch: "main",
      source_project_id: 1,
    };
    api.mergeRequests.push(request);
    api.parents[merge] = project.remote.git("rev-parse", `${merge}^1`, `${merge}^2`).split("\n");
    const pipeline = api.addPipeline({
      iid,
      sha: isMerged ? merge : sha,
      ref: `refs/merge-requests/${iid}/${isMerged ? "merge" : "head"}`,
      source: "merge_request_event",
    });
    const place = placeAt(project.path);
    const job = api.addJob(pipeline, `${place.prefix}tenancy-pack`);
    if (archive !== undefined) job.files = { [`${below(place)}tenancy-stacks.json`]: archive };
    return { request, pipeline, job };
  }

  /** Runs the job that the schedule starts. */
  async review(
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Printed & { readonly folder: string }> {
    const job = new CommandProject(join(this.project.remote.clone(), this.project.path));
    const printed = await job.tenancy(["ci", "review", "--pages", "pages"], {
      environment: {
        ...this.api.environment(this.#pipelineOfMain("schedule")),
        TENANCY_STACKS: this.project.stackNames.join(" "),
        TENANCY_SNAPSHOT_KEY: SNAPSHOT_KEY,
        ...environment,
      },
    });
    return { ...printed, folder: job.folder };
  }
}

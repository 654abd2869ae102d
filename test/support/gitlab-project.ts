/** A project under the pipelines of `tenancy init` for GitLab. */
import { placeAt } from "../../src/pipeline";
import { GitlabHost, type GitlabRan, PROJECT_TOKEN } from "./gitlab-host";
import { begin, CANARY, type Edits, PipedRepository } from "./piped-repository";

export class GitlabProject extends PipedRepository {
  private constructor(
    begun: Awaited<ReturnType<typeof begin>>,
    readonly host: GitlabHost,
  ) {
    super(begun);
    const { prefix } = placeAt(this.path);
    for (const name of Object.keys(this.services))
      for (const environment of [prefix + name, `${prefix}${name}-read`])
        host.variables[environment] = { ...this.credentials(name), TENANCY_GITLAB_TOKEN: PROJECT_TOKEN };
    host.variables[`${prefix}tenancy-review`] = {
      TENANCY_SNAPSHOT_KEY: `${CANARY}-snapshot-key`,
      TENANCY_GITLAB_TOKEN: PROJECT_TOKEN,
    };
  }

  /** @param folder an empty one; each stack has an account `acme`, which is not made yet */
  static async start(folder: string, stacks: readonly string[], path = "."): Promise<GitlabProject> {
    const host = await GitlabHost.start(folder);
    return new GitlabProject(
      await begin({ folder, repository: host.repository, stacks, ci: "gitlab", path }),
      host,
    );
  }

  override async close(): Promise<void> {
    await this.host.close();
    await super.close();
  }

  /** Opens a merge request with these changes, and runs its own pipeline. */
  async mergeRequest(edits: Edits): Promise<{ iid: number; sha: string; own: GitlabRan }> {
    const { sha } = this.branch(edits);
    const iid = 100 + this.host.mergeRequests.length;
    this.host.mergeRequests.push({ iid, sha, state: "opened", source_project_id: 1, target_branch: "main" });
    return { iid, sha, own: await this.host.run("merge_request_event", sha, { iid }) };
  }

  review(): Promise<GitlabRan> {
    return this.host.run("schedule", this.head(), { schedule: "tenancy review" });
  }

  /** Merges a merge request, and runs what the merge starts. */
  async merge({ iid, sha }: { readonly iid: number; readonly sha: string }): Promise<GitlabRan> {
    const merged = this.mergeCommit(sha);
    const request = this.host.mergeRequests.find((one) => one.iid === iid);
    Object.assign(request ?? {}, { state: "merged", merge_commit_sha: merged });
    return this.pushed();
  }

  /** Runs what a push to the default branch starts. */
  pushed(): Promise<GitlabRan> {
    return this.host.run("push", this.head());
  }

  nightly(): Promise<GitlabRan> {
    return this.host.run("schedule", this.head(), { schedule: "tenancy nightly" });
  }
}

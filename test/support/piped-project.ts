/** A project under the workflows of `tenancy init` for GitHub. */
import { placeAt } from "../../src/pipeline";
import { PipelineHost, type Ran } from "./pipeline-host";
import { begin, CANARY, type Edits, PipedRepository } from "./piped-repository";
import { stateKey } from "./state-key";

export class PipedProject extends PipedRepository {
  #pulls = 0;

  private constructor(
    begun: Awaited<ReturnType<typeof begin>>,
    readonly host: PipelineHost,
  ) {
    super(begun);
    const { prefix } = placeAt(this.path);
    host.prefix = prefix;
    for (const [name, { baseUrl }] of Object.entries(this.services))
      for (const ending of ["", "-read", "-ended"]) {
        host.secrets[prefix + name + ending] = this.credentials(name);
        host.variables[prefix + name + ending] = { TENANCY_ALLOWED_ORIGINS: new URL(baseUrl).origin };
      }
    host.secrets[`${prefix}tenancy-review`] = { TENANCY_SNAPSHOT_KEY: stateKey(`${CANARY}-snapshot-key`) };
  }

  /** @param folder an empty one; each stack has an account `acme`, which is not made yet */
  static async start(folder: string, stacks: readonly string[], path = "."): Promise<PipedProject> {
    const host = await PipelineHost.start(folder);
    const { repository } = host;
    return new PipedProject(await begin({ folder, repository, stacks, ci: "github", path }), host);
  }

  override async close(): Promise<void> {
    await this.host.close();
    await super.close();
  }

  /** Opens a pull request with these changes. */
  opened(edits: Edits): { number: string; sha: string } {
    const { name, sha } = this.branch(edits);
    const number = 100 + ++this.#pulls;
    this.host.api.pulls.push({ number, state: "open", head: { sha, ref: name }, base: { ref: "main" } });
    return { number: String(number), sha };
  }

  /** Runs the jobs of a pull request that makes these changes, and then the review of it. */
  async pullRequest(edits: Edits): Promise<{ number: string; sha: string; own: Ran; review: Ran }> {
    const pull = this.opened(edits);
    return { ...pull, ...(await this.reviewed(pull.sha)) };
  }

  reviewed(sha: string): Promise<{ own: Ran; review: Ran }> {
    return this.host.reviewed(sha);
  }

  /** Merges a pull request, and runs what the merge starts. */
  async merge(number: string, sha: string): Promise<Ran> {
    const merged = this.mergeCommit(sha);
    const pull = this.host.api.pulls.find((one) => String(one.number) === number);
    Object.assign(pull ?? {}, {
      state: "closed",
      merge_commit_sha: merged,
      merged_at: "2026-11-26T00:00:00Z",
    });
    return this.pushed();
  }

  pushed(): Promise<Ran> {
    return this.host.pushed();
  }

  nightly(): Promise<Ran> {
    return this.host.nightly();
  }
}

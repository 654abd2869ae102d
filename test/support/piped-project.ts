/** A project under the workflows of `tenancy init` for GitHub. */
import { placeAt } from "../../src/pipeline";
import { PipelineHost, type Ran } from "./pipeline-host";
import { begin, CANARY, type Edits, PipedRepository } from "./piped-repository";

export class PipedProject extends PipedRepository {
  #pulls = 0;

  private constructor(
    begun: Awaited<ReturnType<typeof begin>>,
    readonly host: PipelineHost,
  ) {
    super(begun);
    const { prefix } = placeAt(this.path);
    host.prefix = prefix;
    for (const name of Object.keys(this.services)) {
      host.secrets[prefix + name] = this.credentials(name);
      host.secrets[`${prefix}${name}-read`] = this.credentials(name);
    }
    host.secrets[`${prefix}tenancy-review`] = { TENANCY_SNAPSHOT_KEY: `${CANARY}-snapshot-key` };
  }

  /** @param folder an empty one; each stack has an account `acme`, which is not made yet */
  static async start(folder: string, stacks: readonly string[], path = "."): Promise<PipedProject> {
    const host = new PipelineHost(folder);
    const { repository } = host;
    return new PipedProject(await begin({ folder, repository, stacks, ci: "github", path }), host);
  }

  /** Runs the jobs of a pull request that makes these changes, and then the review of it. */
  async pullRequest(edits: Edits): Promise<{ number: string; sha: string; own: Ran; review: Ran }> {
    const { sha } = this.branch(edits);
    const number = String(100 + ++this.#pulls);
    const files = this.git("diff", "--name-only", "--no-renames", `main...${sha}`).trim().split("\n");
    this.host.change(({ pulls }) =>
      pulls.push({ number: Number(number), state: "open", head: { sha }, base: { ref: "main" }, files }),
    );
    return { number, sha, ...(await this.reviewed(sha)) };
  }

  reviewed(sha: string): Promise<{ own: Ran; review: Ran }> {
    return this.host.reviewed(sha);
  }

  /** Merges a pull request, and runs what the merge starts. */
  async merge(number: string, sha: string): Promise<Ran> {
    const merged = this.mergeCommit(sha);
    this.host.change(({ pulls }) => {
      const pull = pulls.find((one) => String(one["number"]) === number);
      Object.assign(pull ?? {}, { state: "closed", merge_commit_sha: merged });
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

/** A project under the workflows of `tenancy init` for GitHub. */
import { placeAt } from "../../src/cli/scaffold/place";
import { PipelineHost, type Ran } from "./pipeline-host";
import { begin, CANARY, type Edits, PipedRepository } from "./piped-repository";

export class PipedProject extends PipedRepository {
  #pulls = 0;
  readonly #prefix: string;

  private constructor(
    begun: Awaited<ReturnType<typeof begin>>,
    readonly host: PipelineHost,
  ) {
    super(begun);
    this.#prefix = placeAt(this.path).prefix;
    for (const name of Object.keys(this.services)) {
      host.secrets[this.#prefix + name] = this.credentials(name);
      host.secrets[`${this.#prefix}${name}-read`] = this.credentials(name);
    }
    host.secrets[`${this.#prefix}tenancy-review`] = { TENANCY_SNAPSHOT_KEY: `${CANARY}-snapshot-key` };
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

  async reviewed(sha: string): Promise<{ own: Ran; review: Ran }> {
    const own = await this.#run("pull-request", sha, { name: "pull_request" });
    const conclusion = Object.values(own.jobs).every((job) => job === "success") ? "success" : "failure";
    const payload = {
      workflow_run: { id: Number(own.id), event: "pull_request", head_sha: sha, conclusion },
    };
    const review = await this.#run("review", this.head(), { name: "workflow_run", payload });
    return { own, review };
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

  /** Runs what a push to the default branch starts. */
  pushed(): Promise<Ran> {
    return this.#run("apply", this.head(), { name: "push" });
  }

  nightly(): Promise<Ran> {
    return this.#run("nightly", this.head(), { name: "schedule" });
  }

  #run(
    workflow: string,
    sha: string,
    event: { readonly name: string; readonly payload?: object },
  ): Promise<Ran> {
    return this.host.run(`${this.#prefix}tenancy-${workflow}.yml`, sha, event);
  }
}

/** Reads the clone of a pipeline: commits, their files as data, and which commit came first. It touches no work tree. */
import { Git } from "../state";
import { pipelineGitFailed, unfitPipeline } from "../problems";
import type { Environment } from "../lib/values";
import type { Host } from "./host";

const ORIGIN_REMOTE = "origin";
const COMMIT = /^[0-9a-f]{40,64}$/;

export class Repository {
  readonly #git: Git;
  /** That Git runs in. The state on a branch is pushed with it, too. */
  readonly environment: Environment;

  /** @param host whose token reads the remote, at the project's own address alone; undefined where Git logs in by itself */
  constructor(folder: string, environment: Environment, host?: Pick<Host, "gitAuthorization" | "kind">) {
    this.environment = { ...environment, ...settingsOf(environment, host) };
    this.#git = new Git(folder, this.environment, "");
  }

  /** @throws unfitPipeline where the clone lacks earlier commits: Git would answer wrongly about them */
  async requireWhole(): Promise<void> {
    const answer = await this.#text("look at the clone", ["rev-parse", "--is-shallow-repository"]);
    if (answer.trim() !== "false")
      throw unfitPipeline.error({
        problem: "the clone is shallow, so that Git cannot tell which commit came first",
        advice: 'Check out with `fetch-depth: 0` at GitHub, and set GIT_DEPTH to "0" at GitLab.',
      });
  }

  /** Fetches a ref of the remote. @param ref such as `refs/heads/main` @returns its commit @throws pipelineGitFailed */
  async fetch(ref: string): Promise<string> {
    const own = `refs/tenancy/${ref.replace(/^refs\//, "")}`;
    await this.#text(`fetch ${ref}`, [
      ...["fetch", "--no-tags", "--no-write-fetch-head", "--quiet", "--", ORIGIN_REMOTE],
      `+${ref}:${own}`,
    ]);
    return (await this.#text(`find ${ref}`, ["rev-parse", "--verify", "--quiet", `${own}^{commit}`])).trim();
  }

  /** Merges a branch of the remote into the work tree. Only for a job without secrets. @throws pipelineGitFailed */
  async merge(ref: string): Promise<void> {
    const commit = await this.fetch(ref);
    await this.#text(`merge ${ref}`, ["merge", "--quiet", "--no-edit", commit]);
  }

  /** The ids of the commits that a commit followed, the merged one last. @throws pipelineGitFailed */
  async parents(commit: string): Promise<readonly string[]> {
    // Not by `log`, which says that the last commit of a shallow clone has none.
    const text = await this.#text(`read ${commit}`, ["cat-file", "commit", checked(commit)]);
    const [head = ""] = text.split("\n\n");
    return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = ""]) => parent);
  }

  /** @throws pipelineGitFailed where Git does not know a commit: that is no answer */
  async isAncestor(earlier: string, later: string): Promise<boolean> {
    const { status, stderr } = await this.#git.run([
      ...["merge-base", "--is-ancestor", checked(earlier), checked(later)],
    ]);
    if (status !== 0 && status !== 1) throw gitFailure("compare two commits", stderr);
    return status === 0;
  }

  /**
   * The newest commit after `commit`, on the way that `tip` has come, that touches one of the paths.
   * @returns undefined where there is none
   * @throws pipelineGitFailed
   */
  async laterCommit(commit: string, tip: string, paths: readonly string[]): Promise<string | undefined> {
    const range = [`${checked(tip)}`, `^${checked(commit)}`];
    const text = await this.#text("look for later commits", [
      ...["rev-list", "--first-parent", "--max-count=1", ...range, "--", ...paths.map(literalPath)],
    ]);
    return text.trim() || undefined;
  }

  /** True if two commits differ in one of the paths. @throws pipelineGitFailed */
  async differ(one: string, other: string, paths: readonly string[]): Promise<boolean> {
    const text = await this.#text("compare two commits", [
      ...["diff-tree", "-r", "--no-renames", "--name-only", "-z", checked(one), checked(other), "--"],
      ...paths.map(literalPath),
    ]);
    return text !== "";
  }

  /** The entries of a commit below a path, folders left out. @param path `.` for all @throws pipelineGitFailed */
  async entries(
    commit: string,
    path: string,
  ): Promise<
    readonly {
      /** From the top of the repository. */
      readonly path: string;
      /** False for links and submodules. */
      readonly isRegular: boolean;
      readonly bytes: number;
      readonly blob: string;
    }[]
  > {
    const args = ["ls-tree", "-r", "-z", "-l", "--full-tree", checked(commit)];
    const text = await this.#text(`list the files of ${commit}`, path === "." ? args : [...args, "--", path]);
    return text.split("\0").flatMap((line) => {
      const [, mode = "", , blob = "", bytes = "", name] =
        /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
      if (name === undefined) return [];
      // An executable file is a file. Links (120000) and submodules (160000) are not followed.
      const isRegular = mode === "100644" || mode === "100755";
      return [{ path: name, isRegular, bytes: Number(bytes) || 0, blob }];
    });
  }

  /** The contents of blobs, in their order. @throws pipelineGitFailed */
  async blobs(ids: readonly string[]): Promise<readonly Buffer[]> {
    const { ok, stdout, stderr } = await this.#git.run(["cat-file", "--batch"], `${ids.join("\n")}\n`);
    if (!ok) throw gitFailure("read files of a commit", stderr);
    const contents: Buffer[] = [];
    for (let at = 0; contents.length < ids.length;) {
      const end = stdout.indexOf(10, at);
      const [, type, size] = stdout.toString("latin1", at, end).split(" ");
      if (end < 0 || type !== "blob") throw gitFailure("read files of a commit", "a file is not there");
      contents.push(stdout.subarray(end + 1, end + 1 + Number(size)));
      at = end + 2 + Number(size);
    }
    return contents;
  }

  /** The text of a regular file; undefined where the commit has none. @throws pipelineGitFailed */
  async text(commit: string, path: string): Promise<string | undefined> {
    const file = (await this.entries(commit, path)).find((one) => one.path === path && one.isRegular);
    if (file === undefined) return undefined;
    const [content] = await this.blobs([file.blob]);
    return content?.toString("utf8");
  }

  async #text(task: string, args: readonly string[]): Promise<string> {
    const { ok, stdout, stderr } = await this.#git.run(args);
    if (!ok) throw gitFailure(task, stderr);
    return stdout.toString("utf8");
  }
}

function gitFailure(task: string, stderr: string): Error {
  const words = stderr.replace(/:\/\/[^/\s@]*@/g, "://").replace(/\n\s*/g, "; ");
  return pipelineGitFailed.error({ task, words });
}

/** Ids of commits come from the host: nothing else may become an argument. */
function checked(commit: string): string {
  if (!COMMIT.test(commit)) throw gitFailure("find a commit", `"${commit}" is no id of a commit`);
  return commit;
}

/** Paths are names, not patterns. */
function literalPath(path: string): string {
  return `:(top,literal)${path === "." ? "" : path}`;
}

/**
 * The header goes to the address of the project, and to no other that a remote or a redirect may name. A runner's remote ends in `.git`, and Git
 * compares whole elements of a path, so both forms are named.
 */
function settingsOf(environment: Environment, host: Pick<Host, "gitAuthorization" | "kind"> | undefined) {
  if (host === undefined) return {};
  const address =
    host.kind === "github"
      ? `${environment["GITHUB_SERVER_URL"] ?? ""}/${environment["GITHUB_REPOSITORY"] ?? ""}`
      : (environment["CI_PROJECT_URL"] ?? "");
  if (!/^https?:/.test(address)) return {};
  const count = Number(environment["GIT_CONFIG_COUNT"] ?? "0") || 0;
  return {
    GIT_CONFIG_COUNT: String(count + 2),
    [`GIT_CONFIG_KEY_${count}`]: `http.${address}.extraHeader`,
    [`GIT_CONFIG_VALUE_${count}`]: host.gitAuthorization,
    [`GIT_CONFIG_KEY_${count + 1}`]: `http.${address}.git.extraHeader`,
    [`GIT_CONFIG_VALUE_${count + 1}`]: host.gitAuthorization,
  };
}

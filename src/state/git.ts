/**
 * Runs git for the state: in an environment of its own, without hooks, and without touching a work tree, an index or a branch of the clone.
 * Every value from outside follows an option that ends the options, or is checked before.
 */
/* eslint-disable no-restricted-syntax -- the options are those of git */
import { execFile } from "node:child_process";
import { stateGitFailed, unfitStatePlace } from "../problems";
import type { Environment } from "../lib/values";

/** The run's own variables, and those by which a calling git says which repository is meant. */
const OMITTED =
  /^(TENANCY_.*|TF_VAR_.*|GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|COMMON_DIR|PREFIX|CEILING_DIRECTORIES|EXTERNAL_DIFF|PAGER|EDITOR|TRACE.*|CURL_VERBOSE|PUSH_OPTION_.*))$/i;

/** Settings that beat those of the user and of the repository. */
const SETTINGS = {
  "core.hooksPath": process.platform === "win32" ? "NUL" : "/dev/null",
  "core.fsmonitor": "false",
  "protocol.ext.allow": "never",
  "push.recurseSubmodules": "no",
  "fetch.recurseSubmodules": "no",
  "submodule.recurse": "false",
  "push.followTags": "false",
  "push.gpgSign": "false",
  "push.pushOption": "",
  "commit.gpgSign": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "core.autocrlf": "false",
  // Another run in the clone may write the same ref.
  "core.filesRefLockTimeout": "5000",
};

/** As much as a state in a file may hold. */
const LARGEST_OUTPUT = 256 * 2 ** 20;
const GIT_TIMEOUT_MS = 120_000;

/** The author of versions, if the environment names none: the real author is inside the seal. */
const AUTHOR = { NAME: "tenancy", EMAIL: "tenancy@localhost" };

interface GitResult {
  readonly ok: boolean;
  /** Exit status; -1 where git could not be run or was ended. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export class Git {
  readonly #folder: string;
  readonly #environment: Environment;
  readonly #state: string;
  #commonFolder: string | undefined;

  /** @param state description of the state, for messages */
  constructor(folder: string, environment: Environment, state: string) {
    this.#folder = folder;
    this.#environment = environment;
    this.#state = state;
  }

  /** The folder that all work trees of the clone share. @throws stateGitFailed outside of a repository */
  async commonFolder(): Promise<string> {
    this.#commonFolder ??= await this.#line(
      "find the repository of",
      "rev-parse",
      "--path-format=absolute",
      "--git-common-dir",
    );
    return this.#commonFolder;
  }

  /** @throws unfitStatePlace if the clone has no such remote, or git does not allow the branch */
  async checkPlace(remote: string, branch: string): Promise<void> {
    const unfit = (fault: string) => unfitStatePlace.error({ place: this.#state, fault });
    if (!(await this.run(["remote", "get-url", "--", remote])).ok)
      throw unfit(`this clone has no remote "${remote}"`);
    if (!(await this.run(["check-ref-format", "--branch", branch])).ok)
      throw unfit(`git allows no branch "${branch}"`);
  }

  /**
   * The commit at the tip of a branch of the remote, and the name of the default branch; undefined if the remote has none.
   * @throws stateGitFailed
   */
  async remoteTips(remote: string, branch: string) {
    const ref = `refs/heads/${branch}`;
    const output = await this.#text("ask the remote for", "ls-remote", "--symref", "--", remote, "HEAD", ref);
    const lines = output.split("\n").map((line) => line.split("\t"));
    const idsOf = (name: string) => lines.filter(([, one]) => one === name).map(([first = ""]) => first);
    const head = idsOf("HEAD").find((first) => first.startsWith("ref: refs/heads/"));
    return {
      tip: idsOf(ref).find((first) => /^[0-9a-f]{40,64}$/.test(first)),
      defaultBranch: head?.slice("ref: refs/heads/".length),
    };
  }

  /** The branches of the remote whose names begin with `folder/`, without that part. @throws stateGitFailed */
  async branchesIn(remote: string, folder: string): Promise<readonly string[]> {
    const prefix = `refs/heads/${folder}/`;
    const output = await this.#text("ask the remote for", "ls-remote", "--", remote, `${prefix}*`);
    return output.split("\n").flatMap((line) => {
      const [, name = ""] = line.split("\t");
      return name.startsWith(prefix) ? [name.slice(prefix.length)] : [];
    });
  }

  /** Fetches the branch to a ref of its own, which also keeps the copy from garbage collection. @throws stateGitFailed */
  async fetch(remote: string, branch: string, ref: string): Promise<void> {
    const specification = `+refs/heads/${branch}:${ref}`;
    await this.#text(
      "fetch",
      "fetch",
      "--no-tags",
      "--no-write-fetch-head",
      "--quiet",
      "--",
      remote,
      specification,
    );
  }

  /** The commit of a ref of this clone; undefined if there is none. */
  async commitOf(ref: string): Promise<string | undefined> {
    const { ok, stdout } = await this.run(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
    return ok ? stdout.toString().trim() : undefined;
  }

  /** Bytes of all objects that lead to a commit; undefined for a git before 2.31, which does not know. */
  async historySize(tip: string): Promise<number | undefined> {
    const { ok, stdout } = await this.run(["rev-list", "--objects", "--disk-usage", tip]);
    return ok ? Number(stdout.toString().trim()) : undefined;
  }

  async keepRef(ref: string, commit: string): Promise<void> {
    await this.#text("note", "update-ref", ref, commit);
  }

  async isAncestor(earlier: string, later: string): Promise<boolean> {
    return (await this.run(["merge-base", "--is-ancestor", earlier, later])).status === 0;
  }

  /** Commits that lead to `tip`, with the first lines of their messages, newest first; without commits that lead to `known`. */
  async history(tip: string, known: string | undefined) {
    const range = known === undefined ? [tip] : [tip, `^${known}`];
    const form = ["--no-show-signature", "-z", "--format=%H %s"];
    const lines = (await this.#text("read", "log", ...form, ...range, "--")).split("\0");
    return lines.flatMap((line) => {
      const end = line.indexOf(" ");
      return end === -1 ? [] : [{ commit: line.slice(0, end), subject: line.slice(end + 1) }];
    });
  }

  /** A file of each of these commits; undefined if a commit lacks it. */
  async files(commits: readonly string[], path: string): Promise<readonly (string | undefined)[]> {
    const input = commits.map((commit) => `${commit}:${path}\n`).join("");
    const { ok, stdout, stderr } = await this.run(["cat-file", "--batch"], input);
    if (!ok) throw this.#failure("read", stderr);
    const contents: (string | undefined)[] = [];
    for (let at = 0; at < stdout.length;) {
      const end = stdout.indexOf(10, at);
      const [, type, size = "0"] = stdout.toString("utf8", at, end).split(" ");
      at = end + 1;
      if (type !== "blob" && !/^\d+$/.test(size)) contents.push(undefined);
      else {
        contents.push(type === "blob" ? stdout.toString("utf8", at, at + Number(size)) : undefined);
        at += Number(size) + 1;
      }
    }
    return contents;
  }

  /** The names of the files of a commit, with their blobs. */
  async tree(commit: string): Promise<ReadonlyMap<string, string>> {
    const lines = (await this.#text("read", "ls-tree", "-z", commit)).split("\0");
    return new Map(
      lines.flatMap((line) => {
        const [facts = "", name] = line.split("\t");
        return name === undefined ? [] : [[name, facts.split(" ")[2] ?? ""] as const];
      }),
    );
  }

  /** Makes a commit that has these files, and no others. @returns its id */
  async commit(
    files: ReadonlyMap<string, { readonly text: string } | { readonly blob: string }>,
    parents: readonly string[],
    message: string,
  ): Promise<string> {
    const entries: string[] = [];
    for (const [name, file] of files) {
      const blob =
        "blob" in file
          ? file.blob
          : (await this.#output("write", ["hash-object", "-w", "--stdin"], file.text)).trim();
      entries.push(`100644 blob ${blob}\t${name}\n`);
    }
    const tree = (await this.#output("write", ["mktree"], entries.join(""))).trim();
    const lineage = parents.flatMap((parent) => ["-p", parent]);
    return (await this.#output("write", ["commit-tree", "--no-gpg-sign", tree, ...lineage], message)).trim();
  }

  /** Pushes a commit to a branch, without force: git refuses where the branch has moved. */
  async push(
    remote: string,
    commit: string,
    branch: string,
  ): Promise<{ readonly ok: boolean; readonly words: string }> {
    const specification = `${commit}:refs/heads/${branch}`;
    const { ok, stderr } = await this.run(["push", "--no-verify", "--quiet", "--", remote, specification]);
    return { ok, words: gitWords(stderr) };
  }

  run(args: readonly string[], input = ""): Promise<GitResult> {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const own = Object.entries(this.#environment).filter(([name]) => !OMITTED.test(name));
    const authors = ["AUTHOR", "COMMITTER"].flatMap((role) =>
      Object.entries(AUTHOR).map(([fact, value]) => [`GIT_${role}_${fact}`, value]),
    );
    const environment: NodeJS.ProcessEnv = {
      ...(Object.fromEntries(authors) as Record<string, string>),
      ...(Object.fromEntries(own) as Record<string, string>),
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      LC_ALL: "C",
    };
    const options = {
      cwd: this.#folder,
      env: environment,
      timeout: GIT_TIMEOUT_MS,
      maxBuffer: LARGEST_OUTPUT,
      windowsHide: true,
      encoding: "buffer",
    } as const;
    return new Promise((resolve) => {
      const child = execFile(
        "git",
        [...settings, "--no-pager", ...args],
        options,
        (error, stdout, stderr) => {
          const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
          const words = stderr.toString("utf8");
          const because = error !== null && status === -1 && words === "" ? error.message : words;
          resolve({ ok: error === null, status, stdout, stderr: because });
        },
      );
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  }

  async #output(task: string, args: readonly string[], input = ""): Promise<string> {
    const { ok, stdout, stderr } = await this.run(args, input);
    if (!ok) throw this.#failure(task, stderr);
    return stdout.toString("utf8");
  }

  #text(task: string, ...args: readonly string[]): Promise<string> {
    return this.#output(task, args);
  }

  async #line(task: string, ...args: readonly string[]): Promise<string> {
    return (await this.#output(task, args)).trim();
  }

  #failure(task: string, stderr: string): Error {
    return stateGitFailed.error({ state: this.#state, task, words: gitWords(stderr) });
  }
}

/** git's words on one line, without the passwords that an address may hold. */
function gitWords(stderr: string): string {
  return stderr
    .replace(/:\/\/[^/\s@]*@/g, "://")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"))
    .join("; ");
}

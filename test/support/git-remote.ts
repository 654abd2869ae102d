/** A bare repository with clones, for tests of what is kept on a branch. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class GitRemote {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "tenancy-git-")));
  readonly bare = join(this.folder, "remote.git");
  #clones = 0;

  constructor() {
    git(this.folder, "init", "-q", "--bare", "--initial-branch=main", this.bare);
    const first = this.clone();
    writeFileSync(join(first, "README.md"), "a project\n");
    git(first, "add", ".");
    git(first, "commit", "-q", "-m", "first");
    git(first, "push", "-q", "origin", "HEAD:main");
  }

  /** @returns the folder of a new clone */
  clone(): string {
    const folder = join(this.folder, `clone-${(this.#clones += 1)}`);
    git(this.folder, "clone", "-q", this.bare, folder);
    git(folder, "config", "user.name", "Jane");
    git(folder, "config", "user.email", "jane@example.com");
    return folder;
  }

  /** Has a shell script decide about each push: it reads `old new ref` from stdin. */
  hook(script: string, name = "pre-receive"): void {
    const file = join(this.bare, "hooks", name);
    mkdirSync(join(this.bare, "hooks"), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  dropHook(name = "pre-receive"): void {
    rmSync(join(this.bare, "hooks", name), { force: true });
  }

  /** Runs git in the bare repository. */
  git(...args: readonly string[]): string {
    return git(this.bare, ...args);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Jane", "-c", "user.email=jane@example.com"];
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
  }).trim();
}

/** Gives each test of the file a remote of its own. */
export function gitRemotes(): () => GitRemote {
  const remotes: GitRemote[] = [];
  afterEach(() => remotes.splice(0).forEach((remote) => remote.remove()));
  return () => {
    const remote = new GitRemote();
    remotes.push(remote);
    return remote;
  };
}

/** A remote whose pushes fail as drawn, and the git of a run that can be killed. */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { GitRemote } from "../../support/git-remote";
import type { Kill, PushFault } from "./history";

const REAL_GIT = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

export class FaultyRemote extends GitRemote {
  constructor() {
    super();
    this.hook(`
n=$(($(cat pushes 2>/dev/null || echo 0) + 1)); echo $n > pushes
if grep -qx "$n refused" faults; then exit 1; fi
if grep -qx "$n delayed" faults; then sleep 0.3; fi`);
    // Whoever pushes sees the connection end, after the branch has moved.
    this.hook(`if grep -qx "$(cat pushes) lost" faults; then kill -9 $PPID; sleep 1; fi`, "post-receive");
    this.setFaults([]);
  }

  /** Counts pushes anew. */
  setFaults(faults: readonly PushFault[]): void {
    const lines = faults.flatMap(({ at, times, kind }) =>
      Array.from({ length: times }, (_, index) => `${at + index} ${kind}`),
    );
    writeFileSync(join(this.bare, "faults"), `${lines.join("\n")}\n`);
    writeFileSync(join(this.bare, "pushes"), "0\n");
  }

  branches(): readonly string[] {
    return this.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
  }
}

/** The git that a run finds on its path. Once the run is dead, no git of it does anything more. */
export class MortalGit {
  readonly folder: string;
  readonly #isDead: string;
  readonly #isGone: string;

  /** @param kill of which only one by a push counts here */
  constructor(folder: string, kill: Kill | undefined) {
    this.folder = folder;
    mkdirSync(folder);
    this.#isDead = join(folder, "dead");
    this.#isGone = join(folder, "gone");
    const { at, committed } = kill?.by === "push" ? kill : { at: -1, committed: false };
    // It waits until the run is cut off from the service, too.
    const die = `touch dead; i=0; while [ ! -e gone ] && [ $i -lt 500 ]; do sleep 0.01; i=$((i+1)); done; exit 137`;
    const script = `#!/bin/sh
here='${folder}'
[ -e "$here/dead" ] && exit 137
case " $* " in
*" push "*)
  n=$(($(cat "$here/pushes" 2>/dev/null || echo 0) + 1)); echo $n > "$here/pushes"
  if [ $n = ${at} ]; then ${committed ? `'${REAL_GIT}' "$@";` : ""} cd "$here"; ${die}; fi ;;
esac
exec '${REAL_GIT}' "$@"
`;
    writeFileSync(join(folder, "git"), script);
    chmodSync(join(folder, "git"), 0o755);
  }

  get isDead(): boolean {
    return existsSync(this.#isDead);
  }

  /** From now on no git of the run does anything. */
  kill(): void {
    writeFileSync(this.#isDead, "");
    writeFileSync(this.#isGone, "");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

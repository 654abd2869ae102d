/** Opens a state at its place: a file, a branch, a helper, or nowhere. */
import { randomBytes } from "node:crypto";
import { unfitStateKey } from "../problems";
import type { Environment } from "../lib/values";
import { BoundSealer } from "./bound-sealer";
import { FileBackend } from "./file-backend";
import { Git } from "./git";
import { GitBackend } from "./git-backend";
import { type BranchPlace, GitBranch, type KnownVersion } from "./git-branch";
import { HelperBackend, type HelperOptions, HelperProgram } from "./helper";
import { NoBackend } from "./no-backend";
import { Sealer } from "./sealer";
import { TenancyState } from "./state";
import { isStateKey } from "./state-key";

/** The state's file where none is named, relative to the project. */
export const DEFAULT_STATE_PATH = ".tenancy/state.json";

export interface OpenStateOptions {
  /** @default DEFAULT_STATE_PATH */
  readonly path?: string;
  /** Keeps nothing. @default false */
  readonly isNone?: boolean;
  /** A program that keeps the state instead of a file. */
  readonly helper?: HelperOptions;
  /** A branch that keeps the state instead of a file, and the clone whose remote has it. */
  readonly git?: BranchPlace & { readonly folder: string; readonly environment: Environment };
  /** Encrypts the state. @default plain; a state on a branch cannot be opened then */
  readonly key?: string;
  /** Id of the project, which is kept with the content. @default not known: then it is not compared */
  readonly project?: string;
  /** The commit that a successful apply notes. @default the one noted before */
  readonly commit?: string;
  /** The version of a state on a branch that another program has seen, by the state's place. @default none */
  readonly knownVersion?: (place: string) => Promise<KnownVersion | undefined>;
  /** Called where a branch cannot be fetched, with the time of the copy that is read in its place, ISO 8601. */
  readonly onCopy?: (at: string) => void;
  /** Accepts a state that is plain although there is a key: the next save encrypts it. @default false */
  readonly encryptPlain?: boolean;
}

/**
 * The state. Nothing is read, and no helper is started, before the first part is asked for.
 * @throws unfitStateKey, unfitHelperCommand
 */
export function openState(options: OpenStateOptions = {}): TenancyState {
  const { path = DEFAULT_STATE_PATH, helper, git, key, commit, encryptPlain = false } = options;
  if (options.isNone === true) return new TenancyState(new NoBackend());
  const run = randomBytes(6).toString("hex");
  const [project, stack] = [options.project ?? null, git?.stack ?? null];
  const sealerFor = (one: string | undefined) => {
    if (one === undefined) return undefined;
    if (!isStateKey(one)) throw unfitStateKey.error(one === "" ? "empty" : "foreign");
    return new BoundSealer(new Sealer(one), { project, stack }, run);
  };
  const sealer = sealerFor(key);
  if (git === undefined) {
    const backend =
      helper === undefined ? new FileBackend(path) : new HelperBackend(new HelperProgram(helper));
    return new TenancyState(backend, sealer, { project, encryptPlain, commit, sealerFor });
  }
  const place = new Git(git.folder, git.environment, `git:${git.remote}/${git.branch}`);
  const backend = new GitBackend({
    branch: new GitBranch(place, git, options.knownVersion),
    sealer: sealer ?? new BoundSealer(undefined, { project, stack }, run),
    run,
    environment: git.environment,
    onCopy: options.onCopy,
  });
  return new TenancyState(backend, sealer, { project, commit, sealerFor, branch: backend });
}

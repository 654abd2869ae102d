/** A state on a branch of a real repository, and what is left of it there. */
import {
  partName,
  type TenancyState,
  openState,
  type OpenStateOptions,
  type TokenEntry,
} from "../../src/state";
import type { GitRemote } from "../support/git-remote";
import { csiToken, ORIGIN, OWNER } from "./samples";
import { stateKey } from "../support/state-key";

export const KEY = stateKey("a key of the team, long enough");
export const STATE = "refs/heads/tenancy-state/production";

export function at(
  folder: string,
  options: Partial<OpenStateOptions> & { readonly stack?: string } = {},
): TenancyState {
  const { stack = "production", ...others } = options;
  return openState({
    git: {
      remote: "origin",
      branch: "tenancy-state",
      stack,
      folder,
      environment: { ...process.env, TENANCY_PASSWORD: "s3cret" },
    },
    key: KEY,
    project: "acme",
    ...others,
  });
}

/** The remote with a state, and a clone. */
export async function made(
  remote: GitRemote,
): Promise<{ readonly remote: GitRemote; readonly clone: string }> {
  const clone = remote.clone();
  await at(clone).initBranch();
  return { remote, clone };
}

export async function keepToken(state: TenancyState, token: TokenEntry = csiToken): Promise<void> {
  await state.lock({ timeout: 0 });
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(token);
  await state.saveLast();
  await state.unlock();
}

export const failure = async (act: () => Promise<unknown>): Promise<unknown> =>
  act().then(
    () => undefined,
    (error: unknown) => error,
  );

export const tokensAt = async (state: TenancyState) =>
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.list();

export const tipOf = (remote: GitRemote, ref = STATE) => remote.git("rev-parse", ref);

/** Facts of a commit that trusted jobs read as data: approvals, and the version of the tool that the lock file names. */
import { type Approval, APPROVALS_FOLDER, approvalsIn, noApprovalsFolder, requireShort } from "../plan";
import { unfitPipeline } from "../problems";
import { isObject, parseJson, type Value } from "../lib/values";
import { below, type Place } from "./place";
import type { Repository } from "./repository";

/**
 * The approvals that have not ended: of the merge commit in a review, of the default branch's tip in an apply.
 * @throws unfitApprovals, pipelineGitFailed
 */
export async function approvalsAt(
  repository: Repository,
  commit: string,
  place: Place,
  now: Date,
): Promise<readonly Approval[]> {
  const folder = below(place) + APPROVALS_FOLDER;
  const entries = await repository.entries(commit, folder);
  if (entries.some(({ path }) => path === folder)) throw noApprovalsFolder();
  const nameOf = (path: string) => path.slice(folder.length + 1);
  for (const { path, bytes } of entries) requireShort(nameOf(path), bytes);
  const contents = await repository.blobs(
    entries.flatMap(({ isRegular, blob }) => (isRegular ? [blob] : [])),
  );
  const regular = contents.values();
  return approvalsIn(
    entries.map(({ path, isRegular }) => ({
      name: nameOf(path),
      bytes: isRegular ? regular.next().value : undefined,
    })),
    now,
  );
}

/**
 * An old run that is run again installs the tool of its time, with the faults that it had then.
 * @param tip of the default branch
 * @throws unfitPipeline where the lock file there names another version of this tool
 */
export async function requireLockedVersion(
  repository: Repository,
  tip: string,
  place: Place,
  own: { readonly name: string; readonly version: string },
): Promise<void> {
  const path = `${below(place)}package-lock.json`;
  const text = await repository.text(tip, path);
  let lock: Value = null;
  try {
    lock = text === undefined ? null : parseJson(text);
  } catch {
    // Then it names no version.
  }
  const packages = isObject(lock) ? lock["packages"] : undefined;
  const entry = isObject(packages) ? packages[`node_modules/${own.name}`] : undefined;
  const version = isObject(entry) ? entry["version"] : undefined;
  if (version === own.version) return;
  const versionText = typeof version === "string" ? JSON.stringify(version.slice(0, 40)) : "none";
  throw unfitPipeline.error({
    problem: `this is version ${own.version} of ${own.name}, and ${path} of the default branch has ${versionText}`,
    advice: "Start a new run: one that is run again has the tool of its time.",
  });
}

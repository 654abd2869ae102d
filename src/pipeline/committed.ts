/** Facts of a commit that trusted jobs read as data: approvals, and the version of the tool that the lock file names. */
import { APPROVALS_FOLDER, type Approval, readApprovals, unendedApprovals } from "../plan";
import { unfitApprovals, unfitPipeline } from "../problems";
import { isObject, parseJson, type Value } from "../lib/values";
import { below, type Place } from "./place";
import type { Repository } from "./repository";

/**
 * The entries of `approvals/` that have not ended: of the merge commit in a review, of the default branch's tip in an apply.
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
  if (entries.some(({ path }) => path === folder))
    throw unfitApprovals.error({
      file: APPROVALS_FOLDER,
      problem: "this is not a folder",
      advice: "Nothing was written. Replace it by a folder that holds the entries.",
    });
  const files = entries.map(({ path, isRegular, blob }) => ({
    name: path.slice(folder.length + 1),
    isRegular,
    blob,
  }));
  const names = unendedApprovals(files, now).toSorted();
  const contents = await repository.blobs(
    names.map((name) => files.find((one) => one.name === name)?.blob ?? ""),
  );
  const texts = names.map((name, at) => [name, committedText(name, contents[at] ?? Buffer.alloc(0))]);
  return readApprovals(Object.fromEntries(texts) as Readonly<Record<string, string>>, now);
}

function committedText(name: string, content: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw unfitApprovals.error({
      file: `${APPROVALS_FOLDER}/${name}`,
      problem: "the file is not UTF-8",
      advice: "Nothing was written.",
    });
  }
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

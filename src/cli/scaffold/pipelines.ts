/** Writes the pipelines into a repository, and replaces its own files. Files of other authors are left alone. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileUnusable } from "../../problems";
import { unreadable, unwritable } from "../named-files";
import { githubWorkflows, MARK, type PipelinePlan, SECRETS } from "./github-workflows";
import { gitlabFile, gitlabPipeline } from "./gitlab-pipeline";
import type { Place } from "../../pipeline";

/** Hosts with a pipeline template. */
export type PipelineHost = "github" | "gitlab";

/** Paths of all files of the pipelines. */
function pathsOf(host: PipelineHost, place: Place): readonly string[] {
  if (host === "gitlab") return [gitlabFile(place)];
  const names = ["tenancy-pull-request", "tenancy-review", "tenancy"];
  return names.map((name) => `.github/workflows/${place.prefix}${name}.yml`);
}

/**
 * Reads the existing pipelines: the stacks in the order of the files, and the variables that a user added, as {@link PipelinePlan.variables}.
 * @param top the folder of the repository
 * @throws fileUnusable if a file of another author is in the way
 */
export async function existingPipelines(
  top: string,
  host: PipelineHost,
  place: Place,
): Promise<{ readonly stacks: readonly string[]; readonly variables: readonly string[] }> {
  const variables = new Set<string>();
  let stacks: readonly string[] = [];
  for (const path of pathsOf(host, place)) {
    const text = await readFile(join(top, path), "utf8").catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw unreadable(path, error);
    });
    if (text === undefined) continue;
    if (!text.startsWith(`# ${MARK}`))
      throw fileUnusable.error({
        file: path,
        problem: "was not written by this command, so it is not replaced",
        advice: "Move what it does to a file of another name, and delete it.",
      });
    for (const [, line = "", name = ""] of text.matchAll(/^ {10}(([A-Za-z_]\w*): \S.*)$/gm))
      if (!OUR_VARIABLES.has(name)) variables.add(line);
    // The last file is the one that applies.
    const [, list] = /^ *(?:env: \{ )?(?:TENANCY_)?STACKS[:=] ?"?([a-z0-9 -]+)/m.exec(text) ?? [];
    if (list !== undefined) stacks = list.trim().split(" ");
  }
  return { stacks, variables: [...variables] };
}

const OUR_VARIABLES = new Set(["STACK", "GITHUB_TOKEN", "TENANCY_ALLOWED_ORIGINS", ...SECRETS]);

/** Text of each file, by its path in the repository. */
export function pipelineFiles(host: PipelineHost, plan: PipelinePlan): Readonly<Record<string, string>> {
  return host === "github" ? githubWorkflows(plan) : gitlabPipeline(plan);
}

/** @throws fileUnusable */
export async function writePipelines(top: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files))
    try {
      await mkdir(dirname(join(top, path)), { recursive: true });
      await writeFile(join(top, path), text);
    } catch (error) {
      throw unwritable(path, error, "Make the folder writable.");
    }
}

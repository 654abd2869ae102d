/** Writes the pipelines into a repository, and replaces pipelines of an earlier version. Files of other authors are left alone. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileUnusable } from "../../problems";
import { unreadable, unwritable } from "../named-files";
import { githubWorkflows, MARK, type PipelinePlan, SECRETS } from "./github-workflows";
import { gitlabFile, gitlabPipeline } from "./gitlab-pipeline";
import type { Place } from "../../pipeline";

/** Hosts with a pipeline template. */
export type PipelineHost = "github" | "gitlab";

/** The first lines of the files of `tenancy init` 0.1.0, which carried their logic in shell. */
const FIRST_FORMS = [
  "# A pull request's own job. It runs the pull request's code, so it holds no secret and may write nothing.",
  "# Plans a pull request from the newest snapshot, comments, and sets the status",
  "# Applies what was merged. Stacks are applied one after the other: where one fails,",
  "# Looks every night whether somebody changed something outside, with a credential that only reads,",
  /^# The pipelines of \S+( project)?\. What logs in stands in variables that are protected, and that an environment alone gets\.\n\n# A merge request's own job\./,
];

export interface ExistingPipelines {
  /** True if any of them is of the first form. */
  readonly areOfFirstForm: boolean;
  /** Files of the first form that have no successor of the same name. */
  readonly superfluous: readonly string[];
  /** Variables that a user added, as {@link PipelinePlan.variables}. */
  readonly variables: readonly string[];
  /** Names of the stacks, in the order of the files; empty without files. */
  readonly stacks: readonly string[];
  /** Origins that files of the first form name, by stack. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Paths of all files that any version writes. */
function pathsOf(host: PipelineHost, place: Place): readonly string[] {
  if (host === "gitlab") return [gitlabFile(place)];
  const names = ["tenancy-pull-request", "tenancy-review", "tenancy", "tenancy-apply", "tenancy-nightly"];
  return names.map((name) => `.github/workflows/${place.prefix}${name}.yml`);
}

/**
 * Reads the existing pipelines.
 * @param top the folder of the repository
 * @throws fileUnusable if a file of another author is in the way
 */
export async function existingPipelines(
  top: string,
  host: PipelineHost,
  place: Place,
): Promise<ExistingPipelines> {
  const superfluous: string[] = [];
  const variables = new Set<string>();
  const origins = new Map<string, string>();
  let stacks: readonly string[] = [];
  let areOfFirstForm = false;
  for (const path of pathsOf(host, place)) {
    const text = await readFile(join(top, path), "utf8").catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw unreadable(path, error);
    });
    if (text === undefined) continue;
    const isFirstForm = FIRST_FORMS.some((form) =>
      typeof form === "string" ? text.startsWith(form) : form.test(text),
    );
    if (!isFirstForm && !text.startsWith(`# ${MARK}`))
      throw fileUnusable.error({
        file: path,
        problem: "was not written by this command, so it is not replaced",
        advice: "Move what it does to a file of another name, and delete it.",
      });
    areOfFirstForm ||= isFirstForm;
    if (/-(apply|nightly)\.yml$/.test(path)) superfluous.push(path);
    for (const [, line = "", name = ""] of text.matchAll(/^ {10}(([A-Za-z_]\w*): \S.*)$/gm))
      if (isFirstForm ? name.startsWith("TF_VAR_") : !OUR_VARIABLES.has(name)) variables.add(line);
    // The last file is the one that applies.
    const [, list] = /^ *(?:env: \{ )?(?:TENANCY_)?STACKS[:=] ?"?([a-z0-9 -]+)/m.exec(text) ?? [];
    if (list !== undefined) stacks = list.trim().split(" ");
    const settings =
      /\bSTACK[:=] ?([\w-]+)\n(?:.*\n){1,3}? *(?:export )?TENANCY_ALLOWED_ORIGINS[:=] ?(\S+)$/gm;
    for (const [, stack = "", origin = ""] of text.matchAll(settings)) origins.set(stack, origin);
  }
  return { areOfFirstForm, superfluous, stacks, variables: [...variables], origins };
}

const OUR_VARIABLES = new Set(["STACK", "GITHUB_TOKEN", "TENANCY_ALLOWED_ORIGINS", ...SECRETS]);

/** Text of each file, by its path in the repository. */
export function pipelineFiles(host: PipelineHost, plan: PipelinePlan): Readonly<Record<string, string>> {
  return host === "github" ? githubWorkflows(plan) : gitlabPipeline(plan);
}

/** @throws fileUnusable */
export async function writePipelines(
  top: string,
  files: Readonly<Record<string, string>>,
  { superfluous }: Pick<ExistingPipelines, "superfluous">,
): Promise<void> {
  for (const [path, text] of Object.entries(files))
    try {
      await mkdir(dirname(join(top, path)), { recursive: true });
      await writeFile(join(top, path), text);
    } catch (error) {
      throw unwritable(path, error, "Make the folder writable.");
    }
  for (const path of superfluous) await rm(join(top, path));
}

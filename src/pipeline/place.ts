/** The place of a project in its repository: a repository may contain several projects and other files. */
import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { usage } from "../problems";

export interface Place {
  /** Path of the project's folder, from the top of the repository; `.` is the top itself. */
  readonly path: string;
  /** Beginning of everything that is named at the host, so that two projects do not collide; empty at the top. */
  readonly prefix: string;
}

export const TOP: Place = { path: ".", prefix: "" };

/** @param path such as `teams/platform` */
export function placeAt(path: string): Place {
  if (path === "" || path === ".") return TOP;
  const words = path.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return { path, prefix: `${words.replace(/^-+|-+$/g, "")}-` };
}

/** Beginning of every path of the project at the top of the repository: empty, or with a slash at the end. */
export function below({ path }: Place): string {
  return path === "." ? "" : `${path}/`;
}

/** Paths whose changes concern the project, from the top of the repository. */
export function projectPaths({ path, prefix }: Place): readonly string[] {
  if (path === ".") return [path];
  const workflows = ["tenancy-pull-request", "tenancy-review", "tenancy"].map(
    (name) => `.github/workflows/${prefix}${name}.yml`,
  );
  return [path, ...workflows, `.gitlab/${prefix}tenancy.yml`, ".gitlab-ci.yml"];
}

/** Name of the status that branches can require. */
export function statusName({ prefix }: Place): string {
  return prefix === "" ? "tenancy" : `tenancy/${prefix.slice(0, -1)}`;
}

/** The branch that keeps the states: that of a stack is `BRANCH/STACK`. */
export function stateBranch({ prefix }: Place): string {
  return `${prefix}tenancy-state`;
}

/**
 * @param way another way, as the end of a sentence
 * @throws usage where a workflow, a shell or a pattern would read the path differently
 */
export function demandFitPath({ path }: Place, way = ""): void {
  if (/^\.$|^[\w.][\w.-]*(\/[\w.][\w.-]*)*$/.test(path)) return;
  throw usage.error({
    problem: `the project's path in its repository, "${path}", has characters that pipelines read differently`,
    advice: `Letters, digits, dots, hyphens and underscores do${way}.`,
  });
}

/** The Git repository that the folder lies in; without one, the folder is to become one. */
export async function repositoryOf(folder: string): Promise<{
  /** The folder that has the workflows. */
  readonly top: string;
  readonly place: Place;
}> {
  for (let top = folder; ; top = dirname(top)) {
    // In a worktree and in a submodule it is a file.
    const gitFolder = await stat(join(top, ".git")).catch(() => undefined);
    if (gitFolder !== undefined) return { top, place: placeAt(relative(top, folder).split(sep).join("/")) };
    if (dirname(top) === top) return { top: folder, place: TOP };
  }
}

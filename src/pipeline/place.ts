/** The place of a project in its repository: a repository may hold more than one, and other things besides. */
import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

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

/** Name of the status that branches can require. */
export function statusName({ prefix }: Place): string {
  return prefix === "" ? "tenancy" : `tenancy/${prefix.slice(0, -1)}`;
}

/** The branch that keeps the credential store of a stack. */
export function storeBranch({ prefix }: Place, stack: string): string {
  return `${prefix}tenancy-store-${stack}`;
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

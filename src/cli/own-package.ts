/** The package that this code is part of, bundled or not: its folder, and the file that it was installed from. */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { name as ourName } from "../../package.json";

/** @returns the folder of package.json */
export function ownPackageFolder(from: string = __dirname): string {
  if (existsSync(join(from, "package.json"))) return from;
  const parent = dirname(from);
  return parent === from ? from : ownPackageFolder(parent);
}

/**
 * The package file, such as one made by `npm pack`, that npm or npx installed the package from.
 * @param folder of the package
 * @returns undefined if the package came from a registry, or runs in a clone; the file may have been deleted since
 */
export async function ownPackageFile(folder: string = ownPackageFolder()): Promise<string | undefined> {
  const packages = dirname(folder);
  if (basename(packages) !== "node_modules") return undefined;
  const project = dirname(packages);
  const source = await installedFrom(project);
  if (source?.startsWith("file:") !== true) return undefined;
  const file = resolve(project, source.slice("file:".length));
  const isFolder = await stat(file).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? undefined : file;
}

/** The place from which a project's package.json takes our package. npx writes such a file too, in a folder of its own. */
async function installedFrom(project: string): Promise<string | undefined> {
  const text = await readFile(join(project, "package.json"), "utf8").catch(() => "{}");
  const { dependencies, devDependencies } = JSON.parse(text) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  return dependencies?.[ourName] ?? devDependencies?.[ourName];
}

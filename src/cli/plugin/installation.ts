/** Puts the provider where `terraform init` and `tofu init` find it without any configuration. */
import { randomUUID } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Each of the two takes `tenancy/tenancy` for a provider of its own registry. */
const REGISTRIES = ["registry.terraform.io", "registry.opentofu.org"];

export interface Installation {
  /** Folder with the provider and its launcher. */
  readonly source: string;
  readonly version: string;
  /** The user's. */
  readonly home: string;
  /** Such as `linux_amd64`. */
  readonly platforms: readonly string[];
}

/** @returns the folders that hold it now, one for each registry */
export async function installPlugin({
  source,
  version,
  home,
  platforms,
}: Installation): Promise<readonly string[]> {
  const plugins = join(home, ".terraform.d", "plugins");
  const folders = REGISTRIES.map((registry) => join(plugins, registry, "tenancy", "tenancy", version));
  for (const folder of folders) for (const platform of platforms) await place(source, join(folder, platform));
  return folders;
}

/**
 * File by file, each in place of the one before at once: whoever looks meanwhile finds a provider. To put a new folder in the place of one
 * that is not empty, that one would have to go first. The launcher comes last, when what it starts is there.
 */
async function place(source: string, folder: string): Promise<void> {
  const fresh = `${folder}.${randomUUID()}`;
  try {
    await mkdir(fresh, { recursive: true });
    await mkdir(folder, { recursive: true });
    const names = (await readdir(source)).sort((a, b) => Number(isLauncher(a)) - Number(isLauncher(b)));
    for (const name of names) {
      await copyFile(join(source, name), join(fresh, name));
      // Whatever became of the mode on the way through a package registry: a launcher has to be one.
      await chmod(join(fresh, name), isLauncher(name) ? 0o755 : 0o644);
    }
    for (const name of names) await rename(join(fresh, name), join(folder, name));
    for (const name of await readdir(folder))
      if (!names.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

function isLauncher(name: string): boolean {
  return !name.endsWith(".cjs") && !name.endsWith(".txt");
}

/** `tenancy plugin install`: puts the Terraform provider where Terraform and OpenTofu find it. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../../package.json";
import { pluginUnavailable } from "../../problems";
import { EXIT } from "../io";
import { unwritable } from "../named-files";
import { ownPackageFolder } from "../own-package";
import { buildStandalone } from "../plugin/standalone";
import type { Verb } from "./verb";

export const installProvider: Verb<"plugin install"> = async (_call, { io, screen }) => {
  const source = join(ownPackageFolder(), "lib", "plugin");
  if (!existsSync(source))
    throw pluginUnavailable.error({ why: "it has not been built", advice: "Run: npm run build" });
  const { platform, arch } = process;
  const isWindows = platform === "win32";
  const home = io.environment["HOME"] || homedir();
  const plugins = isWindows
    ? join(io.environment["APPDATA"] || join(homedir(), "AppData", "Roaming"), "terraform.d", "plugins")
    : join(home, ".terraform.d", "plugins");
  const platforms = isWindows ? [platformOf(platform, arch)] : platformsHere(platform, arch);
  const install = isWindows ? installProgram : installPlugin;
  const folders = await install({ source, version, plugins, platforms }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === undefined || !("path" in error)) throw unmade(error, isWindows);
      throw unwritable(error.path ?? plugins, error, "Make the folder writable.");
    },
  );
  for (const folder of folders) screen.print(folder);
  screen.tell(
    `Installed tenancy/tenancy ${version}. A configuration that requires it ` +
      '(`tenancy = { source = "tenancy/tenancy" }`) finds it at the next `terraform init` or `tofu init`.',
  );
  return EXIT.ok;
};

/** On Windows it takes another library's and Node's own tools to make the program. */
function unmade(error: Error, isWindows: boolean): Error {
  if (!isWindows) return error;
  return pluginUnavailable.error(
    {
      why: `the program for Windows cannot be made (${error.message.split("\n", 1)[0] ?? ""})`,
      advice:
        "Install the package that makes it: npm install postject. Or put the program of the release into %APPDATA%\\terraform.d\\plugins.",
    },
    { cause: error },
  );
}

// The folder in which `terraform init` and `tofu init` find the provider without any configuration.

/** Terraform and OpenTofu each look for `tenancy/tenancy` in a registry of their own. */
const REGISTRIES = ["registry.terraform.io", "registry.opentofu.org"];

interface Installation {
  /** Folder with the provider and its launcher. */
  readonly source: string;
  readonly version: string;
  /** The folder in which the engines look for providers: `plugins` in the folder of their configuration. */
  readonly plugins: string;
  /** Such as `linux_amd64`. */
  readonly platforms: readonly string[];
}

/** @returns the folders that hold it now, one for each registry */
export async function installPlugin({
  source,
  version,
  plugins,
  platforms,
}: Installation): Promise<readonly string[]> {
  const folders = REGISTRIES.map((registry) => join(plugins, registry, "tenancy", "tenancy", version));
  for (const folder of folders)
    for (const platform of platforms) await placeFolder(source, join(folder, platform));
  return folders;
}

/** The same on Windows, where the engines start only programs: one is made of the provider and this very Node. */
async function installProgram(installation: Installation): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "provider-"));
  try {
    const program = join(folder, `terraform-provider-tenancy_v${installation.version}.exe`);
    await buildStandalone({ bundle: join(installation.source, "provider.cjs"), program });
    return await installPlugin({ ...installation, source: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Replaces one file after the other, each at once, so that an engine finds a provider at any time. A new folder could replace a folder with
 * files only after that folder was removed. The launcher comes last, after the files that it starts.
 */
async function placeFolder(source: string, folder: string): Promise<void> {
  const fresh = `${folder}.${randomUUID()}`;
  try {
    await mkdir(fresh, { recursive: true });
    await mkdir(folder, { recursive: true });
    const names = (await readdir(source)).sort((a, b) => Number(isLauncher(a)) - Number(isLauncher(b)));
    for (const name of names) {
      await copyFile(join(source, name), join(fresh, name));
      // A package registry may have changed the file's mode, but a launcher must be executable.
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

// Terraform's names of platforms.

/** Terraform's names of processors by Node's. Processors that are not listed have the same name in both. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** The platform of this machine. */
export function platformOf(system: string, processor: string): string {
  return `${system === "win32" ? "windows" : system}_${ARCHITECTURES[processor] ?? processor}`;
}

/**
 * Those of this machine: its own processor's, and the others' that may run here too, such as Terraform for Intel on Apple's. The provider is
 * the same for all of them.
 */
export function platformsHere(system: string, processor: string): readonly string[] {
  const architectures = new Set([ARCHITECTURES[processor] ?? processor, "amd64", "arm64"]);
  return [...architectures].map((architecture) => `${system}_${architecture}`);
}

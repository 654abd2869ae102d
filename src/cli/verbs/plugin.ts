/** `tenancy plugin install`: the Terraform provider, where Terraform and OpenTofu find it. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { version } from "../../../package.json";
import { FileUnusable, PluginUnavailable } from "../../errors";
import { EXIT } from "../exit-code";
import type { CommonFlags } from "../flags";
import { installPlugin, installProgram } from "../plugin/installation";
import { packageRoot } from "../plugin/package-root";
import { platformOf, platformsHere } from "../plugin/platforms";
import type { Verb } from "./verb";

export const installProvider: Verb<CommonFlags> = async (_call, { io, screen }) => {
  const source = join(packageRoot(), "lib", "plugin");
  if (!existsSync(source)) throw new PluginUnavailable("it has not been built", "Run: npm run build");
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
      throw new FileUnusable(
        error.path ?? plugins,
        `cannot be written (${error.code})`,
        "Make the folder writable.",
      );
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
  return new PluginUnavailable(
    `the program for Windows cannot be made (${error.message})`,
    "Put the program of the release into %APPDATA%\\terraform.d\\plugins.",
    { cause: error },
  );
}

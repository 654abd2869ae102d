/** `tenancy plugin install`: the Terraform provider, where Terraform and OpenTofu find it. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { version } from "../../../package.json";
import { FileUnusable, PluginUnavailable } from "../../errors";
import { EXIT } from "../exit-code";
import type { CommonFlags } from "../flags";
import { installPlugin } from "../plugin/installation";
import { packageRoot } from "../plugin/package-root";
import { platformsHere } from "../plugin/platforms";
import type { Verb } from "./verb";

export const installProvider: Verb<CommonFlags> = async (_call, { io, screen }) => {
  if (process.platform === "win32")
    throw new PluginUnavailable(
      "on Windows it takes a program",
      "Put the program of the release into %APPDATA%\\terraform.d\\plugins.",
    );
  const source = join(packageRoot(), "lib", "plugin");
  if (!existsSync(source)) throw new PluginUnavailable("it has not been built", "Run: npm run build");
  const home = io.environment["HOME"] || homedir();
  const platforms = platformsHere(process.platform, process.arch);
  const folders = await installPlugin({ source, version, home, platforms }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
      throw new FileUnusable(
        error.path ?? home,
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

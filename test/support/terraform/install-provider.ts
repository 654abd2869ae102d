import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** A provider to install, as `terraform init` is to find it. */
export interface ProviderPackage {
  /** Such as `hashicorp/null`. */
  readonly source: string;
  readonly version: string;
  /** The TypeScript file that serves it. */
  readonly main: string;
  /** Host of the registry that it stands in for. @default Terraform's */
  readonly registry?: string;
}

/** Bundles a provider and puts it into the mirror that Terraform looks into without being told: one in the HOME folder. */
export async function installProvider(
  home: string,
  { source, version, main, registry = "registry.terraform.io" }: ProviderPackage,
): Promise<void> {
  const type = source.slice(source.indexOf("/") + 1);
  const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
  const folder = join(home, ".terraform.d", "plugins", registry, source, version, platform);
  await mkdir(folder, { recursive: true });
  await bundleProvider(main, join(folder, "provider.cjs"));
  const launcher = join(folder, `terraform-provider-${type}_v${version}`);
  await writeFile(launcher, `#!/bin/sh\nexec "${process.execPath}" "$(dirname "$0")/provider.cjs" "$@"\n`);
  await chmod(launcher, 0o755);
}

/** Bundles a provider into one file, as it would be published. */
export async function bundleProvider(main: string, outfile: string): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  await build({
    entryPoints: [main],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "error",
  });
}

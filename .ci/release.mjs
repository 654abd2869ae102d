/**
 * Makes what a registry publishes into release/: a zip for each platform, their checksums, the manifest; and besides, for this very platform,
 * a program that needs no Node. Signing the checksums is left to whoever publishes. Windows starts only programs: its zip holds one, of the
 * Node that npm has of this very version; where it has none, the release is refused, unless it is to do `--without-windows`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { zipSync } from "fflate";
import { tsImport } from "tsx/esm/api";
import { buildPlugin, PROGRAM } from "./build/plugin.mjs";
import { nodeForWindows } from "./build/windows.mjs";

const { buildStandalone } = await tsImport("../src/cli/plugin/standalone.ts", import.meta.url);

const root = resolve(import.meta.dirname, "..");

/** The provider is the same for all of them: a shell starts it. */
const PLATFORMS = ["linux", "darwin", "freebsd"].flatMap((system) => [`${system}_amd64`, `${system}_arm64`]);

/** As Terraform's registry wants to know it before it downloads anything. */
const MANIFEST = { version: 1, metadata: { protocol_versions: ["6.0"] } };

/** Of all files in a zip, whenever it is made: the same sources give the same checksum. In local time, as zips have it. */
const MADE = new Date(1980, 0, 1);

/** @param options.windows whether there is to be a zip for it */
export async function release(folder = join(root, "release"), { windows = true } = {}) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = `${PROGRAM}_${version}`;
  const plugin = join(folder, ".plugin");
  rmSync(folder, { recursive: true, force: true });
  await buildPlugin(root, plugin);

  const zip = zipOf(plugin);
  for (const platform of PLATFORMS) writeFileSync(join(folder, `${name}_${platform}.zip`), zip);
  const bundle = join(plugin, "provider.cjs");
  if (windows) {
    const program = join(plugin, "windows");
    mkdirSync(program);
    const node = { file: nodeForWindows(process.versions.node), platform: "win32" };
    await buildStandalone({ bundle, program: join(program, `${PROGRAM}_v${version}.exe`), node });
    writeFileSync(join(folder, `${name}_windows_amd64.zip`), zipOf(program));
  }
  writeFileSync(join(folder, `${name}_manifest.json`), `${JSON.stringify(MANIFEST, null, 2)}\n`);
  writeFileSync(join(folder, `${name}_SHA256SUMS`), checksums(folder));

  // Not among the checksums of the registry, which has one file for a platform.
  const alone = join(folder, "standalone");
  const program = join(plugin, "alone");
  mkdirSync(alone);
  mkdirSync(program);
  const suffix = process.platform === "win32" ? ".exe" : "";
  await buildStandalone({ bundle, program: join(program, `${PROGRAM}_v${version}${suffix}`) });
  writeFileSync(join(alone, `${name}_${platformHere()}.zip`), zipOf(program));
  writeFileSync(join(alone, `${name}_SHA256SUMS`), checksums(alone));
  rmSync(plugin, { recursive: true });
}

function zipOf(folder) {
  const files = filesIn(folder).map((file) => {
    const path = join(folder, file);
    const mode = statSync(path).mode & 0o111 ? 0o100755 : 0o100644;
    return [file, [readFileSync(path), { os: 3, attrs: mode << 16, mtime: MADE, level: 9 }]];
  });
  return zipSync(Object.fromEntries(files));
}

function checksums(folder) {
  return filesIn(folder)
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, file)))
          .digest("hex")}  ${file}\n`,
    )
    .join("");
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

function platformHere() {
  const systems = { win32: "windows" };
  const processors = { x64: "amd64", ia32: "386" };
  return `${systems[process.platform] ?? process.platform}_${processors[process.arch] ?? process.arch}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  const options = { windows: !process.argv.includes("--without-windows") };
  await release(folder && resolve(folder), options).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

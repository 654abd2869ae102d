/**
 * Writes the files that a registry of providers publishes into release/: a zip for each platform, their checksums, and the manifest. It also
 * makes a program for this platform that needs no Node, in release/standalone/. If the variable RELEASE_SIGNING_KEY holds a private key, the
 * checksums are signed with it. What a complete release lacks is listed in release/missing.md. Windows starts only programs: its zip holds one,
 * made of the Node that npm has in this very version; if npm has none, the release fails unless `--without-windows` is given.
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { zipSync } from "fflate";
import { tsImport } from "tsx/esm/api";
import { nodeLicense } from "./build/node-license.mjs";
import { NOTICES } from "./build/notices.mjs";
import { buildPlugin, PROGRAM } from "./build/plugin.mjs";
import { sign } from "./build/signature.mjs";
import { nodeForWindows } from "./build/windows.mjs";

const { buildStandalone } = await tsImport("../src/cli/plugin/standalone.ts", import.meta.url);

const root = resolve(import.meta.dirname, "..");

/** The provider is the same for all of them: a shell starts it. */
const PLATFORMS = ["linux", "darwin", "freebsd"].flatMap((system) => [`${system}_amd64`, `${system}_arm64`]);

/** As Terraform's registry wants to know it before it downloads anything. */
const MANIFEST = { version: 1, metadata: { protocol_versions: ["6.0"] } };

/** Of all files in a zip, whenever it is made: the same sources give the same checksum. In local time, as zips have it. */
const MADE = new Date(1980, 0, 1);

/** @param options.windows whether to make a zip for it */
export async function release(folder = join(root, "release"), { windows = true } = {}) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = `${PROGRAM}_${version}`;
  const plugin = join(folder, ".plugin");
  rmSync(folder, { recursive: true, force: true });
  await buildPlugin(root, plugin);

  const zip = zipOf(plugin);
  for (const platform of PLATFORMS) writeFileSync(join(folder, `${name}_${platform}.zip`), zip);
  if (windows) {
    const node = { file: nodeForWindows(process.versions.node), platform: "win32" };
    const program = await programFolder(plugin, `${PROGRAM}_v${version}.exe`, node);
    writeFileSync(join(folder, `${name}_windows_amd64.zip`), zipOf(program));
  }
  writeFileSync(join(folder, `${name}_manifest.json`), `${JSON.stringify(MANIFEST, null, 2)}\n`);

  // Not among the checksums for the registry, which has one file for a platform. Names differ too: a release has no folders.
  const alone = join(folder, "standalone");
  mkdirSync(alone);
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = await programFolder(plugin, `${PROGRAM}_v${version}${suffix}`);
  const aloneName = `${PROGRAM}-standalone_${version}`;
  writeFileSync(join(alone, `${aloneName}_${platformHere()}.zip`), zipOf(program));
  rmSync(plugin, { recursive: true });

  const missing = windows ? [] : ["The zip for Windows was left out with `--without-windows`."];
  const key = process.env["RELEASE_SIGNING_KEY"] ?? "";
  for (const sums of [join(folder, `${name}_SHA256SUMS`), join(alone, `${aloneName}_SHA256SUMS`)]) {
    writeFileSync(sums, checksums(dirname(sums)));
    if (key !== "") sign(sums, key, process.env["RELEASE_SIGNING_PASSPHRASE"]);
  }
  if (key === "") missing.push(UNSIGNED);
  if (missing.length > 0) writeFileSync(join(folder, "missing.md"), missingText(missing));
}

const UNSIGNED =
  "The checksums have no signature, and a registry of providers refuses them. Set the secret `RELEASE_SIGNING_KEY` (and " +
  "`RELEASE_SIGNING_PASSPHRASE` if the key has one), delete this draft, and run the workflow again.";

function missingText(missing) {
  const lines = missing.map((one) => `- ${one}\n`).join("");
  return `This release is a draft, since it is not complete:\n\n${lines}`;
}

/** A folder with one program, of the provider and Node, and the licenses of all code in it. */
async function programFolder(plugin, name, node) {
  const folder = join(plugin, node?.platform ?? "standalone");
  mkdirSync(folder);
  await buildStandalone({ bundle: join(plugin, "provider.cjs"), program: join(folder, name), node });
  for (const file of ["LICENSE.txt", NOTICES]) copyFileSync(join(plugin, file), join(folder, file));
  // That of this Node, which has the same version on every platform.
  copyFileSync(nodeLicense(), join(folder, "NODE-LICENSE.txt"));
  return folder;
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

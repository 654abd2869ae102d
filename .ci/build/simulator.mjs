/**
 * The embedded service as one file with its web framework in it: who installs the package for its engine gets none of the framework's
 * packages, nor their warnings.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** @param options for esbuild; `absWorkingDir` has to be there */
export async function buildSimulator(root, folder, options) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.name.endsWith(".js")) rmSync(join(entry.parentPath, entry.name));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { metafile } = await build({
    ...options,
    entryPoints: { index: "src/simulator/index.ts" },
    outdir: folder,
    // What users have anyway.
    external: Object.keys(dependencies),
    metafile: true,
  });
  writeFileSync(join(folder, "licences.txt"), licences(root, Object.keys(metafile.inputs)));
}

/** What the licences of the packages in the file ask to go with it. */
function licences(root, inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => licence(join(root, folder)))
    .join("\n\n");
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}

/**
 * The embedded service as one file with its web framework in it: who installs the package for its engine gets none of the framework's
 * packages, nor their warnings.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * @param options for esbuild; `absWorkingDir` and `metafile` have to be there
 * @returns what the file is made of
 */
export async function buildSimulator(root, folder, options) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.name.endsWith(".js")) rmSync(join(entry.parentPath, entry.name));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { metafile } = await build({
    ...options,
    entryPoints: { index: "src/lib/simulator/index.ts" },
    outdir: folder,
    // What users have anyway.
    external: Object.keys(dependencies),
    plugins: [silentLogger],
  });
  return metafile;
}

/** In place of the logger that the framework uses where none is configured: its package has no license text. */
const silentLogger = {
  name: "silent-logger",
  setup({ onResolve, onLoad }) {
    const namespace = "silent-logger";
    onResolve({ filter: /^abstract-logging$/ }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /.*/, namespace }, () => ({
      contents: `for (const level of ["fatal", "error", "warn", "info", "debug", "trace"]) exports[level] = () => {};`,
    }));
  },
};

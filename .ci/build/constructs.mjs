/**
 * The constructs as one file: an app is started for every plan, and finding and reading fifty files takes longer than running them. Their
 * errors are left in lib/problems, as everybody else's, and loaded when one is thrown.
 */
import { readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Needs lib/problems to be built.
 * @param source index of the sources
 * @param folder takes the file, in place of those that were compiled one by one; their declarations stay
 * @param options for esbuild, with `metafile`
 * @returns what the file is made of
 */
export async function bundleConstructs(root, source, folder, options) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.name.endsWith(".js")) rmSync(join(entry.parentPath, entry.name));
  const { metafile } = await build({
    ...options,
    entryPoints: [source],
    outfile: join(folder, "index.js"),
    // Names of classes are in what the libraries print.
    keepNames: true,
    external: ["cdktf", "cdktn", "constructs"],
    plugins: [errorsWhenThrown(root)],
  });
  return metafile;
}

function errorsWhenThrown(root) {
  const namespace = "errors-when-thrown";
  const names = Object.keys(createRequire(import.meta.url)(join(root, "lib", "problems", "index.js")));
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.\/(lib\/)?problems$/ }, ({ path, namespace: importer }) =>
        importer === namespace ? { path: `${path}/index.js`, external: true } : { path, namespace },
      );
      onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `module.exports = { __esModule: true, ${names
          .map((name) => `get ${name}() { return require(${JSON.stringify(path)}).${name}; }`)
          .join(", ")} };`,
      }));
    },
  };
}

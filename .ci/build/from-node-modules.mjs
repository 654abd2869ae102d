/**
 * Leaves libraries out of a bundle that has to start fast: each is loaded from node_modules when something of it is first used, though the
 * sources import it as any other.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

/** A plugin for esbuild. @param libraries names as the sources import them */
export function fromNodeModules(root, libraries) {
  const require = createRequire(join(root, "package.json"));
  const namespace = "from-node-modules";
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^.]/ }, ({ path, namespace: importer }) => {
        if (!libraries.includes(path)) return undefined;
        return importer === namespace ? { path, external: true } : { path, namespace };
      });
      onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: standIn(path, require(path)) }));
    },
  };
}

/** A module with the same exports, each of which asks for the library. */
function standIn(path, library) {
  const isModule = library.__esModule === true;
  const getters = Object.keys(library)
    .filter((name) => name !== "default")
    .map((name) => `get ${name}() { return library().${name}; },`);
  return `
const library = () => require(${JSON.stringify(path)});
module.exports = {
  __esModule: true,
  get default() { return library()${isModule ? ".default" : ""}; },
  ${getters.join("\n  ")}
};
`;
}

/**
 * For a bundle that has to start fast: what it imports dynamically goes into it as text, and becomes code when it is used. V8 looks through all
 * the code of a file before it runs any of it, and passes over a text in no time; and most of the processes that Terraform starts make no
 * request.
 */
import { join } from "node:path";
import { build } from "esbuild";
import { UNDICI } from "./undici.mjs";

/** Code of the protocol, which is needed after the greeting, though the sources import it normally. */
const PROTOCOL = {
  "@grpc/grpc-js": `
    export { Server } from "@grpc/grpc-js/build/src/server.js";
    export { ServerCredentials } from "@grpc/grpc-js/build/src/server-credentials.js";
    export { Status as status } from "@grpc/grpc-js/build/src/constants.js";`,
  "@msgpack/msgpack": `export { decode, Encoder, ExtData } from "@msgpack/msgpack";`,
  tfplugin6: `export { calls } from "./src/lib/plugin-runtime/generated/tfplugin6.js";`,
};

/**
 * A plugin for esbuild.
 * @param options how to build what goes in as text; `absWorkingDir` has to be there
 * @param metafiles gets one for each text, whose code the metafile of the bundle does not list
 */
export function whenUsed(options, metafiles) {
  const root = options.absWorkingDir;
  const source = (...path) => join(root, "src", ...path);
  const age = source("age", "age-library.ts");
  const texts = {
    undici: UNDICI,
    ...PROTOCOL,
    [age]: `export * from ${JSON.stringify(age)};`,
    "./index.js": `export * from ${JSON.stringify(source("provider", "index.ts"))};`,
  };
  /** Of these there must be one alone, whoever uses it: a text takes them from the bundle around it. */
  const shared = {
    values: source("lib", "values", "index.ts"),
    runtime: source("lib", "plugin-runtime", "index.ts"),
    undici: "undici",
    age,
  };
  const namespace = "when-used";

  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve(
        {
          filter:
            /^(undici|\.\/index\.js|@grpc\/grpc-js|@msgpack\/msgpack)$|[\\/](generated[\\/]tfplugin6|age[\\/]age-library\.ts)$/,
        },
        ({ path, kind, namespace: importer }) => {
          const name = path.endsWith("tfplugin6") ? "tfplugin6" : path;
          const isLate = kind === "dynamic-import" || importer === namespace || name in PROTOCOL;
          return isLate ? { path: name, namespace } : undefined;
        },
      );
      onLoad({ filter: /.*/, namespace }, async ({ path }) => {
        const { outputFiles, metafile } = await build({
          ...options,
          stdin: { contents: texts[path], resolveDir: root },
          legalComments: "inline",
          write: false,
          metafile: true,
          external: ["@grpc/proto-loader", "long"],
          plugins: path === "./index.js" ? [fromAround(shared)] : [withoutClient],
        });
        metafiles.push(metafile);
        return { contents: runner(path, outputFiles[0].text, shared), resolveDir: root };
      });
    },
  };
}

/**
 * Of gRPC just the server: its client takes as long to load again. The server needs client and `@grpc/proto-loader` for a list of its calls, and
 * no client asks for that.
 */
const withoutClient = {
  name: "without-client",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/make-client$/ }, ({ path }) => ({ path, namespace: "without-client" }));
    onLoad({ filter: /.*/, namespace: "without-client" }, () => ({ contents: "" }));
  },
};

/** Leaves the shared modules to whoever runs the text. */
function fromAround(shared) {
  return {
    name: "from-around",
    setup({ onResolve, resolve }) {
      onResolve(
        { filter: /(^|\/)(values|plugin-runtime|undici|age-library)$/ },
        async ({ path, pluginData, ...where }) => {
          if (pluginData === "asked before") return undefined;
          const found = await resolve(path, { ...where, pluginData: "asked before" });
          const name = Object.keys(shared).find((one) => shared[one] === found.path || one === path);
          return name === undefined ? found : { path: `around:${name}`, external: true };
        },
      );
    },
  };
}

/** A module that is run from a text. */
function runner(name, text, shared) {
  const ways = Object.entries(shared)
    .filter(([one]) => text.includes(`"around:${one}"`))
    .map(([one, module]) => `"around:${one}": () => require(${JSON.stringify(module)}),`);
  return `
const around = { ${ways.join(" ")} };
const find = (name) => (around[name] === undefined ? require(name) : around[name]());
const { compileFunction } = require("node:vm");
compileFunction(${JSON.stringify(text)}, ["module", "require"], { filename: ${JSON.stringify(name)} })(module, find);
`;
}

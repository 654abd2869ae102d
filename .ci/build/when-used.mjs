/**
 * For a bundle that has to start fast: what it imports dynamically goes into it as text, and becomes code when it is used. V8 looks through all
 * the code of a file before it runs any of it, and passes over a text in no time; and most of the processes that Terraform starts make no
 * request.
 */
import { join } from "node:path";
import { build } from "esbuild";
import { UNDICI } from "./undici.mjs";

/**
 * The libraries of the protocol, which are needed after the greeting, though the sources import them normally. Of gRPC just the server: the client
 * takes as long to load again.
 */
const LIBRARIES = {
  "@grpc/grpc-js": `
    export { Server } from "@grpc/grpc-js/build/src/server.js";
    export { ServerCredentials } from "@grpc/grpc-js/build/src/server-credentials.js";
    export { Status as status } from "@grpc/grpc-js/build/src/constants.js";`,
  "protobufjs/light": `export * from "protobufjs/light";`,
  "@msgpack/msgpack": `export { decode, Encoder, ExtData } from "@msgpack/msgpack";`,
};

/**
 * A plugin for esbuild.
 * @param options how to build what goes in as text; `absWorkingDir` has to be there
 * @param metafiles gets one for each text, whose code the metafile of the bundle does not list
 */
export function whenUsed(options, metafiles) {
  const root = options.absWorkingDir;
  const source = (...path) => join(root, "src", ...path);
  const age = source("resources", "authorization", "age.ts");
  const texts = {
    undici: UNDICI,
    ...LIBRARIES,
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
            /^(undici|\.\/index\.js|@grpc\/grpc-js|protobufjs\/light|@msgpack\/msgpack)$|[\\/]authorization[\\/]age\.ts$/,
        },
        ({ path, kind, namespace: importer }) =>
          kind === "dynamic-import" || importer === namespace || path in LIBRARIES
            ? { path, namespace }
            : undefined,
      );
      onLoad({ filter: /.*/, namespace }, async ({ path }) => {
        const { outputFiles, metafile } = await build({
          ...options,
          stdin: { contents: texts[path], resolveDir: root },
          legalComments: "inline",
          write: false,
          metafile: true,
          // Nobody asks the server for a list of its calls, for which alone it would read definitions.
          external: ["@grpc/proto-loader"],
          plugins: path === "./index.js" ? [fromAround(shared)] : [],
        });
        metafiles.push(metafile);
        return { contents: runner(path, outputFiles[0].text, shared), resolveDir: root };
      });
    },
  };
}

/** Leaves the shared modules to whoever runs the text. */
function fromAround(shared) {
  return {
    name: "from-around",
    setup({ onResolve, resolve }) {
      onResolve(
        { filter: /(^|\/)(values|plugin-runtime|undici|age)$/ },
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

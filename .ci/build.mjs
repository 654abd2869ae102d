/**
 * Builds what users install: the library into lib/, its constructs once more for cdktn into cdktn/, the command as a few bundles that
 * start fast, the Terraform provider as one file, and the folders by which `engine`, `testing` and `register` are found without an exports map. With
 * `--if-stale` only when a source has changed since.
 */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build as bundle } from "esbuild";
import { lock } from "proper-lockfile";
import { constructsForCdktn } from "./build/cdktn.mjs";
import { compile } from "./build/compile.mjs";
import { bundleConstructs } from "./build/constructs.mjs";
import { fromNodeModules } from "./build/from-node-modules.mjs";
import { writeNotices } from "./build/notices.mjs";
import { buildPlugin } from "./build/plugin.mjs";
import { buildSimulator } from "./build/simulator.mjs";
import { UNDICI, withoutHttp2 } from "./build/undici.mjs";

const root = resolve(import.meta.dirname, "..");
const lib = join(root, "lib");
const stamp = join(lib, ".built-from");
/** Tests that run at the same time all want it built. */
const lockfilePath = join(root, "node_modules", ".tenancy-build.lock");

export async function build({ ifStale = false } = {}) {
  const release = await lock(join(root, "node_modules"), {
    lockfilePath,
    retries: { retries: 600, factor: 1 },
  });
  try {
    const sources = fingerprint();
    if (ifStale && existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return;
    rmSync(lib, { recursive: true, force: true });
    await compile(root, ".config/tsconfig.build.json");
    const metafiles = [
      await bundleConstructs(root, "src/constructs/index.ts", join(lib, "constructs"), BUNDLED),
      await constructsForCdktn(root, BUNDLED),
      ...(await command()),
      await sealing(),
      await buildSimulator(root, join(lib, "lib", "simulator"), BUNDLED),
    ];
    writeNotices(root, lib, metafiles);
    await buildPlugin(root, join(lib, "plugin"));
    folders();
    writeFileSync(stamp, sources);
  } finally {
    await release();
  }
}

const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  logLevel: "warning",
  metafile: true,
};

/** The entry knows the help; the verbs are loaded when one is called, and the embedded service when it is that one. Returns their metafiles. */
async function command() {
  const entry = await bundle({
    ...BUNDLED,
    entryPoints: { tenancy: "src/cli/tenancy.ts" },
    outdir: "lib/cli",
    plugins: [beside(/^\.\/verbs$/, "./verbs.js"), onlyUsedProblems],
  });
  const verbs = await bundle({
    ...BUNDLED,
    entryPoints: { verbs: "src/cli/verbs/index.ts" },
    outdir: "lib/cli",
    plugins: [
      beside(/^(\.\.\/)+lib\/simulator$/, "../lib/simulator/index.js"),
      beside(/^undici$/, "./undici.js"),
      beside(/^\.\/age-library$/, "../age/age-library.js"),
      fromNodeModules(root, [
        "csv-parse/sync",
        "ipaddr.js",
        "otpauth",
        "picomatch",
        "postject",
        "re2js",
        "yaml",
      ]),
    ],
  });
  const undici = await bundle({
    ...BUNDLED,
    stdin: { contents: UNDICI, resolveDir: root },
    outfile: "lib/cli/undici.js",
    plugins: [withoutHttp2],
  });
  chmodSync(join(lib, "cli", "tenancy.js"), 0o755);
  const register = await bundle({
    ...BUNDLED,
    entryPoints: { index: "src/register/index.ts" },
    outdir: "lib/register",
  });
  return [entry, verbs, undici, register].map(({ metafile }) => metafile);
}

/** age with its library, in the place of the file that asks for the library: nobody who installs the package has it. Returns the metafile. */
async function sealing() {
  const { metafile } = await bundle({
    ...BUNDLED,
    entryPoints: { "age-library": "src/age/age-library.ts" },
    outdir: "lib/age",
  });
  return metafile;
}

/** The help shows few problems: the files of which it shows none are left out. Elsewhere esbuild takes their definitions for work that has an effect. */
const onlyUsedProblems = {
  name: "only-used-problems",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/\w+$/ }, ({ path, resolveDir }) =>
      resolveDir === join(root, "src/problems")
        ? { path: join(resolveDir, `${path}.ts`), sideEffects: false }
        : undefined,
    ),
};

/** Leaves an import out of a bundle: it is found at `path` from the bundle. */
function beside(filter, path) {
  return {
    name: "beside",
    setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
  };
}

/** Files, not a package.json that points elsewhere: programs in ES modules find only files, as in `…/engine/index.js`. */
function folders() {
  for (const name of ["engine", "testing", "register"]) {
    const folder = join(root, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, "index.js"), `module.exports = require("../lib/${name}/index.js");\n`);
    if (existsSync(join(lib, name, "index.d.ts")))
      writeFileSync(join(folder, "index.d.ts"), `export * from "../lib/${name}";\n`);
  }
}

/** Changes whenever something that is built, or the way in which it is, does. */
function fingerprint() {
  const hash = createHash("sha256");
  const single = ["package.json", "package-lock.json", "tsconfig.json", ".ci/build.mjs"];
  for (const file of [...single, ...[".ci/build", ".config", "src"].flatMap(filesIn)])
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build({ ifStale: process.argv.includes("--if-stale") }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

const { buildSync } = require("esbuild");
const { existsSync, mkdirSync, readFileSync, renameSync } = require("node:fs");
const { dirname, join, resolve } = require("node:path");

const ROOT = resolve(__dirname, "..");

/**
 * A library as one file. Each test file loads its libraries anew, and Jest takes three times as long for the library's hundred files.
 * @returns the file, which is made again when another version of the library is installed
 */
module.exports = function oneFile(library) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules", library, "package.json"), "utf8"));
  const file = join(ROOT, "node_modules/.cache/tenancy-tests", library, `${version}.cjs`);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    // Another run may be making the same file.
    const begun = `${file}.${process.pid}`;
    buildSync({
      entryPoints: [require.resolve(library)],
      outfile: begun,
      bundle: true,
      platform: "node",
      format: "cjs",
      keepNames: true,
      // Its classes have to be the ones that all others extend, too.
      external: ["constructs"],
      logLevel: "error",
    });
    renameSync(begun, file);
  }
  return file;
};

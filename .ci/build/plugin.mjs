/** The Terraform provider as it is installed: one file that loads nothing but Node's own modules, and a launcher for every Unix. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import { build } from "esbuild";
import { writeNotices } from "./notices.mjs";
import { whenUsed } from "./when-used.mjs";

export const PROGRAM = "terraform-provider-tenancy";

/**
 * The one file. Minified because Terraform starts it several times in every run, and waits for it to be read.
 * @returns what it is made of
 */
export async function bundleProvider(root, outfile) {
  const options = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "warning",
  };
  const metafiles = [];
  const { metafile } = await build({
    ...options,
    metafile: true,
    entryPoints: ["src/provider/main.ts"],
    outfile,
    legalComments: "linked",
    plugins: [whenUsed(options, metafiles), schemaAnswer(await encodedSchema(options))],
  });
  return [metafile, ...metafiles];
}

/** The provider's answer to `GetProviderSchema`, as base64. */
async function encodedSchema(options) {
  const { outputFiles } = await build({
    ...options,
    stdin: {
      contents: `
        import { encodedSchema } from "./src/lib/plugin-runtime";
        import { createProvider } from "./src/provider";
        export const answer = Buffer.from(encodedSchema(createProvider({}))).toString("base64");`,
      resolveDir: options.absWorkingDir,
    },
    write: false,
  });
  const module = { exports: {} };
  compileFunction(outputFiles[0].text, ["module", "exports", "require"])(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return module.exports.answer;
}

/** Puts the answer in the place of `src/provider/schema-answer.ts`. */
function schemaAnswer(base64) {
  return {
    name: "schema-answer",
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]provider[\\/]schema-answer\.ts$/ }, () => ({
        contents: `export const schemaAnswer = Buffer.from(${JSON.stringify(base64)}, "base64");`,
      })),
  };
}

/** Writes the bundle, its launcher and the licenses of all code in it into a folder. */
export async function buildPlugin(root, folder) {
  const { version, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  mkdirSync(folder, { recursive: true });
  writeNotices(root, folder, await bundleProvider(root, join(folder, "provider.cjs")));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE.txt"));
  const launcher = readFileSync(join(root, "src", "provider", "launcher.sh"), "utf8");
  const least = engines.node.replace(">=", "");
  writeFileSync(join(folder, `${PROGRAM}_v${version}`), launcher.replaceAll("@NODE@", least), {
    mode: 0o755,
  });
}

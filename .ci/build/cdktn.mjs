/**
 * The constructs for cdktn, from the sources of those for cdktf: the library's name is another, and so is the L1, made by the library's own
 * generator. Errors are those of lib/, so that both builds throw the same classes.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./compile.mjs";
import { bundleConstructs } from "./constructs.mjs";

/**
 * Needs lib/ to be built. Sources are compiled where their output belongs, so that what they import is checked as users find it.
 * @param options for esbuild, with `metafile`
 * @returns what the file is made of
 */
export async function constructsForCdktn(root, options) {
  const folder = join(root, "cdktn");
  const generated = join(folder, "generated");
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, "src", "constructs"), folder, { recursive: true });
  rmSync(join(generated, "l1"), { recursive: true });
  cpSync(join(generated, "l1-cdktn"), join(generated, "l1"), { recursive: true });
  rmSync(join(generated, "l1-cdktn"), { recursive: true });

  const sources = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path));
  for (const source of sources) writeFileSync(source, forCdktn(readFileSync(source, "utf8")));
  await compile(root, ".config/tsconfig.cdktn.json");
  const metafile = await bundleConstructs(root, join(folder, "index.ts"), folder, options);
  for (const source of sources) rmSync(source);
  return metafile;
}

function forCdktn(source) {
  return source
    .replaceAll('from "cdktf"', 'from "cdktn"')
    .replaceAll('from "../problems"', 'from "../lib/problems"');
}

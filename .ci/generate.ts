/**
 * Writes all that is generated from the descriptions under src/resources; `--check` only tells whether it is up to date. A file whose
 * text stays the same is not touched.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Generator } from "./generate/generator";
import { registry } from "./generate/registry";

/** In this order: the later ones read what the earlier ones wrote, so they are loaded only once the registry is written. */
async function* generators(): AsyncGenerator<Generator> {
  yield registry;
  const { cdktfBindings, cdktnBindings } = await import("./generate/bindings.js");
  const { simulatorParameters } = await import("./generate/parameters.js");
  const { vocabulary } = await import("./generate/vocabulary.js");
  const { documents } = await import("./generate/docs/index.js");
  yield* [simulatorParameters, cdktfBindings, cdktnBindings, vocabulary, ...documents];
  const { typescriptReference } = await import("./generate/docs/typescript.js");
  yield typescriptReference;
  const { commandPages } = await import("./generate/docs/commands.js");
  yield commandPages;
  const { picture } = await import("./generate/docs/picture.js");
  yield picture;
  const { pluginProtocol } = await import("./generate/protocol.js");
  yield pluginProtocol;
}

const root = resolve(__dirname, "..");
const check = process.argv.includes("--check");

async function main(): Promise<void> {
  const stale: string[] = [];
  for await (const generator of generators()) {
    const files = await generator.generate();
    for (const [path, text] of Object.entries(files)) {
      if (textOf(path) === text) continue;
      stale.push(path);
      if (!check) write(path, text);
    }
    for (const path of surplus(generator, files)) {
      stale.push(path);
      if (!check) rmSync(join(root, path));
    }
  }
  for (const path of stale) process.stderr.write(`${check ? "out of date" : "wrote"}: ${path}\n`);
  if (check && stale.length > 0) {
    process.stderr.write("Run `npm run generate` and commit what it writes.\n");
    process.exitCode = 1;
  }
}

function textOf(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function write(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function surplus({ folder }: Generator, files: Readonly<Record<string, string>>): readonly string[] {
  if (folder === undefined || !existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !Object.hasOwn(files, path));
}

void main();

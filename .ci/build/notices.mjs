/** License texts of the packages whose code a bundle holds. Their licenses ask for the texts wherever the code goes. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const NOTICES = "THIRD-PARTY-NOTICES.txt";

/**
 * Writes the notices of bundles into a folder.
 * @param metafiles of all bundles, as esbuild returns them
 */
export function writeNotices(root, folder, metafiles) {
  // A version of a package that is installed in several places is listed once.
  const texts = new Set(bundledPackages(metafiles).map((path) => notice(join(root, path))));
  writeFileSync(join(folder, NOTICES), `${INTRODUCTION}\n${[...texts].join("\n")}`);
}

const INTRODUCTION = "The programs that come with this file contain code of these packages.\n";

/** The folders of the packages that gave code to any of the outputs, in alphabetical order. */
function bundledPackages(metafiles) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(inputs)].sort();
}

/** Copyright of code that a package contains and that its own license text does not name. */
const CONTAINED = {
  undici: "It contains llhttp, Copyright Fedor Indutny, 2018, under the same license.",
};

/** @throws if the package has no license text, since such a package must not be shipped */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file));
  if (!files.some((file) => !/^notice/i.test(file)))
    throw new Error(`${name} ${version} is bundled, but ${folder} holds no license text. Do not bundle it.`);
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  const contained = name in CONTAINED ? [CONTAINED[name]] : [];
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n\n${[...texts, ...contained].join("\n\n")}\n`;
}

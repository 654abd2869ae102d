/** zizmor, which finds what an attacker could use in workflows: a program in a package for Python. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { installWithPip } from "./pip.mjs";
import { cache, link } from "./places.mjs";

const VERSION = "1.32.0";

/** @param python the file of Python */
export function provideZizmor(python) {
  const folder = join(cache, `zizmor-${VERSION}`);
  const program = join(folder, "bin", "zizmor");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    installWithPip(python, `zizmor==${VERSION}`, folder);
  }
  link("zizmor", program);
}

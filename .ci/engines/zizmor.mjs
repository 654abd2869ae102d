/** zizmor, which finds what an attacker could use in workflows: a program in a package for Python. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./apt.mjs";
import { cache, link } from "./places.mjs";

const VERSION = "1.32.0";

/** @param python the file of Python */
export function provideZizmor(python) {
  const folder = join(cache, `zizmor-${VERSION}`);
  const program = join(folder, "bin", "zizmor");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync(python, ["-m", "pip", "--version"], { stdio: "ignore" });
    } catch {
      installPackage("python3-pip");
    }
    const words = ["-m", "pip", "install", "--quiet", "--target", folder, `zizmor==${VERSION}`];
    execFileSync(python, words, { stdio: ["ignore", 2, 2] });
  }
  link("zizmor", program);
}

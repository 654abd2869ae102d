/** Prometheus' own client library for Python, which reads metrics as Prometheus does: a Python of its own that finds it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./apt.mjs";
import { cache, link } from "./places.mjs";

const VERSION = "0.26.0";

/** @param found the file of Python */
export function providePrometheusClient(found) {
  const folder = join(cache, `prometheus-client-${VERSION}`);
  const program = join(folder, "prometheus-python");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    // Debian's package is for Debian's Python.
    const python = hasPip(found) ? found : (installPackage("python3-pip"), "/usr/bin/python3");
    const words = ["-m", "pip", "install", "--quiet", "--target", join(folder, "packages")];
    execFileSync(python, [...words, `prometheus-client==${VERSION}`], { stdio: ["ignore", 2, 2] });
    const script = `#!/bin/sh\nPYTHONPATH='${join(folder, "packages")}' exec '${python}' "$@"\n`;
    writeFileSync(program, script, { mode: 0o755 });
  }
  link("prometheus-python", program);
}

function hasPip(python) {
  try {
    execFileSync(python, ["-m", "pip", "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

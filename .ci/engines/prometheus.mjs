/** Prometheus' own client library for Python, which reads metrics as Prometheus does: a Python of its own that finds it. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installWithPip } from "./pip.mjs";
import { cache, link } from "./places.mjs";

const VERSION = "0.26.0";

/** @param found the file of Python */
export function providePrometheusClient(found) {
  const folder = join(cache, `prometheus-client-${VERSION}`);
  const program = join(folder, "prometheus-python");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const packages = join(folder, "packages");
    const python = installWithPip(found, `prometheus-client==${VERSION}`, packages);
    const script = `#!/bin/sh\nPYTHONPATH='${packages}' exec '${python}' "$@"\n`;
    writeFileSync(program, script, { mode: 0o755 });
  }
  link("prometheus-python", program);
}

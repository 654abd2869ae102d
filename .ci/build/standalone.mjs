/** The provider and Node in one program, for machines without Node: a single executable application. */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "postject";

/** Node looks for it in itself: what stands behind it says whether there is an application. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * For the platform that it runs on, with the Node that it runs with.
 * @param name of the program; on Windows `.exe` is added
 */
export async function buildStandalone(bundle, folder, name) {
  const work = mkdtempSync(join(tmpdir(), "standalone-"));
  const program = join(folder, process.platform === "win32" ? `${name}.exe` : name);
  try {
    const configuration = join(work, "sea.json");
    const blob = join(work, "provider.blob");
    writeFileSync(
      configuration,
      JSON.stringify({ main: bundle, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }),
    );
    execFileSync(process.execPath, ["--experimental-sea-config", configuration], {
      stdio: ["ignore", "ignore", 2],
    });
    copyFileSync(process.execPath, program);
    chmodSync(program, 0o755);
    const isMac = process.platform === "darwin";
    if (isMac) execFileSync("codesign", ["--remove-signature", program]);
    await inject(program, "NODE_SEA_BLOB", readFileSync(blob), {
      sentinelFuse: FUSE,
      ...(isMac && { machoSegmentName: "NODE_SEA" }),
    });
    if (isMac) execFileSync("codesign", ["--sign", "-", program]);
  } finally {
    rmSync(work, { recursive: true });
  }
}

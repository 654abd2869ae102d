/** Builds one program of the provider and Node, for machines without Node, and for Windows, where Terraform starts only programs. */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "postject";

const runProgram = promisify(execFile);

/** Node looks for this text in its own binary. The character after it marks a binary that contains an application. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

export async function buildStandalone({
  bundle,
  program,
  node,
}: {
  /** The one file that the provider is. */
  readonly bundle: string;
  /** The file to make. */
  readonly program: string;
  /**
   * The Node that becomes part of the program; it has the same version as this one.
   * @default this one
   */
  readonly node?: { readonly file: string; readonly platform: NodeJS.Platform };
}): Promise<void> {
  const { file, platform } = node ?? { file: process.execPath, platform: process.platform };
  const work = await mkdtemp(join(tmpdir(), "standalone-"));
  try {
    const configuration = join(work, "sea.json");
    const blob = join(work, "provider.blob");
    // Compiled code is good for the Node that made it, and for no other platform's.
    const settings = {
      main: bundle,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: node === undefined,
    };
    await writeFile(configuration, JSON.stringify(settings));
    await runProgram(process.execPath, ["--experimental-sea-config", configuration]);
    await copyFile(file, program);
    await chmod(program, 0o755);
    const isMac = platform === "darwin";
    if (isMac) await runProgram("codesign", ["--remove-signature", program]);
    await inject(program, "NODE_SEA_BLOB", await readFile(blob), {
      sentinelFuse: FUSE,
      ...(isMac && { machoSegmentName: "NODE_SEA" }),
    });
    if (isMac) await runProgram("codesign", ["--sign", "-", program]);
  } finally {
    await rm(work, { recursive: true });
  }
}

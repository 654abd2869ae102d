import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** JavaScript and declarations, file by file, as the configuration says. Waits without blocking, since the build's lock has to be kept. */
export async function compile(root, configuration) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const words = [tsc, "--project", configuration];
  const [code] = await once(spawn(process.execPath, words, { cwd: root, stdio: ["ignore", 2, 2] }), "exit");
  if (code !== 0) throw new Error(`${configuration}: not compiled`);
}

import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** JavaScript and declarations, file by file, as the configuration says. */
export function compile(root, configuration) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "--project", configuration], { cwd: root, stdio: ["ignore", 2, 2] });
}

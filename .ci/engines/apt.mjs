/** Debian's packages, where there are any; elsewhere whoever runs this is told what to install. */
import { execFileSync } from "node:child_process";
import { onPath } from "./places.mjs";

export function installPackage(name) {
  if (onPath("apt-get") === undefined) throw new Error(`Install ${name}, and see that it is on PATH.`);
  const asRoot = process.getuid() === 0 ? ["env"] : ["sudo", "-n", "env"];
  const apt = (...words) => {
    const [program, ...rest] = [...asRoot, "DEBIAN_FRONTEND=noninteractive", "apt-get", ...words];
    execFileSync(program, rest, { stdio: ["ignore", 2, 2] });
  };
  apt("update");
  apt("install", "--yes", "--no-install-recommends", name);
}

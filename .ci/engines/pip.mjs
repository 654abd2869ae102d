/** Packages for Python, each in a folder of its own. */
import { execFileSync } from "node:child_process";
import { installPackage } from "./apt.mjs";

/**
 * @param found the file of Python
 * @returns the file of the Python that the packages were installed with
 */
export function installWithPip(found, requirement, folder) {
  // Debian's package is for Debian's Python.
  const python = hasPip(found) ? found : (installPackage("python3-pip"), "/usr/bin/python3");
  const words = ["-m", "pip", "install", "--quiet", "--target", folder, requirement];
  execFileSync(python, words, { stdio: ["ignore", 2, 2] });
  return python;
}

function hasPip(python) {
  try {
    execFileSync(python, ["-m", "pip", "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Where programs are: on PATH, or in a cache of ours outside the tree. */
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

export const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "tenancy-engines");

/** Programs that were built, and links to those that were installed elsewhere. */
const bin = join(cache, "bin");

const path = (process.env["PATH"] ?? "").split(delimiter);

/** The file of a program that the machine has of its own, or undefined. */
export function onPath(name) {
  return lookFor(name, path);
}

/** The file of a program, or undefined. */
export function find(name) {
  return lookFor(name, [...path, bin]);
}

function lookFor(name, folders) {
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Makes a program known by its name. */
export function link(name, file) {
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, name), { force: true }); // what it led to may be gone
  symlinkSync(file, join(bin, name));
}

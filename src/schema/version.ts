/** Versions of write-only secrets: `password_wo` is sent when `password_wo_version` is another one. */
import type { Path } from "../values";

const ENDING = "_version";

/** Whether an attribute is the version of a secret, by its name. */
export function isVersionName(name: string): boolean {
  return name.endsWith(`_wo${ENDING}`);
}

/** Likewise, by its path. */
export function isVersionPath(path: Path): boolean {
  return isVersionName(String(path.at(-1)));
}

/** `password_wo` → `password_wo_version`. */
export function versionPath(secret: Path): Path {
  return [...secret.slice(0, -1), `${secret.at(-1)}${ENDING}`];
}

/** `password_wo_version` → `password_wo`. */
export function secretPath(version: Path): Path {
  return [...version.slice(0, -1), String(version.at(-1)).slice(0, -ENDING.length)];
}

/** The license text of the Node that runs this, which a program that contains Node has to come with. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** @returns the file */
export function nodeLicense() {
  const bin = dirname(realpathSync(process.execPath));
  // Beside node.exe, one folder above bin/node, or where Debian keeps it.
  const places = [
    ...[bin, dirname(bin)].map((folder) => join(folder, "LICENSE")),
    join(dirname(bin), "share", "doc", "nodejs", "LICENSE"),
  ];
  const file = places.find((place) => existsSync(place));
  if (file !== undefined) return file;
  throw new Error(
    `The license of Node ${process.versions.node} is not at ${places.join(", ")}. Make the release with a Node that was unpacked from an archive of nodejs.org.`,
  );
}

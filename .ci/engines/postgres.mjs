import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./apt.mjs";
import { find, link } from "./places.mjs";

/** Debian keeps the servers of each major version here, and none of them on PATH. */
const VERSIONS = "/usr/lib/postgresql";

const PROGRAMS = ["initdb", "postgres"];

/** Makes `initdb` and `postgres` known. */
export function providePostgres() {
  if (PROGRAMS.every((name) => find(name))) return;
  const folder = newest() ?? (installPackage("postgresql"), newest());
  if (folder === undefined) throw new Error(`There is no PostgreSQL server in ${VERSIONS}.`);
  for (const name of PROGRAMS) link(name, join(folder, name));
}

function newest() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  return versions
    .sort((one, other) => other - one)
    .map((version) => join(VERSIONS, version, "bin"))
    .find((folder) => PROGRAMS.every((name) => existsSync(join(folder, name))));
}

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "./apt.mjs";
import { cache, find, link } from "./places.mjs";

/** What the engines are built with, where the machine's Go cannot see to a newer one by itself. */
const VERSION = "1.26.6";

/** The first that loads the toolchain that a module asks for. */
const SELF_RENEWING = [1, 21];

/** The file of a Go that builds every module, whichever Go that asks for. */
export function provideGo() {
  const found = find("go");
  if (found !== undefined && renewsItself(found)) return found;
  if (found === undefined) installPackage("golang-go");
  const installed = find("go");
  const go = renewsItself(installed) ? installed : toolchain(installed);
  link("go", go);
  return go;
}

function renewsItself(go) {
  const printed = execFileSync(go, ["version"], { encoding: "utf8" });
  const [major, minor] = /go(\d+)\.(\d+)/.exec(printed).slice(1).map(Number);
  return major > SELF_RENEWING[0] || (major === SELF_RENEWING[0] && minor >= SELF_RENEWING[1]);
}

/** Toolchains are published as modules, so that an old Go can load one, too. */
function toolchain(oldGo) {
  const folder = join(cache, `go-${VERSION}`);
  const go = join(folder, "bin", "go");
  if (existsSync(go)) return go;
  mkdirSync(cache, { recursive: true });
  const module = `golang.org/toolchain@v0.0.1-go${VERSION}.${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const loaded = execFileSync(oldGo, ["mod", "download", "-json", module], {
    cwd: cache,
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });
  const copy = `${folder}.${process.pid}`;
  cpSync(JSON.parse(loaded).Dir, copy, { recursive: true });
  execFileSync("chmod", ["-R", "u+w", copy]);
  for (const programs of ["bin", "pkg/tool"]) makeExecutable(join(copy, programs));
  renameSync(copy, folder); // at once: whoever looks meets a whole one
  return go;
}

/** A module's files are not, whatever they are. */
function makeExecutable(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o755);
}

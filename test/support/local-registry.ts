/**
 * A registry for npm on this machine, so that a page's `npx` and `npm install` run as they stand there, within seconds and without a network. Each
 * package that it serves leads to the one of this repository: ours as it is built, and the others in node_modules. It is for projects of users
 * whose commands are tested; what is in our package is tested by those of test/e2e/package and by test/e2e/cli/init.test.ts.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { name as ourName } from "../../package.json";

const root = resolve(__dirname, "../..");

/** Folders of our package that programs import besides its root. */
const OUR_FOLDERS = ["engine", "register", "testing"];

export class LocalRegistry {
  private constructor(
    readonly url: string,
    readonly server: Server,
  ) {}

  static async start(): Promise<LocalRegistry> {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? "").slice(1);
      const isTarball = path.endsWith(".tgz");
      const name = isTarball ? path.slice(0, path.indexOf("/-/")) : path;
      const found = packageOf(name);
      if (found === undefined) response.writeHead(404).end("{}");
      else if (isTarball) response.end(found.tarball);
      else
        response.end(JSON.stringify(listing(found, `http://${request.headers.host}/${name}/-/${name}.tgz`)));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return new LocalRegistry(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server);
  }

  /** What npm has to find in its environment. */
  get environment(): Readonly<Record<string, string>> {
    return {
      npm_config_registry: this.url,
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      npm_config_loglevel: "error",
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
}

interface Served {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
}

/** A package that holds nothing but ways to this repository's. */
function packageOf(name: string): Served | undefined {
  const folder = name === ourName ? root : join(root, "node_modules", name);
  if (!existsSync(join(folder, "package.json"))) return undefined;
  const { version, bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const programs = Object.entries(typeof bin === "string" ? { [basename(name)]: bin } : (bin ?? {}));
  // Pipelines start our program by its path. Jest has to be elsewhere: it looks for itself at its path in the project, and would load nothing.
  const placeOf = (program: string, path: string) => (name === ourName ? join(path) : `${program}.js`);
  const manifest = {
    name,
    version,
    main: "index.js",
    types: "index.d.ts",
    bin: Object.fromEntries(programs.map(([program, path]) => [program, placeOf(program, path)])),
  };
  const files: Record<string, string> = { "package.json": JSON.stringify(manifest) };
  for (const [program, path] of programs)
    files[placeOf(program, path)] = `#!/usr/bin/env node\n${required(join(folder, path))}`;
  for (const place of name === ourName ? [".", ...OUR_FOLDERS] : ["."]) {
    files[join(place, "index.js")] = `module.exports = ${required(join(folder, place))}`;
    files[join(place, "index.d.ts")] = name.startsWith("@types/")
      ? `/// <reference path=${JSON.stringify(join(folder, "index.d.ts"))} />\n`
      : `export * from ${JSON.stringify(join(folder, place))};\n`;
  }
  return { manifest, tarball: packed(files) };
}

const required = (path: string) => `require(${JSON.stringify(path)});\n`;

/** What a registry tells of a package that has one version. */
function listing({ manifest, tarball }: Served, url: string): object {
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const { name, version } = manifest;
  const one = { ...manifest, dist: { tarball: url, integrity } };
  return { name, "dist-tags": { latest: version }, versions: { [version]: one } };
}

/** A tar archive, compressed, with these files in a folder `package`. */
function packed(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(`package/${path}`, 0);
    header.write("0000755\0", 100);
    header.write("0000000\0".repeat(2), 108);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write(`${"0".repeat(11)}\0`, 136);
    header.write(" ".repeat(8), 148);
    header.write("0", 156);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** A bare repository with clones, for tests of what is kept on a branch. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class GitRemote {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "tenancy-git-")));
  readonly bare = join(this.folder, "remote.git");
  #clones = 0;
  readonly #servers: Server[] = [];

  constructor() {
    git(this.folder, "init", "-q", "--bare", "--initial-branch=main", this.bare);
    const first = this.clone();
    writeFileSync(join(first, "README.md"), "a project\n");
    git(first, "add", ".");
    git(first, "commit", "-q", "-m", "first");
    git(first, "push", "-q", "origin", "HEAD:main");
  }

  /** @returns the folder of a new clone */
  clone(): string {
    const folder = join(this.folder, `clone-${(this.#clones += 1)}`);
    git(this.folder, "clone", "-q", this.bare, folder);
    git(folder, "config", "user.name", "Jane");
    git(folder, "config", "user.email", "jane@example.com");
    return folder;
  }

  /** Has a shell script decide about each push: it reads `old new ref` from stdin. */
  hook(script: string, name = "pre-receive"): void {
    const file = join(this.bare, "hooks", name);
    mkdirSync(join(this.bare, "hooks"), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  dropHook(name = "pre-receive"): void {
    rmSync(join(this.bare, "hooks", name), { force: true });
  }

  /** Runs git in the bare repository. */
  git(...args: readonly string[]): string {
    return git(this.bare, ...args);
  }

  /**
   * Serves the repository over HTTP at `/acme/platform.git`, as a host does: everybody with a password may read, one token may push.
   * @returns the address of the project without `.git`, and the passwords that pushed
   */
  async serve(pushToken: string) {
    git(this.bare, "config", "http.receivepack", "true");
    const pushes: string[] = [];
    const server = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? "", "http://host");
      const [, basic = ""] = (request.headers.authorization ?? "").split(" ");
      const password = Buffer.from(basic, "base64").toString().split(":")[1];
      if (password === undefined) {
        response.writeHead(401, { "www-authenticate": "Basic" }).end();
        return;
      }
      const isPush = `${pathname}${search}`.includes("git-receive-pack");
      if (isPush) pushes.push(password);
      if (isPush && password !== pushToken) {
        response.writeHead(403).end();
        return;
      }
      const backend = spawn("git", ["http-backend"], {
        env: {
          PATH: process.env["PATH"],
          GIT_PROJECT_ROOT: this.folder,
          GIT_HTTP_EXPORT_ALL: "1",
          PATH_INFO: pathname.replace(/^\/acme\/platform(\.git)?/, "/remote.git"),
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: request.method,
          CONTENT_TYPE: request.headers["content-type"],
          HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
          REMOTE_USER: "jane",
        },
      });
      request.pipe(backend.stdin);
      const chunks: Buffer[] = [];
      backend.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
      backend.on("close", () => {
        const answer = Buffer.concat(chunks);
        const end = answer.indexOf("\r\n\r\n");
        const headers = answer.toString("latin1", 0, end).split("\r\n");
        for (const header of headers) {
          const [name = "", value = ""] = header.split(/: (.*)/s);
          if (name === "Status") response.statusCode = Number.parseInt(value);
          else response.setHeader(name, value);
        }
        response.end(answer.subarray(end + 4));
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    this.#servers.push(server);
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme/platform`, pushes };
  }

  remove(): void {
    for (const server of this.#servers) server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Jane", "-c", "user.email=jane@example.com"];
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
  }).trim();
}

/** Gives each test of the file a remote of its own. */
export function gitRemotes(): () => GitRemote {
  const remotes: GitRemote[] = [];
  afterEach(() => remotes.splice(0).forEach((remote) => remote.remove()));
  return () => {
    const remote = new GitRemote();
    remotes.push(remote);
    return remote;
  };
}

/** A project under the workflows of `tenancy init`, with a simulated service for each of its stacks, in a repository of its own. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deploymentsOf } from "../../src/cli/scaffold/deployments";
import { projectFiles } from "../../src/cli/scaffold/files";
import { startSimulator, type Simulator } from "../../src/simulator";
import { COMMAND } from "./built-command";
import { PipelineHost, type Ran } from "./pipeline-host";

/** What every secret holds, so that a test finds it wherever it got to. */
export const CANARY = "canary-0f3a";

/** Files of a change, by path; a function is given what stands there. */
export type Edits = Readonly<Record<string, string | ((text: string) => string)>>;

/** Reads the folder's stacks.json, and writes the stacks in it. */
const APP = `
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const out = process.env.CDKTF_OUTDIR;
const manifest = { version: "0.21.0", stacks: {} };
for (const [name, stack] of Object.entries(JSON.parse(readFileSync("stacks.json", "utf8")))) {
  const folder = "stacks/" + name;
  mkdirSync(out + "/" + folder, { recursive: true });
  writeFileSync(out + "/" + folder + "/cdk.tf.json", JSON.stringify(stack));
  const place = { workingDirectory: folder, synthesizedStackPath: folder + "/cdk.tf.json" };
  manifest.stacks[name] = { name, constructPath: name, ...place, annotations: [], dependencies: [] };
}
writeFileSync(out + "/manifest.json", JSON.stringify(manifest));
`;

export class PipedProject {
  #pulls = 0;

  private constructor(
    readonly host: PipelineHost,
    readonly clone: string,
    readonly services: Readonly<Record<string, Simulator>>,
  ) {}

  /** @param folder an empty one; each stack has an account `acme`, which is not made yet */
  static async start(folder: string, stacks: readonly string[]): Promise<PipedProject> {
    const host = new PipelineHost(folder);
    const services: Record<string, Simulator> = {};
    for (const name of stacks)
      services[name] = await startSimulator({ systemUser: { password: `${CANARY}-password` } });
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--quiet", host.repository, clone], { stdio: "ignore" });
    const project = new PipedProject(host, clone, services);
    for (const [name, { username, password }] of Object.entries(services)) {
      const credentials = {
        TENANCY_USERNAME: username,
        TENANCY_PASSWORD: password,
        TENANCY_OWNER_KEY: `${CANARY}-owner-key`,
        TENANCY_STORE_KEY: `${CANARY}-store-key`,
        TENANCY_SNAPSHOT_KEY: `${CANARY}-snapshot-key`,
      };
      host.secrets[name] = credentials;
      host.secrets[`${name}-read`] = credentials;
    }
    host.secrets["tenancy-review"] = { TENANCY_SNAPSHOT_KEY: `${CANARY}-snapshot-key` };
    const deployments = deploymentsOf(stacks.map((name) => `${name}=${services[name]?.baseUrl}`));
    const files = projectFiles({
      name: "platform",
      owner: "acme-platform",
      deployments,
      ci: "github",
      codeOwners: "@acme/storage",
    });
    const pipelines = Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(".git")));
    project.#write({
      ...pipelines,
      // The tool, as npm installs it from a lock file, without any registry.
      "tool/package.json": JSON.stringify({
        name: "cdktf-provider-tenancy",
        version: "1.0.0",
        bin: { tenancy: "tenancy.js" },
      }),
      "tool/tenancy.js": `#!/usr/bin/env node\nrequire(${JSON.stringify(COMMAND)});\n`,
      "package.json": JSON.stringify({
        name: "platform",
        private: true,
        scripts: { test: "node test.cjs" },
        dependencies: { "cdktf-provider-tenancy": "file:tool" },
      }),
      "test.cjs": "",
      "cdktf.json": JSON.stringify({ language: "typescript", app: "node main.cjs" }),
      "main.cjs": APP,
      "stacks.json": JSON.stringify(
        Object.fromEntries(stacks.map((name) => [name, project.stack(name)])),
        undefined,
        1,
      ),
    });
    execFileSync("chmod", ["+x", join(clone, "tool/tenancy.js")]);
    execFileSync("npm", ["install", "--package-lock-only", "--offline", "--silent"], { cwd: clone });
    project.#git("switch", "--quiet", "--create", "main");
    project.#commit("Begin");
    return project;
  }

  async close(): Promise<void> {
    for (const service of Object.values(this.services)) await service.close();
  }

  /** A stack with the account acme, and these rights of its primary profile. */
  stack(name: string, rights: readonly string[] = [], limit = 10): object {
    return {
      provider: { tenancy: [{ base_url: this.services[name]?.baseUrl, owner: "acme-platform" }] },
      resource: {
        tenancy_account: {
          acme: {
            name: "acme",
            limits_vss_num: limit,
            permissions: Object.fromEntries(rights.map((right) => [right, true])),
            access_web: false,
            access_api: false,
            deletion_protection: true,
          },
        },
      },
    };
  }

  /** The text of stacks.json, with all stacks alike. */
  stacks(rights: readonly string[] = [], limit = 10): string {
    return JSON.stringify(
      Object.fromEntries(Object.keys(this.services).map((name) => [name, this.stack(name, rights, limit)])),
      undefined,
      1,
    );
  }

  /** Runs the jobs of a pull request that makes these changes, and then the review of it. */
  async pullRequest(edits: Edits): Promise<{ number: string; sha: string; own: Ran; review: Ran }> {
    const branch = `change-${++this.#pulls}`;
    this.#git("switch", "--quiet", "--create", branch, "main");
    this.#write(edits);
    const sha = this.#commit(branch);
    const number = String(100 + this.#pulls);
    this.host.change(({ pulls }) =>
      pulls.push({ number: Number(number), state: "open", head: { sha }, base: { ref: "main" } }),
    );
    this.#git("switch", "--quiet", "main");
    return { number, sha, ...(await this.reviewed(sha)) };
  }

  reviewed(sha: string): Promise<{ own: Ran; review: Ran }> {
    return this.host.reviewed(sha);
  }

  /** Merges a pull request, and runs what the merge starts. */
  async merge(number: string, sha: string): Promise<Ran> {
    this.#git("merge", "--quiet", "--no-ff", "--message", `Merge ${number}`, sha);
    const merged = this.#git("rev-parse", "HEAD").trim();
    this.#git("push", "--quiet", "origin", "main");
    this.host.change(({ pulls }) => {
      const pull = pulls.find((one) => String(one["number"]) === number);
      Object.assign(pull ?? {}, { state: "closed", merge_commit_sha: merged });
    });
    return this.pushed();
  }

  pushed(): Promise<Ran> {
    return this.host.pushed();
  }

  nightly(): Promise<Ran> {
    return this.host.nightly();
  }

  /** What the branch of the store holds. */
  store(name: string): string {
    return execFileSync(
      "git",
      ["-C", this.host.repository, "show", `tenancy-store-${name}:credentials.json`],
      {
        encoding: "utf8",
      },
    );
  }

  #git(...words: readonly string[]): string {
    const identity = ["-c", "user.name=jane", "-c", "user.email=jane@acme.example"];
    return execFileSync("git", ["-C", this.clone, ...identity, ...words], { encoding: "utf8" });
  }

  #write(edits: Edits): void {
    for (const [path, edit] of Object.entries(edits)) {
      const file = join(this.clone, path);
      mkdirSync(dirname(file), { recursive: true });
      const before = existsSync(file) ? readFileSync(file, "utf8") : "";
      writeFileSync(file, typeof edit === "string" ? edit : edit(before));
    }
  }

  #commit(message: string): string {
    this.#git("add", "--all");
    this.#git("commit", "--quiet", "--message", message);
    this.#git("push", "--quiet", "origin", "HEAD");
    return this.#git("rev-parse", "HEAD").trim();
  }
}

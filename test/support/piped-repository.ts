/** A project under the pipelines of `tenancy init`, with a simulated service for each of its stacks, in a repository of its own. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deploymentsOf } from "../../src/cli/scaffold/deployments";
import { type CiHost, projectFiles, sharedFiles } from "../../src/cli/scaffold/files";
import { version } from "../../package.json";
import { placeAt, stateBranch } from "../../src/pipeline";
import { dayAhead } from "../../src/plan/approval";
import { approvalFiles } from "../../src/plan/approval-file";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { COMMAND } from "./built-command";
import { pairIn } from "./pairs";
import { stateKey } from "./state-key";

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

/** What a project begins with. */
interface Begun {
  /** The bare repository. */
  readonly repository: string;
  readonly clone: string;
  /** Of the project, in the repository. */
  readonly path: string;
  readonly services: Readonly<Record<string, Simulator>>;
}

export interface Beginning {
  /** An empty one. */
  readonly folder: string;
  readonly repository: string;
  /** Each has an account `acme`, which is not made yet. */
  readonly stacks: readonly string[];
  readonly ci: CiHost;
  /** Of the project, in the repository. @default its top */
  readonly path?: string;
}

/** Makes the first commit of a project, and pushes it. */
export async function begin({ folder, repository, stacks, ci, path = "." }: Beginning): Promise<Begun> {
  const services: Record<string, Simulator> = {};
  for (const name of stacks)
    services[name] = await startSimulator({ systemUser: { password: `${CANARY}-password` } });
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", repository, clone], { stdio: "ignore" });
  const begun = { repository, clone, path, services };
  const project = new PipedRepository(begun);
  const answers = {
    name: "platform",
    owner: "acme-platform",
    deployments: deploymentsOf(stacks.map((name) => `${name}=${services[name]?.baseUrl}`)),
    ci,
    codeOwners: "@acme/storage",
    place: placeAt(path),
  };
  const shared = sharedFiles(answers).map(({ places: [file], text }) => [file, text]);
  const files = { ...projectFiles(answers), ...(Object.fromEntries(shared) as Record<string, string>) };
  project.write(Object.fromEntries(Object.entries(files).filter(([file]) => /^\.git(hub|lab)/.test(file))));
  project.edit({
    "package.json": JSON.stringify({
      name: "platform",
      private: true,
      scripts: { test: "node test.cjs" },
      dependencies: { tenancy: `file:${TOOL}` },
    }),
    "test.cjs": "",
    "cdktf.json": JSON.stringify({
      language: "typescript",
      app: "node main.cjs",
      projectId: "platform",
    }),
    "main.cjs": APP,
    "stacks.json": JSON.stringify(
      Object.fromEntries(stacks.map((name) => [name, project.stack(name)])),
      undefined,
      1,
    ),
  });
  const place = join(clone, path);
  packTool(folder, place);
  execFileSync("npm", ["install", "--package-lock-only", "--offline", "--silent"], { cwd: place });
  project.git("switch", "--quiet", "--create", "main");
  project.commit("Begin");
  execFileSync(process.execPath, [COMMAND, "state", "init"], {
    cwd: place,
    env: {
      ...process.env,
      CI: "",
      ...project.statePlace,
      TENANCY_STATE_KEY: stateKey(`${CANARY}-state-key`),
    },
    stdio: "ignore",
  });
  return begun;
}

/** Name of the package file in the project. */
const TOOL = "tenancy.tgz";

/** Puts the tool into the project as a package file, which npm installs by the lock file without any registry. */
function packTool(folder: string, place: string): void {
  const source = join(folder, "tool");
  mkdirSync(join(source, "lib", "cli"), { recursive: true });
  writeFileSync(
    join(source, "package.json"),
    JSON.stringify({ name: "tenancy", version, bin: { tenancy: "lib/cli/tenancy.js" } }),
  );
  const program = `#!/usr/bin/env node\nrequire(${JSON.stringify(COMMAND)});\n`;
  writeFileSync(join(source, "lib", "cli", "tenancy.js"), program, { mode: 0o755 });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: source });
  copyFileSync(join(folder, `tenancy-${version}.tgz`), join(place, TOOL));
}

export class PipedRepository implements Begun {
  readonly repository: string;
  readonly clone: string;
  readonly path: string;
  readonly services: Readonly<Record<string, Simulator>>;
  #changes = 0;

  constructor({ repository, clone, path, services }: Begun) {
    this.repository = repository;
    this.clone = clone;
    this.path = path;
    this.services = services;
  }

  async close(): Promise<void> {
    for (const service of Object.values(this.services)) await service.close();
  }

  /** What the environments of a stack hold. */
  credentials(stack: string): Record<string, string> {
    return {
      TENANCY_USERNAME: this.services[stack]?.username ?? "",
      TENANCY_PASSWORD: this.services[stack]?.password ?? "",
      TENANCY_STATE_KEY: stateKey(`${CANARY}-state-key`),
      TENANCY_SNAPSHOT_KEY: stateKey(`${CANARY}-snapshot-key`),
    };
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

  /** Files of approvals/, by their paths, one for each stack, that approve these pairs. */
  approvals(...pairs: readonly string[]): Readonly<Record<string, string>> {
    return approvalFiles(
      Object.entries(this.services).map(([stack, { baseUrl }]) => ({
        ...{ stack, service: new URL(baseUrl).origin, until: dayAhead(new Date(), 7) },
        pairs: pairs.map(pairIn),
      })),
    );
  }

  /** Requests of the service that change something. */
  writes(stack: string): number {
    const sent = this.services[stack]?.requests ?? [];
    return sent.filter(({ method, path }) => method !== "GET" && !/session|auth|login/.test(path)).length;
  }

  /** Makes a branch with these changes of the project, off the default branch, and pushes it. */
  branch(edits: Edits): { name: string; sha: string } {
    const name = `change-${++this.#changes}`;
    this.git("switch", "--quiet", "--create", name, "main");
    this.edit(edits);
    const sha = this.commit(name);
    this.git("switch", "--quiet", "main");
    return { name, sha };
  }

  /** Merges a commit into the default branch. @returns the merge commit */
  mergeCommit(sha: string): string {
    this.git("merge", "--quiet", "--no-ff", "--message", `Merge ${sha}`, sha);
    this.git("push", "--quiet", "origin", "main");
    return this.git("rev-parse", "HEAD").trim();
  }

  /** The newest commit of the default branch. */
  head(): string {
    return this.git("rev-parse", "origin/main").trim();
  }

  /** Names the branch of the states. */
  get statePlace(): Record<string, string> {
    return { TENANCY_STATE: `git:origin/${stateBranch(placeAt(this.path))}` };
  }

  /** What the branch of a stack's state holds. */
  state(name: string): string {
    const branch = `${stateBranch(placeAt(this.path))}/${name}`;
    const files = ["head.json", "secrets.json", "objects.json"].map((file) => `${branch}:${file}`);
    return execFileSync("git", ["-C", this.repository, "show", ...files], { encoding: "utf8" });
  }

  git(...words: readonly string[]): string {
    const identity = ["-c", "user.name=jane", "-c", "user.email=jane@acme.example"];
    return execFileSync("git", ["-C", this.clone, ...identity, ...words], { encoding: "utf8" });
  }

  /** Files of the project; those that begin with a slash are of the repository's top. */
  edit(edits: Edits): void {
    const paths = Object.entries(edits).map(([path, edit]) => [
      path.startsWith("/") ? path.slice(1) : join(this.path, path),
      edit,
    ]);
    this.write(Object.fromEntries(paths) as Edits);
  }

  write(edits: Edits): void {
    for (const [path, edit] of Object.entries(edits)) {
      const file = join(this.clone, path);
      mkdirSync(dirname(file), { recursive: true });
      const before = existsSync(file) ? readFileSync(file, "utf8") : "";
      writeFileSync(file, typeof edit === "string" ? edit : edit(before));
    }
  }

  commit(message: string): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
    this.git("push", "--quiet", "origin", "HEAD");
    return this.git("rev-parse", "HEAD").trim();
  }
}

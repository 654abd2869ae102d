/** Everything that measuring needs: the built command, services in processes of their own, projects. All of it is removed when the bench ends. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { inherited, run, type Command, type Cost } from "./run";
import { startService, type Service } from "./service";
import type { Size } from "./tenants";

const ROOT = resolve(__dirname, "../../..");

export class Workplace {
  readonly #services: Service[] = [];
  #projects = 0;

  private constructor(readonly folder: string) {}

  /** Builds what users install, and bundles the scripts of the bench, so that no compiling is measured. */
  static async open(): Promise<Workplace> {
    execFileSync(process.execPath, [join(ROOT, ".ci", "build.mjs"), "--if-stale"], {
      cwd: ROOT,
      stdio: ["ignore", 2, 2],
    });
    const workplace = new Workplace(await mkdtemp(join(tmpdir(), "bench-")));
    await build({
      absWorkingDir: ROOT,
      entryPoints: {
        service: "test/bench/support/seeded-service.ts",
        tenants: "test/bench/support/synthesize.ts",
        "level-two": "test/bench/support/synthesize-tenants.ts",
        example: "examples/03-machine-and-token/main.ts",
      },
      outdir: join(workplace.folder, "scripts"),
      bundle: true,
      platform: "node",
      target: "node20",
      format: "cjs",
      external: ["cdktf", "constructs", "@cdktf/provider-null"],
      logLevel: "warning",
    });
    return workplace;
  }

  /** A command line of `tenancy`, as it is installed. */
  tenancy(...words: readonly string[]): readonly string[] {
    return [join(ROOT, "lib", "cli", "tenancy.js"), ...words];
  }

  /** Runs a script of the folder `bare`, which does the same work and no more. */
  bare(name: string, ...words: readonly string[]): readonly string[] {
    return [join(ROOT, "test", "bench", "bare", `${name}.cjs`), ...words];
  }

  /** A service in which the tenants of a size are live. */
  async service(size: Size): Promise<Service> {
    const service = await startService(join(this.folder, "scripts", "service.js"), size);
    this.#services.push(service);
    return service;
  }

  /** The tenants of a size, declared and synthesized: the output folder. */
  async declare(size: Size): Promise<string> {
    const outdir = join(this.folder, `tenants-${size.accounts}x${size.usersPerAccount}`);
    await this.#synthesize({ node: [this.#script("tenants"), JSON.stringify(size), outdir] });
    return outdir;
  }

  /** Runs an app that declares the tenants of a size in L2, or as many null resources. */
  synthesize(kind: "level-two" | "nulls", size: Size): Promise<Cost> {
    const outdir = join(this.folder, kind);
    return this.#synthesize({ node: [this.#script("level-two"), kind, JSON.stringify(size), outdir] });
  }

  /** What `tenancy init` makes, with the packages that it asks for. */
  async initialized(baseUrl: string): Promise<string> {
    const folder = join(this.folder, "initialized");
    const words = this.tenancy("init", folder, "--base-url", baseUrl);
    await run({ node: words, env: inherited() });
    const packages = join(folder, "node_modules");
    await mkdir(packages);
    await symlink(ROOT, join(packages, "tenancy"), "dir");
    for (const name of ["cdktf", "constructs", "@swc"])
      await symlink(join(ROOT, "node_modules", name), join(packages, name), "dir");
    return folder;
  }

  /** The example with a machine and its token, synthesized: the output folder. */
  async declareExample(): Promise<string> {
    const outdir = join(this.folder, "example");
    await this.#synthesize({ node: [this.#script("example")], env: { CDKTF_OUTDIR: outdir } });
    return outdir;
  }

  /** A project of its own, with a state of its own, over what was synthesized. */
  async project(outdir: string): Promise<string> {
    const folder = await mkdtemp(join(this.folder, `project-${this.#projects++}-`));
    await writeFile(join(folder, "cdktf.json"), JSON.stringify({ app: "true", output: outdir }));
    return folder;
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  #script(name: string): string {
    return join(this.folder, "scripts", `${name}.js`);
  }

  #synthesize({ node, env }: Command): Promise<Cost> {
    return run({ node, env: { ...inherited(), NODE_PATH: join(ROOT, "node_modules"), ...env } });
  }
}

/** Everything that measuring needs: the built command, services in processes of their own, projects. All of it goes when the bench ends. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { inherited, run, type Command } from "./run";
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
        example: "examples/first-tenant/main.ts",
      },
      outdir: join(workplace.folder, "scripts"),
      bundle: true,
      platform: "node",
      target: "node20",
      format: "cjs",
      external: ["cdktf", "constructs"],
      logLevel: "warning",
    });
    return workplace;
  }

  /** A command line of `tenancy`, as it is installed. */
  tenancy(...words: readonly string[]): readonly string[] {
    return [join(ROOT, "lib", "cli", "tenancy.js"), ...words];
  }

  /** A script of the folder `bare`: what a program needs that does the same work and no more. */
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

  /** The first example, synthesized: the output folder. */
  async declareExample(): Promise<string> {
    const outdir = join(this.folder, "example");
    await this.#synthesize({ node: [this.#script("example")], env: { CDKTF_OUTDIR: outdir } });
    return outdir;
  }

  /** A project of its own, with a store of its own, over what was synthesized. */
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

  async #synthesize({ node, env }: Command): Promise<void> {
    await run({ node, env: { ...inherited(), NODE_PATH: join(ROOT, "node_modules"), ...env } });
  }
}

/** Terraform with the built provider, as `tenancy plugin install` puts it where Terraform finds it. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../../support/programs";
import { inherited, run, type Cost } from "./run";
import type { Service } from "./service";
import type { Workplace } from "./workplace";

const MEMORY = join(__dirname, "memory.cjs");

/** A folder with a configuration, initialized. */
export class TerraformProject {
  private constructor(
    private readonly program: string,
    readonly folder: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** @param service that the provider is configured for; Terraform alone is at work where there is none */
  static async create(workplace: Workplace, resources: string, service?: Service): Promise<TerraformProject> {
    const program = findProgram("terraform");
    if (program === undefined)
      throw new Error("there is no terraform on PATH: node .ci/engines.mjs builds it");
    const folder = await mkdtemp(join(workplace.folder, "terraform-"));
    const home = join(folder, "home");
    await mkdir(home);
    await run({ node: workplace.tenancy("plugin", "install"), env: { HOME: home } });
    const project = new TerraformProject(program, folder, {
      ...inherited(),
      ...service?.environment,
      HOME: home,
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
    });
    const required =
      service === undefined ? "" : 'required_providers { tenancy = { source = "tenancy/tenancy" } }';
    await writeFile(join(folder, "main.tf"), `terraform {\n${required}\n}\n${resources}\n`);
    await project.run("init");
    return project;
  }

  async run(...words: readonly string[]): Promise<Cost> {
    return this.#start(words, this.environment);
  }

  /** @returns the largest resident memory, in MB, of the provider's processes in that run */
  async memory(...words: readonly string[]): Promise<number> {
    const file = join(this.folder, "memory");
    await this.#start(words, {
      ...this.environment,
      NODE_OPTIONS: `--require ${MEMORY}`,
      BENCH_MEMORY: file,
    });
    const kilobytes = (await readFile(file, "utf8")).trim().split("\n").map(Number);
    await rm(file);
    return Math.max(...kilobytes) / 1024;
  }

  async #start(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Cost> {
    const begun = performance.now();
    await promisify(execFile)(this.program, words, { cwd: this.folder, env, maxBuffer: 2 ** 28 });
    return { milliseconds: performance.now() - begun };
  }
}

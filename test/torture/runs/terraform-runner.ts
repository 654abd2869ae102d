/** Runs of the real Terraform with the provider as `tenancy plugin install` leaves it; a kill takes both. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND } from "../../support/built-command";
import { findProgram } from "../../support/programs";
import { stackFile } from "../../support/synthesized-app";
import { unzipped } from "../../support/unzipped";
import type { Outcome } from "../invariants/invariant";
import { NOTHING } from "../model/declaration";
import { synthesize } from "../model/synthesize";
import { readState } from "../world/terraform-state";
import type { World } from "../world/world";
import { toldIn } from "./json-events";
import { startProcess, type ProcessEnd } from "./process-run";
import type { Job, Project, Runner } from "./runner";

const STATE = "terraform.tfstate";
const LOG = "trace.log";

export const terraformRunner: Runner = {
  engine: "terraform",
  maxSteps: 3,
  async open(world) {
    template ??= prepare();
    return new TerraformProject(world, await template);
  },
};

/** A folder in which `terraform init` has run, with the HOME that it found the provider in. */
interface Template {
  readonly program: string;
  readonly home: string;
  readonly folder: string;
}

let template: Promise<Template> | undefined;

async function prepare(): Promise<Template> {
  const program = findProgram("terraform");
  if (program === undefined) throw new Error("there is no terraform here");
  const root = mkdtempSync(join(tmpdir(), "tenancy-torture-terraform-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const [home, folder, outdir] = ["home", "work", "out"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [home, folder]) mkdirSync(each);
  const environment = { PATH: process.env["PATH"], HOME: home };
  synthesize(outdir, NOTHING, { requestTimeout: "20s", retryTimeout: "1ms" }, EMPTY);
  renameSync(stackFile(outdir), join(folder, "cdk.tf.json"));
  for (const [file, ...words] of [
    [process.execPath, COMMAND, "plugin", "install"],
    [program, "init", "-no-color"],
  ] as const) {
    const { code, stdout, stderr } = await startProcess(file, words, { folder, environment }).ended;
    if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  }
  return { program, home, folder };
}

const EMPTY = { accounts: new Map(), profiles: new Map(), tokens: new Map() };

class TerraformProject implements Project {
  readonly #world: World;
  readonly #template: Template;
  readonly #folder: string;
  #files = 0;

  constructor(world: World, made: Template) {
    this.#world = world;
    this.#template = made;
    this.#folder = world.newFolder();
    cpSync(made.folder, this.#folder, { recursive: true, verbatimSymlinks: true });
  }

  get remembered() {
    return readState(join(this.#folder, STATE));
  }

  forget(): void {
    for (const name of [STATE, `${STATE}.backup`]) rmSync(join(this.#folder, name), { force: true });
  }

  start(job: Job) {
    const { program, home } = this.#template;
    const outdir = this.#world.newFolder();
    const variables = synthesize(
      outdir,
      job.declaration,
      { ...job.provider, refersToUsers: true },
      this.#world.live,
    );
    renameSync(stackFile(outdir), join(this.#folder, "cdk.tf.json"));
    const out = join(this.#folder, `plan-${this.#files++}`);
    const words = wordsOf(job, out);
    rmSync(join(this.#folder, LOG), { force: true });
    const { kill, ended } = startProcess(program, words, {
      folder: this.#folder,
      environment: {
        PATH: process.env["PATH"],
        HOME: home,
        CHECKPOINT_DISABLE: "1",
        TF_IN_AUTOMATION: "1",
        TF_LOG: "TRACE",
        TF_LOG_PATH: LOG,
        ...this.#world.environment(job.baseUrl, variables),
      },
    });
    return { kill, ended: ended.then((end) => this.#outcome(job, end, out, words)) };
  }

  #outcome({ verb }: Job, end: ProcessEnd, out: string, words: readonly string[]): Outcome {
    const { isBegun, ...rest } = toldIn(end.stdout);
    const isSaved = verb === "plan" && existsSync(out) && end.code === 0;
    const state = join(this.#folder, STATE);
    const log = join(this.#folder, LOG);
    return {
      end: endOf(end, isBegun),
      ...rest,
      printed: [
        words.join(" "),
        end.stdout,
        end.stderr,
        ...(existsSync(log) ? [readFileSync(log, "utf8")] : []),
      ],
      kept: [
        ...(existsSync(state) ? [readFileSync(state, "utf8")] : []),
        ...(isSaved ? [unzipped(readFileSync(out))] : []),
      ],
      ...(isSaved && { file: out }),
    };
  }
}

function wordsOf({ verb, file = "", parallelism }: Job, out: string): readonly string[] {
  const common = ["-json", "-no-color", "-input=false", `-parallelism=${parallelism}`];
  switch (verb) {
    case "plan":
      return ["plan", ...common, `-out=${out}`];
    case "apply FILE":
      return ["apply", ...common, file];
    default:
      return [verb, ...common, "-auto-approve"];
  }
}

/** Terraform's words when a provider falls. */
const FALLEN = /panic:|Plugin did not respond|plugin crashed/;

function endOf({ code, stdout, stderr }: ProcessEnd, isBegun: boolean): Outcome["end"] {
  if (code === null) return "killed";
  if ((code !== 0 && code !== 1) || FALLEN.test(stdout + stderr)) return "crashed";
  if (code === 0) return "ok";
  return isBegun ? "failed" : "refused";
}

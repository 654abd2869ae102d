import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Another engine than the workspace's own, on the same folder. */
  readonly program?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the process leads a group of its own, which can be signalled as a whole. */
  readonly group?: boolean;
  /** Sees the process while it runs. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Sees everything that the process prints, as it comes. */
  readonly onOutput?: (text: string) => void;
}

/** A folder with a configuration, and a HOME of its own, in which the real Terraform runs. */
export class TerraformWorkspace {
  readonly home: string;

  private constructor(
    private readonly root: string,
    readonly program: string,
    readonly folder: string,
  ) {
    this.home = join(root, "home");
  }

  /**
   * @param program Terraform or OpenTofu
   * @param folder that holds a configuration; an empty one by default
   */
  static async create(program: string, folder?: string): Promise<TerraformWorkspace> {
    const root = await mkdtemp(join(tmpdir(), "terraform-"));
    const workspace = new TerraformWorkspace(root, program, folder ?? join(root, "work"));
    await mkdir(workspace.home);
    if (folder === undefined) await mkdir(workspace.folder);
    return workspace;
  }

  async configure(configuration: string): Promise<void> {
    await writeFile(join(this.folder, "main.tf"), configuration);
  }

  /** Runs a command, such as `plan`; its outcome is for the caller to judge. */
  run(
    args: readonly string[],
    { program = this.program, environment = {}, group = false, onStart, onOutput }: RunOptions = {},
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: this.folder,
        detached: group,
        env: {
          PATH: process.env["PATH"],
          HOME: this.home,
          CHECKPOINT_DISABLE: "1",
          TF_IN_AUTOMATION: "1",
          TF_CLI_ARGS: "-no-color",
          ...environment,
        },
      });
      onStart?.(child);
      const output = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8").on("data", (text: string) => {
          output[name] += text;
          onOutput?.(text);
        });
      }
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, ...output }));
    });
  }

  /** Runs a command that must succeed. */
  async succeed(args: readonly string[], options?: RunOptions): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`terraform ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  }

  async readState(): Promise<string> {
    return readFile(join(this.folder, "terraform.tfstate"), "utf8");
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}

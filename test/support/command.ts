/** The command in the test's own process: a project in a folder, what is typed, and what is printed. */
import { EventEmitter } from "node:events";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import type { Io } from "../../src/cli/io";
import { main } from "../../src/cli/main";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../src/lib/simulator";

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** A person sits there, and answers this to each question. */
  readonly answer?: string;
  /** Answers each question, after whatever happens in the meantime. */
  readonly onQuestion?: () => Promise<string>;
  /** A person sits there. @default whether there is an answer */
  readonly terminal?: boolean;
  /** Columns of the terminal on which all is read. @default none is */
  readonly columns?: number;
  /** Told of what is printed on stderr, piece by piece; `stop` is Ctrl-C. */
  readonly onStderr?: (text: string, stop: () => void) => void;
}

/** Stacks by name: what stands in their `cdk.tf.json`. */
export type Stacks = Readonly<Record<string, object>>;

/** A project whose app writes the stacks that the test gives it: a script of the shell, since Node would start ten times as slowly. */
export class CommandProject {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;

  constructor(folder: string, environment: Readonly<Record<string, string>> = {}) {
    this.folder = folder;
    this.environment = environment;
  }

  async write(path: string, content: string | object): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  /**
   * As an app of our constructs writes the stacks: the manifest lists them by name, and each with a provider notes the order of its creation.
   * @param dependencies of stacks on others, by name
   */
  async declare(
    stacks: Stacks,
    dependencies: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<void> {
    await this.write("cdktf.json", { language: "typescript", app: "sh app.sh" });
    await this.write("app.sh", 'mkdir -p "$CDKTF_OUTDIR" && cp -R synthesized/. "$CDKTF_OUTDIR"');
    await rm(join(this.folder, "synthesized"), { recursive: true, force: true });
    const manifest = Object.keys(stacks)
      .sort()
      .map((name) => ({
        name,
        constructPath: name,
        workingDirectory: `stacks/${name}`,
        synthesizedStackPath: `stacks/${name}/cdk.tf.json`,
        annotations: [],
        dependencies: dependencies[name] ?? [],
      }));
    await this.write("synthesized/manifest.json", {
      version: "0.21.0",
      stacks: Object.fromEntries(manifest.map((stack) => [stack.name, stack])),
    });
    for (const [order, [name, stack]] of Object.entries(stacks).entries())
      await this.write(`synthesized/stacks/${name}/cdk.tf.json`, withOrder(stack, order));
  }

  /** Runs `tenancy` with these words. */
  async tenancy(words: readonly string[], options: RunOptions = {}): Promise<Printed> {
    let stdout = "";
    let stderr = "";
    const signals = new EventEmitter();
    const terminal = options.terminal ?? options.answer !== undefined;
    const stdin = Object.assign(new PassThrough(), { isTTY: terminal });
    const stop = (): void => void signals.emit("stop");
    const width = options.columns === undefined ? {} : { columns: options.columns };
    const io: Io = {
      stdout: { ...width, write: (text) => (stdout += text) },
      stderr: {
        ...width,
        isTTY: terminal,
        write(text) {
          stderr += text;
          if (text.endsWith(": ") && options.answer !== undefined) stdin.write(`${options.answer}\n`);
          if (text.endsWith(": ")) void options.onQuestion?.().then((answer) => stdin.write(`${answer}\n`));
          options.onStderr?.(text, stop);
        },
      },
      stdin,
      environment: { PATH: process.env["PATH"], ...this.environment, ...options.environment },
      folder: this.folder,
      onStop(callback) {
        signals.on("stop", callback);
        return () => void signals.off("stop", callback);
      },
      exit: (code) => {
        throw new Error(`left at once with ${code}`);
      },
    };
    const code = await main(words, io);
    return { code, stdout, stderr };
  }
}

export type SimulatedProject = CommandProject & { readonly service: Simulator };

/** A project in a folder with a simulated service of its own, which is to be closed. */
export async function simulatedProject(
  folder: string,
  simulator?: SimulatorOptions,
): Promise<SimulatedProject> {
  const service = await startSimulator(simulator);
  const { baseUrl, username, password } = service;
  const project = new CommandProject(folder, {
    TENANCY_BASE_URL: baseUrl,
    TENANCY_USERNAME: username,
    TENANCY_PASSWORD: password,
    TENANCY_OWNER: "acme-platform",
  });
  return Object.assign(project, { service });
}

/** Gives each test a project of its own, with a simulated service where it asks for one. */
export function commandProjects(): (options?: {
  readonly service?: boolean;
  readonly simulator?: SimulatorOptions;
}) => Promise<SimulatedProject> {
  const ending: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0)) await end();
  });
  return async ({ service: wanted = true, simulator } = {}) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-")));
    ending.push(() => rm(folder, { recursive: true, force: true }));
    if (!wanted) return new CommandProject(folder) as SimulatedProject;
    const project = await simulatedProject(folder, simulator);
    ending.push(() => project.service.close());
    return project;
  };
}

function withOrder(stack: object & { readonly "//"?: { readonly tenancy?: object } }, order: number): object {
  if (!("provider" in stack)) return stack;
  return { ...stack, "//": { ...stack["//"], tenancy: { ...stack["//"]?.tenancy, order } } };
}

/** A stack that declares accounts, by name. */
export function accounts(...names: readonly string[]): Record<string, unknown> {
  return {
    provider: { tenancy: [{}] },
    resource: {
      tenancy_account: Object.fromEntries(names.map((name) => [name, { name }])),
    },
  };
}

/** A stack that declares the machine user csi@acme, and tokens of it: their names by their addresses. */
export function tokens(names: Readonly<Record<string, string>>): Record<string, unknown> {
  const token = (name: string) => ({ login: "csi@acme", name, login_with: "temporary_password" });
  return {
    provider: { tenancy: [{}] },
    resource: {
      tenancy_account: { acme: { name: "acme" } },
      tenancy_user_profile: {
        csi: { username: "csi", account_id: "${tenancy_account.acme.id}", permissions: {} },
      },
      tenancy_authorization: Object.fromEntries(
        Object.entries(names).map(([address, name]) => [address, token(name)]),
      ),
    },
  };
}

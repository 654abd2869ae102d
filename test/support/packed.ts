/** The package as users have it: packed, and installed into projects of their own. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { built, run, type Ended } from "./built-command";
import { machineEnvironment } from "./machine-environment";

const root = resolve(__dirname, "../..");
const ENVIRONMENT = {
  ...machineEnvironment(),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  npm_config_prefer_offline: "true",
};

/** Builds the package where it has to be, and packs it. @returns the tarball's path */
export async function packed(folder: string): Promise<string> {
  await built();
  const words = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  return join(folder, (await succeed("npm", words, root)).trim());
}

/** A project of a user. */
export class UserProject {
  constructor(
    readonly folder: string,
    readonly environment: Readonly<Record<string, string>> = {},
  ) {}

  /** @param packages as npm takes them */
  async install(...packages: readonly string[]): Promise<void> {
    await this.write("package.json", { name: "platform", version: "0.0.0", private: true });
    await succeed("npm", ["install", "--save", ...packages], this.folder);
  }

  async write(path: string, content: string | object): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  /** Compiles programs, with the compiler of this repository. */
  async compile(programs: readonly string[], options: Readonly<Record<string, unknown>>): Promise<void> {
    await this.write("tsconfig.json", { compilerOptions: options, files: programs });
    await succeed(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], this.folder);
  }

  run(program: string, ...words: readonly string[]): Promise<Ended> {
    return run(program, words, { folder: this.folder, environment: { ...ENVIRONMENT, ...this.environment } });
  }

  /** Runs a command that must succeed. @returns what it printed on stdout */
  async succeed(program: string, ...words: readonly string[]): Promise<string> {
    return succeed(program, words, this.folder, this.environment);
  }
}

async function succeed(
  program: string,
  words: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const ended = await run(program, words, { folder, environment: { ...ENVIRONMENT, ...environment } });
  if (ended.code !== 0)
    throw new Error(
      `${program} ${words.join(" ")} ended with ${ended.code}:\n${ended.stdout}\n${ended.stderr}`,
    );
  return ended.stdout;
}

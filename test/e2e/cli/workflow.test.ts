import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { workflow } from "../../../src/cli/scaffold/workflow";
import { temporaryFolder } from "../../support/temp-folder";

interface Step {
  readonly name?: string;
  readonly run?: string;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const folder = temporaryFolder();

const IDENTITY = ["-c", "user.name=jane", "-c", "user.email=jane@acme.example"];

function git(clone: string, ...words: readonly string[]): string {
  return execFileSync("git", ["-C", join(folder(), clone), ...IDENTITY, ...words], { encoding: "utf8" });
}

/** As GitHub runs it. */
function keepStore(clone: string, key: string): number | null {
  const { jobs } = parse(workflow()) as Workflow;
  const step = jobs["apply"]?.steps.find(({ name }) => name === "Keep the credential store");
  return spawnSync("bash", ["-e", "-c", step?.run ?? "exit 9"], {
    cwd: join(folder(), clone),
    env: { ...process.env, TENANCY_STORE_KEY: key },
  }).status;
}

function committed(clone: string, file: string, text: string): void {
  writeFileSync(join(folder(), clone, file), text);
  git(clone, "add", file);
  git(clone, "commit", "-m", file);
}

beforeEach(() => {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", join(folder(), "origin")]);
  for (const clone of ["jane", "run"]) {
    execFileSync("git", ["clone", "--quiet", join(folder(), "origin"), join(folder(), clone)], {
      stdio: "ignore",
    });
    if (clone === "jane") {
      git(clone, "switch", "--quiet", "--create", "main");
      committed(clone, ".gitignore", ".tenancy/\n");
      git(clone, "push", "--quiet", "--set-upstream", "origin", "main");
    }
  }
  mkdirSync(join(folder(), "run", ".tenancy"));
  writeFileSync(join(folder(), "run", ".tenancy", "credentials.json"), "sealed");
});

test("the workflow of a new project keeps the store although the branch has moved on during the apply", () => {
  committed("jane", "platform.ts", "export {};\n");
  git("jane", "push", "--quiet");
  expect(keepStore("run", "a key")).toBe(0);
  git("jane", "pull", "--quiet");
  expect(readFileSync(join(folder(), "jane", ".tenancy", "credentials.json"), "utf8")).toBe("sealed");
});

test("the workflow of a new project commits a store neither twice nor without a key", () => {
  expect(keepStore("run", "a key")).toBe(0);
  expect(keepStore("run", "a key")).toBe(0);
  expect(git("run", "log", "--format=%s")).toBe("Credential store\n.gitignore\n");
  writeFileSync(join(folder(), "run", ".tenancy", "credentials.json"), "plain");
  expect(keepStore("run", "")).toBe(0);
  expect(git("run", "log", "--format=%s")).toBe("Credential store\n.gitignore\n");
});

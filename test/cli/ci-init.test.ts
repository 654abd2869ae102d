/** `tenancy ci init`: covers src/cli/verbs/ci-init.ts and src/cli/scaffold. */
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../package.json";
import { accounts, CommandProject, commandProjects, type SimulatedProject } from "../support/command";

const start = commandProjects();

const WORKFLOWS = ".github/workflows";

async function projectWith(...stacks: readonly string[]): Promise<SimulatedProject> {
  const project = await start({ service: false });
  await project.declare(Object.fromEntries(stacks.map((name) => [name, accounts("acme")])));
  await project.write(".git/HEAD", "ref: refs/heads/main\n");
  return project;
}

const read = (project: SimulatedProject, path: string) => readFile(join(project.folder, path), "utf8");

test.each([2, 5])("for %d stacks it writes three workflows of at most 150 lines together", async (count) => {
  const names = Array.from({ length: count }, (_, index) => `stack-${index}`);
  const project = await projectWith(...names);
  const { code, stdout, stderr } = await project.tenancy(["ci", "init", "github"]);
  expect(stderr).toContain("The settings that the workflows need at GitHub");
  expect(code).toBe(0);
  const files = stdout.trim().split("\n");
  expect(files.map((file) => file.replace(`${WORKFLOWS}/`, ""))).toEqual([
    "tenancy-pull-request.yml",
    "tenancy-review.yml",
    "tenancy.yml",
  ]);
  const texts = await Promise.all(files.map((file) => read(project, file)));
  expect(texts.join("").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  for (const text of texts) expect(text).toContain(`# Written by \`tenancy ci init\` ${version}.`);
  expect(texts[2]).toContain(`matrix: { stack: [${names.join(", ")}] }`);
});

test("a second run keeps the variables that somebody added, and says the same again", async () => {
  const project = await projectWith("platform");
  await project.write("CODEOWNERS", "* @acme/storage\n");
  await project.tenancy(["ci", "init", "github"]);
  const path = join(project.folder, WORKFLOWS, "tenancy.yml");
  const first = await readFile(path, "utf8");
  const added = first.replace(/(?=\n {10}TENANCY_USERNAME)/, "\n          TF_VAR_mail: ${{ secrets.MAIL }}");
  expect(added).not.toBe(first);
  await writeFile(path, added);
  const second = await project.tenancy(["ci", "init"]);
  expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining("CODEOWNERS")]);
  const again = await readFile(path, "utf8");
  // Each job that plans or applies gets it.
  expect(again.match(/^ {10}TF_VAR_mail: \$\{\{ secrets\.MAIL \}\}$/gm)).toHaveLength(3);
  expect(again.replace(/^ {10}TF_VAR_mail.*\n/gm, "")).toBe(first);
});

test("the order of stacks is that of the files: the app does not tell it", async () => {
  const project = await projectWith("production", "staging");
  const first = await project.tenancy(["ci", "init", "github"]);
  expect(first.stderr).toContain(
    "A merge is applied to production, then to staging. For another order, change TENANCY_STACKS",
  );
  const path = `${WORKFLOWS}/tenancy.yml`;
  const text = await read(project, path);
  await project.write(path, text.replace("STACKS: production staging", "STACKS: staging production"));
  expect((await project.tenancy(["ci", "init"])).code).toBe(0);
  expect(await read(project, path)).toContain("matrix: { stack: [staging, production] }");
  // A stack that is new comes last.
  const names = ["eu", "production", "staging"];
  await project.declare(Object.fromEntries(names.map((name) => [name, accounts("acme")])));
  await project.tenancy(["ci", "init"]);
  for (const name of ["tenancy", "tenancy-review", "tenancy-pull-request"])
    expect(await read(project, `${WORKFLOWS}/${name}.yml`)).toContain("STACKS: staging production eu,");
});

test("pipelines that are written again keep a variable, and lines that CODEOWNERS lacks are said", async () => {
  const project = await projectWith("production");
  expect((await project.tenancy(["ci", "init"])).code).toBe(0);
  const path = `${WORKFLOWS}/tenancy.yml`;
  const variable = "          TF_VAR_mail: ${{ secrets.MAIL }}\n";
  await project.write(
    path,
    (await read(project, path)).replace(/^ {10}TENANCY_ALLOWED_ORIGINS:/m, `${variable}$&`),
  );
  await project.write(".github/CODEOWNERS", "# ours\n/.github/ @acme/storage @jane\n");
  const { code, stderr } = await project.tenancy(["ci", "init"]);
  expect(code).toBe(0);
  expect(await read(project, path)).toContain(variable);
  expect(stderr).toMatch(/Add to \.github\/CODEOWNERS[^\n]*:\n\n(\/\S+ @acme\/storage @jane\n)+\n/);
  expect(stderr).toContain("\n/approvals/ @acme/storage @jane\n");
  expect(stderr).not.toContain("\n/.github/ @acme");
});

test("a file of somebody else is not replaced, and then nothing is written", async () => {
  const project = await projectWith("platform");
  await project.write(`${WORKFLOWS}/tenancy.yml`, "name: tenancy\n");
  const { code, stderr } = await project.tenancy(["ci", "init"]);
  expect(code).toBe(1);
  expect(stderr).toContain("tenancy.yml: was not written by this command, so it is not replaced");
  expect(await readdir(join(project.folder, WORKFLOWS))).toEqual(["tenancy.yml"]);
});

test("in a subfolder of a repository the files go to its top, with names of their own", async () => {
  const project = await start({ service: false });
  await project.write(".git/HEAD", "ref: refs/heads/trunk\n");
  await project.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/trunk\n");
  const inner = await start({ service: false });
  await inner.declare({ platform: accounts("acme") });
  await cp(inner.folder, join(project.folder, "teams", "platform"), { recursive: true });
  await rm(inner.folder, { recursive: true });
  const { code, stdout } = await new CommandProject(join(project.folder, "teams", "platform")).tenancy([
    "ci",
    "init",
    "github",
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain(`${WORKFLOWS}/teams-platform-tenancy.yml\n`);
  const text = await read(project, `${WORKFLOWS}/teams-platform-tenancy.yml`);
  expect(text).toContain('push: { branches: [trunk], paths: ["teams/platform/**", ');
  expect(text).toContain('defaults: { run: { working-directory: "teams/platform" } }\n');
  expect(text).toContain("environment: teams-platform-${{ matrix.stack }}\n");
});

test.each([
  [["ci", "init", "jenkins"], "platform", 'no pipelines are written for "jenkins"'],
  [["ci", "init"], "2026", 'the stack "2026" cannot name a job and an environment'],
])("%j with the stack %s is refused", async (words, stack, problem) => {
  const project = await projectWith(stack);
  const { code, stderr } = await project.tenancy(words);
  expect(code).toBe(1);
  expect(stderr).toContain(problem);
});

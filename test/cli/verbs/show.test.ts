import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accounts, CommandProject, commandProjects, type Stacks } from "../../support/command";

const start = commandProjects();

/** A folder with nothing but a saved plan, on a machine that knows no service. */
async function reviewed(text: string): Promise<CommandProject & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "tenancy-"));
  await writeFile(join(folder, "plan.json"), text);
  return Object.assign(new CommandProject(folder), {
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  });
}

const stacks: Stacks = {
  prod: accounts("acme", "globex"),
  staging: { ...accounts("initech"), provider: { tenancy: [{ owner: "staging" }] } },
};

async function savedAndPrinted(...flags: readonly string[]) {
  const project = await start();
  await project.declare(stacks);
  const printed = await project.tenancy(["plan", "*", "--out", "plan.json", ...flags]);
  expect(printed.code).toBe(0);
  return { printed, text: await readFile(join(project.folder, "plan.json"), "utf8") };
}

test("show prints a saved plan as it was printed, without project, service and credentials", async () => {
  const { printed, text } = await savedAndPrinted();
  await using elsewhere = await reviewed(text);
  expect(await elsewhere.tenancy(["show", "plan.json"])).toEqual({
    code: 0,
    stdout: printed.stdout,
    stderr: "",
  });
});

test("show --json prints what plan --json printed", async () => {
  const { printed, text } = await savedAndPrinted("--json");
  await using elsewhere = await reviewed(text);
  const { stdout } = await elsewhere.tenancy(["show", "plan.json", "--json"]);
  const documents = (lines: string) =>
    lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  expect(documents(stdout)).toEqual(documents(printed.stdout));
});

test("show --markdown writes the comment that plan --markdown wrote", async () => {
  const { printed, text } = await savedAndPrinted("--markdown", "-", "--markdown-marker", "x");
  await using elsewhere = await reviewed(text);
  const { stdout } = await elsewhere.tenancy([
    "show",
    "plan.json",
    "--markdown",
    "-",
    "--markdown-marker",
    "x",
  ]);
  expect(stdout).toBe(printed.stdout);
});

test.each([
  ["nothing.json", "there is no such file"],
  [".", "is a folder"],
])("show %s tells what is wrong with the file", async (file, problem) => {
  await using elsewhere = await reviewed("hello");
  const { code, stderr } = await elsewhere.tenancy(["show", file]);
  expect(code).toBe(1);
  expect(stderr).toContain(problem);
});

test("what is no plan is refused, and the comment says so", async () => {
  await using elsewhere = await reviewed("hello");
  const { code, stdout, stderr } = await elsewhere.tenancy(["show", "plan.json", "--markdown", "-"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_BROKEN_PLAN");
  expect(stdout).toContain("- Error `TENANCY_BROKEN_PLAN`");
});

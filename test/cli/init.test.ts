/** `tenancy init`: covers src/cli/verbs/init.ts and src/cli/scaffold. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandProjects } from "../support/command";

const start = commandProjects();
const answers = ["--owner", "acme-platform", "--base-url", "https://storage.example/api/"];

test("init makes a project, and says what comes next", async () => {
  const project = await start({ service: false });
  const { code, stdout, stderr } = await project.tenancy(["init", "My Platform", ...answers]);
  expect(code).toBe(0);
  const folder = join(project.folder, "My Platform");
  expect(stdout.trim().split("\n").sort()).toEqual((await filesIn(folder)).sort());
  expect(stderr).toContain("Next: cd 'My Platform' && npm install && npm test && npx tenancy plan");
  expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({
    name: "my-platform",
  });
  const platform = await readFile(join(folder, "platform.ts"), "utf8");
  expect(platform).toContain('baseUrl: "https://storage.example",');
  expect(platform).toContain('owner: "acme-platform",');
  expect(stderr).toContain("set TENANCY_OWNER_KEY before the first apply");
  for (const file of ["README.md", "platform.ts", ".github/workflows/tenancy.yml"])
    expect(await readFile(join(folder, file), "utf8")).toContain("TENANCY_OWNER_KEY");
});

test("what init makes runs its app with Node alone, and has the compiler for it", async () => {
  const project = await start({ service: false });
  await project.tenancy(["init", "platform", ...answers]);
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(project.folder, "platform", name), "utf8"));
  expect(await read("cdktf.json")).toMatchObject({
    app: "node --require cdktf-provider-tenancy/register main.ts",
  });
  expect(await read("package.json")).toMatchObject({
    devDependencies: { "@swc/core": expect.any(String) as string },
  });
});

test("init overwrites nothing", async () => {
  const project = await start({ service: false });
  await project.write("main.ts", "mine");
  const { code, stderr } = await project.tenancy(["init", ...answers]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_FILE_UNUSABLE: main.ts: already exists; nothing is overwritten");
  expect(await filesIn(project.folder)).toEqual(["main.ts"]);
});

test("init asks a person for what is missing, and refuses to guess for nobody", async () => {
  const project = await start({ service: false });
  const refused = await project.tenancy(["init", "a", "--owner", "o"]);
  expect(refused.stderr).toContain("Error TENANCY_USAGE: init needs --base-url");
  const asked = await project.tenancy(["init", "b", "--owner", "o"], { answer: "https://asked.example" });
  expect(asked.code).toBe(0);
  expect(await readFile(join(project.folder, "b", "platform.ts"), "utf8")).toContain("https://asked.example");
});

test.each([
  ["storage.example", "INVALID_URL"],
  ["ftp://storage.example", "INVALID_URL"],
  ["https://user:s3cret@storage.example", "INVALID_URL"],
  ["http://storage.example", "PLAIN_HTTP"],
])("init refuses what plan would refuse: %s is not the address of a service", async (url, problem) => {
  const project = await start({ service: false });
  const { code, stderr } = await project.tenancy(["init", "--owner", "o", "--base-url", url]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Error TENANCY_${problem}: --base-url`);
  expect(stderr).not.toContain("s3cret");
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The examples in TypeScript: covers the files of examples. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandProject } from "../support/command";
import { gitRemotes } from "../support/git-remote";
import { clockGoesBack, moveClock } from "../support/moved-clock";
import { blocksOf, isShownAs, stepsOf } from "../support/pages";
import { actions, changeAt, changed, projects } from "../support/projects";
import { temporaryFolder } from "../support/temp-folder";
import { stateKey } from "../support/state-key";

const output = temporaryFolder();
const start = projects();
const newRemote = gitRemotes();
clockGoesBack();

const folder = resolve(__dirname, "../../examples");
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "main.ts")))
  .map(({ name }) => name)
  .sort();

/** Values that a page leaves to its reader, as `export NAME=…`. */
const CHOSEN = {
  TF_VAR_first_password: "correct-horse-7",
  TENANCY_STATE_KEY: stateKey("examples"),
};

/** The time at which the commands of a section are run. */
const CLOCK: Readonly<Record<string, string>> = { "After 30 June 2030": "2030-07-01T02:00:00Z" };

test("the examples are a ladder of eight, and each page leads to the next one", () => {
  expect(examples.map((name) => name.slice(0, 3))).toEqual(
    Array.from({ length: 8 }, (_, index) => `0${index + 1}-`),
  );
  const index = readFileSync(join(folder, "README.md"), "utf8");
  expect([...index.matchAll(/\]\((0\d-[^)]+)\)/g)].map(([, name]) => name)).toEqual(examples);
  for (const [place, name] of examples.slice(1).entries())
    expect(pageOf(examples[place] ?? "")).toContain(`](../${name}/README.md).\n`);
});

test.each(examples)("the example %s says what it is for, and how to run it", (name) => {
  expect(pageOf(name)).toMatch(new RegExp(`^# ${Number(name.slice(0, 2))}\\. .+\\n\\n[^]+npx tenancy`));
  expect(JSON.parse(readFileSync(join(folder, name, "cdktf.json"), "utf8"))).toMatchObject({
    language: "typescript",
    app: "npx tsx main.ts",
    projectId: `tenancy-${idOf(name)}`,
  });
});

test.each(examples)("the example %s synthesizes its stacks", (name) => {
  const stacks = synthesized(name);
  if (name !== "07-team") expect(Object.keys(stacks)).toEqual([idOf(name)]);
  for (const stack of Object.values(stacks))
    expect(Object.keys(stack.resource.tenancy_account).length).toBeGreaterThan(0);
});

test.each(examples)("the commands of the example %s print the output that its page shows", async (name) => {
  const { service } = await start();
  const { baseUrl, username, password } = service;
  const login = { TENANCY_BASE_URL: baseUrl, TENANCY_USERNAME: username, TENANCY_PASSWORD: password };
  const project = new CommandProject(newRemote().clone(), { ...login, ...CHOSEN });
  const config = JSON.parse(readFileSync(join(folder, name, "cdktf.json"), "utf8")) as object;
  await project.write("cdktf.json", { ...config, app: `cp -R "${outdirOf(name)}/." "$CDKTF_OUTDIR"` });

  const blocks = blocksOf(`examples/${name}/README.md`);
  for (const { text } of blocks)
    for (const [, body = "", path = ""] of text.matchAll(/--data '(.+)' "\$TENANCY_BASE_URL(.+)"/g)) {
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
      const headers = { authorization, "content-type": "application/json" };
      const { status } = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body });
      expect(status).toBe(201);
    }
  const planCodes: number[] = [];
  for (const { language, section, text } of blocks) {
    const now = CLOCK[section];
    if (now !== undefined) moveClock(now);
    for (const { command, output: shown } of language === "console" ? stepsOf(text) : []) {
      const words = command.replace("npx tenancy ", "").replaceAll("'", "").split(" ");
      const isPlan = words[0] === "plan";
      if (isPlan) words.push("--detailed-exitcode");
      const { code, stdout, stderr } = await project.tenancy(words, { answer: "yes" });
      if (isPlan) planCodes.push(code);
      else expect({ command, code, stderr }).toMatchObject({ code: 0 });
      const printed = stdout.replaceAll(baseUrl, "http://127.0.0.1:8080");
      if (!isShownAs(printed, shown))
        expect({ command, printed, stderr }).toEqual({ command, printed: shown });
    }
  }
  // The first plan has changes, and the plan after the apply has none.
  expect(planCodes).toEqual([name === "07-team" ? 3 : 2, 0]);
});

test("the top-level project is the company", () => {
  const project: unknown = JSON.parse(readFileSync(resolve(folder, "../cdktf.json"), "utf8"));
  expect(project).toMatchObject({ app: "npx tsx examples/04-company/main.ts" });
  expect(existsSync(join(folder, "04-company", "main.ts"))).toBe(true);
});

test("the import of existing tenants brings the declared contact to a service that shows only names, in one apply that shows it", async () => {
  const project = await start({ contacts: "names" });
  const { records } = project.service;
  records.createAccount({ name: "initech", primary_contact: { first_name: "Bill", company: "Old Corp" } });
  records.createProfile("initech", { username: "peter" });
  records.createAccount({ name: "globex" });
  const declared = { name: "existing-tenants", outdir: outdirOf("06-existing-tenants") };
  const { plan } = await project.apply(declared, { maxDeletes: 2 });
  const tenant = changeAt(plan, "tenancy_account.initech");
  expect(tenant.action).toBe("update");
  expect(changed(tenant)).toMatchObject({ "primary_contact.company": [null, "Initech"] });
  expect(tenant.notes).toContain(
    "sent once, because the service does not show the live value: primary_contact.company",
  );
  expect(records.account("initech").primary_contact).toMatchObject({
    first_name: "Bill",
    company: "Initech",
  });
  expect(actions(await project.plan(declared))).toEqual([]);
});

interface Stack {
  readonly resource: { readonly tenancy_account: object };
}

/** Its stacks by their names. */
function synthesized(example: string): Readonly<Record<string, Stack>> {
  const stacks = join(outdirOf(example), "stacks");
  const read = (name: string) => readFileSync(join(stacks, name, "cdk.tf.json"), "utf8");
  return Object.fromEntries(readdirSync(stacks).map((name) => [name, JSON.parse(read(name)) as Stack]));
}

/** Name of an example without its number. */
function idOf(example: string): string {
  return example.slice(3);
}

function pageOf(example: string): string {
  return readFileSync(join(folder, example, "README.md"), "utf8");
}

/** Where the synthesized example stands. */
function outdirOf(name: string): string {
  const outdir = output();
  process.env["CDKTF_OUTDIR"] = outdir;
  try {
    jest.isolateModules(() => {
      jest.requireActual(join(folder, name, "main.ts"));
    });
  } finally {
    delete process.env["CDKTF_OUTDIR"];
  }
  return outdir;
}

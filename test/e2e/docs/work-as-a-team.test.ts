/** The guide docs/manual/how-to/work-as-a-team.md, as it stands there: its commands are run in their order, by Jane and by a colleague with a clone of her own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built } from "../../support/built-command";
import { LocalRegistry } from "../../support/local-registry";
import { blocksOf, Shell } from "../../support/pages";
import { temporaryFolder } from "../../support/temp-folder";

const blocks = blocksOf("docs/manual/how-to/work-as-a-team.md");

/** What each block does, in the order of the page. All are run but the one that ends the run of somebody else (test/e2e/three-clones.test.ts). */
const KNOWN = {
  "Once: make the state": ["new key", "place", "new state", "state of a file"],
  "A colleague's first day": ["first day"],
  "Two people at once": ["unlock"],
  "A colleague leaves, or the key was exposed": ["another key", "rekey"],
  "The branch grows": ["new branch"],
};

const textOf = (name: string): string => {
  for (const [section, names] of Object.entries(KNOWN))
    if (names.includes(name))
      return commands.filter((block) => block.section === section)[names.indexOf(name)]?.text ?? "";
  throw new Error(`no block is called ${name}`);
};

const commands = blocks.filter(({ language }) => language !== "mermaid");

test("every block on the page is one that is known here", () => {
  const sections = [...new Set(commands.map(({ section }) => section))];
  expect(
    Object.fromEntries(
      sections.map((name) => [name, commands.filter(({ section }) => section === name).length]),
    ),
  ).toEqual(Object.fromEntries(Object.entries(KNOWN).map(([section, names]) => [section, names.length])));
});

const folder = temporaryFolder();
let registry: LocalRegistry;
let service: Simulator;

beforeAll(async () => {
  await built();
  registry = await LocalRegistry.start();
  service = await startSimulator();
}, 300_000);

afterAll(async () => {
  await registry.close();
  await service.close();
});

test("a team makes its state, a colleague begins with a clone, the key changes, and the branch is begun anew", async () => {
  const bare = join(folder(), "platform.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
  const at = (name: string) => {
    mkdirSync(join(folder(), name));
    const identity = ["AUTHOR", "COMMITTER"].flatMap((role) => [
      [`GIT_${role}_NAME`, name],
      [`GIT_${role}_EMAIL`, `${name}@acme.example`],
    ]);
    const login = { TENANCY_USERNAME: service.username, TENANCY_PASSWORD: service.password };
    return new Shell(join(folder(), name), {
      ...{ PATH: process.env["PATH"], CI: "", ...registry.environment, ...login },
      ...(Object.fromEntries(identity) as Record<string, string>),
    });
  };
  const jane = at("jane");
  await jane.run(
    `npx -p tenancy tenancy init platform --base-url ${service.baseUrl} --ci none
cd platform
npm install
npx tenancy apply --yes
git init --quiet --initial-branch=main
git add --all
git commit --quiet --message Begin
git remote add origin file://${bare}
git push --quiet origin main`,
  );

  // The key goes to the password manager; whoever exports it has it from there.
  const key = (await jane.run(textOf("new key"))).trim();
  expect(key).toMatch(/^tenancy-key-[\w-]+$/);
  const withKey = (text: string) => text.replaceAll(/=… # from the password manager/g, `='${key}'`);
  const file = join(folder(), "jane", "platform", "cdktf.json");
  const config = JSON.parse(readFileSync(file, "utf8")) as object;
  const { projectId, context } = JSON.parse(textOf("place")) as { projectId: string; context: object };
  writeFileSync(file, JSON.stringify({ ...config, projectId, context }));
  await jane.run(
    "git commit --quiet --all --message 'The state of the team' && git push --quiet origin main",
  );
  await jane.run(withKey(textOf("state of a file")).replace("apply", "apply --yes"));
  expect(await jane.run("npx tenancy plan")).toContain("No changes.");

  // The colleague's first day.
  const joe = at("joe");
  const firstDay = withKey(textOf("first day")).replace(
    "git@git.example:acme/platform.git",
    `file://${bare}`,
  );
  const seen = await joe.run(firstDay);
  expect(seen).toMatch(/^key +opens it$/m);
  expect(seen).toContain("No changes.");
  // Without the key a plan shows the rest, says what it does not know, and fails.
  const unknown = await joe.run("TENANCY_STATE_KEY= npx tenancy plan || test $? = 1");
  expect(unknown).toContain("not known without the state");
  await joe.run("npx tenancy apply --yes");

  // The key was seen.
  const newKey = (await jane.run(textOf("another key"))).trim();
  const rekeyed = await jane.run(
    textOf("rekey")
      .replace("=… # the new key, from the password manager", `='${newKey}'`)
      .replace("--exposed", "--exposed --yes"),
  );
  expect(rekeyed).toContain("csi-prod");
  await expect(joe.run("npx tenancy state status")).rejects.toThrow("TENANCY_STATE_KEY_WRONG");
  expect(await jane.run("npx tenancy plan")).not.toContain("exposed");

  await jane.run(textOf("new branch"));
  const place = "--state git:origin/tenancy-state-2";
  expect(await jane.run(`npx tenancy plan ${place}`)).toContain("No changes.");
});

test("a team without a state makes an empty one", async () => {
  const bare = join(folder(), "empty.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
  const shell = new Shell(folder(), {
    ...{ PATH: process.env["PATH"], CI: "", ...registry.environment },
    ...{ TENANCY_USERNAME: service.username, TENANCY_PASSWORD: service.password },
  });
  await shell.run(
    `npx -p tenancy tenancy init platform --base-url ${service.baseUrl} --ci none
cd platform
npm install
git init --quiet --initial-branch=main
git remote add origin file://${bare}`,
  );
  const key = (await shell.run(textOf("new key"))).trim();
  writeFileSync(
    join(folder(), "platform", "cdktf.json"),
    JSON.stringify({
      ...(JSON.parse(readFileSync(join(folder(), "platform", "cdktf.json"), "utf8")) as object),
      ...(JSON.parse(textOf("place")) as object),
    }),
  );
  await shell.run(textOf("new state").replaceAll(/=… # from the password manager/g, `='${key}'`));
  expect(await shell.run("npx tenancy state status")).toContain("git:origin/tenancy-state/platform");
});

/**
 * A project that init makes when npx runs it from a package file, as `npm pack` makes it: covers src/cli/own-package.ts and what
 * src/cli/verbs/init.ts prints.
 */
import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built } from "../../support/built-command";
import { machineEnvironment } from "../../support/machine-environment";
import { packed } from "../../support/packed";
import { Shell } from "../../support/pages";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();
let service: Simulator;

beforeAll(async () => {
  await built();
  service = await startSimulator();
});

afterAll(() => service.close());

/** A user's shell, whose npm takes a package from the registry where it is not told otherwise. */
const shell = () =>
  new Shell(folder(), {
    ...machineEnvironment(),
    npm_config_cache: join(folder(), ".npm"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    npm_config_loglevel: "error",
    // As npx does by itself if it cannot ask.
    npm_config_yes: "true",
  });

/** The commands between a line and the next empty one, with the placeholders filled as a user fills them. */
function commandsAfter(line: string, text: string): readonly string[] {
  const start = text.indexOf(`${line}\n`);
  expect(start).toBeGreaterThan(-1);
  const [block = ""] = text
    .slice(start + line.length)
    .trimStart()
    .split(/\n(?:\n|```)/);
  return block.split("\n").map((command) =>
    command
      .replace("TENANCY_USERNAME=…", `TENANCY_USERNAME=${service.username}`)
      .replace("TENANCY_PASSWORD=…", `TENANCY_PASSWORD=${service.password}`)
      // Nobody answers the question of an apply here.
      .replace(/^npx tenancy apply\b/, "npx tenancy apply --yes"),
  );
}

test("each command that init prints works as printed, and so does each one of the project's README", async () => {
  const file = basename(await packed(folder()));
  const user = shell();
  const printed = await user.run(`npx -p ./${file} tenancy init platform --base-url ${service.baseUrl}`);
  expect(printed).toContain(`\n${file} is the package of Tenancy that npm install takes. Commit it`);
  const commands = commandsAfter("Next:", printed);
  expect(commands.slice(0, 3)).toEqual(["cd platform", "npm install", "npm test"]);
  const outputs: string[] = [];
  for (const command of commands) outputs.push(await user.run(command));
  expect(outputs.at(-2)).toContain("\n4 to create.\n");
  expect(outputs.at(-1)).toContain("Applied: 4 created.");
  expect(readdirSync(join(folder(), "platform"))).toContain(file);
  // It decides what runs where the pipelines' secrets are.
  expect(readFileSync(join(folder(), "platform/.github/CODEOWNERS"), "utf8")).toContain(`\n/${file} @`);

  const readme = readFileSync(join(folder(), "platform/README.md"), "utf8");
  for (const command of commandsAfter("```sh", readme)) outputs.push(await user.run(command));
  expect(outputs.at(-1)).toMatch(/^1\/[\w/+]+$/m);
  const { scripts } = JSON.parse(readFileSync(join(folder(), "platform/package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(Object.keys(scripts)).toEqual(["test", "plan", "apply", "drift", "doctor"]);
  for (const name of ["plan", "drift", "doctor"]) await user.run(`npm run ${name}`);
});

test("init says so if the package file that it runs from is no longer there, and writes nothing", async () => {
  const file = await packed(folder());
  const user = shell();
  await user.run(`mkdir tool && cd tool && npm init -y && npm install ../${basename(file)} && cd ..`);
  await rm(file);
  await expect(
    user.run(`tool/node_modules/.bin/tenancy init platform --base-url ${service.baseUrl}`),
  ).rejects.toThrow("no longer exists, and the project has to install Tenancy from it");
  expect(readdirSync(folder())).not.toContain("platform");
});

/** A project that init has made, with the packages of the registry: as README's section "Use it with your service" has it, line by line. */
import { resolve } from "node:path";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built } from "../../support/built-command";
import { machineEnvironment } from "../../support/machine-environment";
import { blocksOf, Shell } from "../../support/pages";
import { temporaryFolder } from "../../support/temp-folder";

const ROOT = resolve(__dirname, "../../..");

const folder = temporaryFolder();
let service: Simulator;

beforeAll(async () => {
  await built();
  service = await startSimulator();
});

afterAll(() => service.close());

test("what init makes installs, passes its own test, plans and applies, by the commands of README", async () => {
  const [block] = blocksOf("README.md").filter(({ section }) => section === "Use it with your service");
  const script = block?.text ?? "";
  const replaced: readonly (readonly [string, string])[] = [
    // This is no fresh clone: what is installed and built in one is here already.
    [
      "npm ci && npm pack --pack-destination ..",
      `(cd '${ROOT}' && npm pack --ignore-scripts --pack-destination '${folder()}')`,
    ],
    ["https://storage.example", service.baseUrl],
    ["TENANCY_PASSWORD=…", `TENANCY_PASSWORD=${service.password}`],
    // What is answered at a terminal.
    ["npx tenancy apply\n", "npx tenancy apply --yes\n"],
  ];
  const commands = replaced.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, () => to);
  }, script);
  const shell = new Shell(folder(), {
    ...machineEnvironment(),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_loglevel: "error",
    // As npx does by itself where nobody can be asked.
    npm_config_yes: "true",
  });
  const printed = await shell.run(`mkdir clone\ncd clone\n${commands}`);
  expect(printed).toContain("  + tenancy_account.acme");
  expect(printed).toMatch(/\n4 to create\.\n/);
  expect(printed).toContain("Applied: 4 created.");
  expect(printed).toMatch(/\n1\/[\w/+]+$/);
  expect(service.records.profile("jane@acme")).toMatchObject({ login: "jane@acme" });
});

/** The guide docs/manual/how-to/rotate-a-token.md, as it stands there: a token grows old, is rotated and handed over, and its consumer is restarted. */
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Permissions, Tenant, TenancyProvider } from "tenancy";
import { App, TerraformStack } from "cdktf";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built, COMMAND } from "../../support/built-command";
import { CommandProject } from "../../support/command";
import { blocksOf, Shell } from "../../support/pages";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const PAGE = "docs/manual/how-to/rotate-a-token.md";
const DAY = 86_400_000;

const blocks = blocksOf(PAGE);
const textOf = (section: string) => blocks.find((block) => block.section === section)?.text ?? "";
const folder = temporaryFolder();
const cluster = () => join(folder(), "cluster");

test("every block of the page is run here", () => {
  expect(blocks.map(({ section, language }) => `${section}: ${language}`)).toEqual([
    "Declare the age: ts",
    "Apply, deliver, restart: sh",
    "Check tokens: sh",
    "Under Terraform and OpenTofu: hcl",
    "Under Terraform and OpenTofu: sh",
  ]);
});

/** A folder of programs: `npx tenancy` is the built command, and kubectl keeps one Secret in a file and notes what its pods carry. */
async function programs(): Promise<string> {
  const bin = join(folder(), "bin");
  await mkdir(bin, { recursive: true });
  await mkdir(cluster(), { recursive: true });
  const scripts = {
    npx: `shift\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} "$@"`,
    kubectl: `cd ${JSON.stringify(cluster())}
case "$1 $2" in
  "apply --server-side") cat > secret ;;
  "patch deployment") test ! -e fails; touch pods; test "$7" = "$(cat pods)" || { printf %s "$7" > pods; echo "$3" >> restarts; } ;;
  "create secret") cat ;;
  "rollout restart") echo "$3" >> restarts ;;
  "rollout status") ;;
  *) echo "kubectl $*" >&2; exit 1 ;;
esac`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh -e\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return `${bin}:${process.env["PATH"]}`;
}

const secretInCluster = () => readFile(join(cluster(), "secret"), "utf8");
const restarts = async () =>
  existsSync(join(cluster(), "restarts"))
    ? (await readFile(join(cluster(), "restarts"), "utf8")).trim().split("\n").length
    : 0;

/** Whether the service accepts a token. */
async function isGood({ baseUrl }: Simulator, secret: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${secret}` };
  return (await fetch(`${baseUrl}/api/status/authorization`, { headers })).status === 200;
}

describeWith(["jq"], "with the embedded engine", () => {
  let service: Simulator;
  beforeAll(built);
  beforeEach(async () => {
    service = await startSimulator();
  });
  afterEach(() => service.close());

  test("a night hands a new token over and restarts its consumer, and a quiet night does neither", async () => {
    const app = new App({ outdir: join(folder(), "synthesized"), stackTraces: false, skipValidation: true });
    const stack = new TerraformStack(app, "prod");
    new TenancyProvider(stack, "service", { owner: "acme-platform" });
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is the page's own code
    const declare = new Function("Permissions", "Tenant", textOf("Declare the age")) as (
      this: TerraformStack,
      ...given: unknown[]
    ) => void;
    declare.call(stack, Permissions, Tenant);
    const project = new CommandProject(folder());
    await project.declare({ prod: stack.toTerraform() as object });

    const shell = new Shell(folder(), {
      PATH: await programs(),
      TENANCY_BASE_URL: service.baseUrl,
      TENANCY_USERNAME: service.username,
      TENANCY_PASSWORD: service.password,
    });
    const night = textOf("Apply, deliver, restart");
    const tokenIn = (secret: string) =>
      Buffer.from(/access-token: "?([\w+/=]+)/.exec(secret)?.[1] ?? "", "base64").toString();

    // The age counts from the time that the state has: 91 days ago.
    await shell.run(night);
    const state = join(folder(), ".tenancy", "state.json");
    const old = new Date(Date.now() - 91 * DAY).toISOString();
    await writeFile(
      state,
      (await readFile(state, "utf8")).replace(/(?<="created_at": ?)"[^"]+"/g, `"${old}"`),
    );
    const first = tokenIn(await secretInCluster());
    expect(await isGood(service, first)).toBe(true);
    expect(await restarts()).toBe(1);
    expect(await shell.run("npx tenancy token list")).toContain("due for rotation since");
    expect(await shell.run("npx tenancy drift || test $? = 3")).toContain("due for rotation");

    // The restart fails in the night of the rotation: the old token still works, and the next night makes up for it.
    await writeFile(join(cluster(), "fails"), "");
    await expect(shell.run(night)).rejects.toThrow("ended with 1");
    expect(await restarts()).toBe(1);
    expect(await isGood(service, first)).toBe(true);
    await rm(join(cluster(), "fails"));
    await shell.run(night);
    const second = tokenIn(await secretInCluster());
    expect(second).not.toBe(first);
    expect(await isGood(service, second)).toBe(true);
    expect(await isGood(service, first)).toBe(true);
    expect(await restarts()).toBe(2);

    await shell.run(night);
    expect(await restarts()).toBe(2);
    const shown = await shell.run(textOf("Check tokens"));
    expect(shown).toContain("rotated by the first apply from");
    expect(shown).toContain("valid until");
    expect(shown).toContain("No drift");
  });
});

withEachEngine((engine) => {
  test("each rotation is handed over, and the old token ends a week later", async () => {
    let today = Date.parse("2026-03-01T02:00:00Z");
    const clock = () => today;
    const workspace = await TenancyWorkspace.create(engine, { now: () => new Date(today), clock });
    try {
      await workspace.configure(textOf("Under Terraform and OpenTofu"));
      const PATH = await programs();
      const night = () => workspace.succeed(["apply", "-auto-approve"], { environment: { PATH } });
      await night();
      const first = await secretInCluster();
      expect(await isGood(workspace.simulator, first)).toBe(true);
      expect(await restarts()).toBe(1);

      today += 90 * DAY;
      await night();
      expect(await restarts()).toBe(1);
      today += DAY;
      await night();
      const second = await secretInCluster();
      expect(second).not.toBe(first);
      expect(await restarts()).toBe(2);
      expect(await isGood(workspace.simulator, first)).toBe(true);

      today += 7 * DAY;
      await night();
      expect(await restarts()).toBe(2);
      expect(await isGood(workspace.simulator, first)).toBe(false);
      expect(await isGood(workspace.simulator, second)).toBe(true);
      await workspace.expectNoChange();

      today += 91 * DAY;
      await night();
      const third = await secretInCluster();
      expect(await isGood(workspace.simulator, second)).toBe(true);
      const [, ...afterLeak] = (blocks.at(-1)?.text ?? "").trim().split(" ");
      await workspace.succeed([...afterLeak, "-auto-approve"], { environment: { PATH } });
      expect(await isGood(workspace.simulator, second)).toBe(false);
      expect(await isGood(workspace.simulator, third)).toBe(false);
      expect(await isGood(workspace.simulator, await secretInCluster())).toBe(true);
      expect(await restarts()).toBe(4);
    } finally {
      await workspace.close();
    }
  });
});

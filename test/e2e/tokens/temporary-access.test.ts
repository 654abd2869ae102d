/** The guide docs/manual/how-to/give-temporary-access.md, as it stands there: access is granted until a day, and taken away on the day after. */
import { App, TerraformStack } from "cdktf";
import { Permissions, Tenant, TenancyProvider } from "tenancy";
import type { Simulator } from "../../../src/lib/simulator";
import { type SimulatedProject, simulatedProject } from "../../support/command";
import { clockGoesBack, moveClock } from "../../support/moved-clock";
import { blocksOf } from "../../support/pages";
import { temporaryFolder } from "../../support/temp-folder";
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const blocks = blocksOf("docs/manual/how-to/give-temporary-access.md");
const textOf = (language: string) => blocks.find((block) => block.language === language)?.text ?? "";

test("every block of the page is run here", () => {
  expect(blocks.map(({ section, language }) => `${section}: ${language}`)).toEqual([
    "Give temporary access: ts",
    "Give temporary access: terraform",
    "Every night: shell",
  ]);
});

/** What the two people of the page may do. */
const access = ({ records }: Simulator) => ({
  janeFormats: records.profile("jane@acme").permissions.vss.rights.format_disks,
  contractor: records.profile("contractor@acme").access,
});
const BOTH = { web: true, api: true };
const NONE = { web: false, api: false };

describe("with the embedded engine", () => {
  const folder = temporaryFolder();
  clockGoesBack();
  let project: SimulatedProject;
  beforeEach(async () => {
    moveClock("2026-11-27T12:00:00Z");
    project = await simulatedProject(folder(), { clock: () => Date.now() });
  });
  afterEach(() => project.service.close());

  /** Runs `npx tenancy …` of the page in this process, whose clock is moved. */
  const run = async (line: string) => {
    const [npx, name, ...words] = line.trim().split(" ");
    expect([npx, name]).toEqual(["npx", "tenancy"]);
    return project.tenancy(words);
  };

  test("a right ends with its day and log-in with the year, by the nightly command alone", async () => {
    const app = new App({ outdir: `${folder()}/synthesized`, stackTraces: false, skipValidation: true });
    const stack = new TerraformStack(app, "prod");
    new TenancyProvider(stack, "service", { owner: "acme-platform" });
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is the page's own code
    const declare = new Function("Permissions", "Tenant", textOf("ts")) as (
      this: TerraformStack,
      ...given: unknown[]
    ) => void;
    declare.call(stack, Permissions, Tenant);
    await project.declare({ prod: stack.toTerraform() as object });

    const planned = await project.tenancy(["plan"]);
    expect(planned.stdout).toContain("vss.format_disks");
    expect(planned.stdout).toContain("until 2026-12-04");
    expect(await project.tenancy(["apply", "--yes"])).toMatchObject({ code: 0 });
    expect(access(project.service)).toEqual({ janeFormats: true, contractor: BOTH });

    const night = textOf("shell");
    moveClock("2026-12-04T23:59:00Z");
    expect(await run(night)).toMatchObject({ code: 0 });
    expect(access(project.service)).toEqual({ janeFormats: true, contractor: BOTH });

    moveClock("2026-12-05T00:01:00Z");
    const drift = await project.tenancy(["drift"]);
    expect(drift).toMatchObject({ code: 3 });
    expect(drift.stdout).toContain("ended 2026-12-04, still granted");
    expect(await run(`${night.trim()} --require-approval access`)).toMatchObject({ code: 0 });
    expect(access(project.service)).toEqual({ janeFormats: false, contractor: BOTH });
    expect(await project.tenancy(["drift"])).toMatchObject({ code: 0 });

    moveClock("2027-01-01T00:01:00Z");
    expect(await run(night)).toMatchObject({ code: 0 });
    expect(access(project.service)).toEqual({ janeFormats: false, contractor: NONE });
    expect((await project.tenancy(["plan", "--detailed-exitcode"])).code).toBe(0);
  });
});

withEachEngine((engine) => {
  test("the same ends in HCL, by the nightly apply", async () => {
    let today = new Date("2026-11-27T12:00:00Z");
    const workspace = await TenancyWorkspace.create(engine, { now: () => today });
    try {
      await workspace.configure(`
        resource "tenancy_account" "acme" {
          name        = "acme"
          permissions = {}
        }
        ${textOf("terraform")}`);
      await workspace.apply();
      for (const [day, janeFormats, contractor] of [
        ["2026-12-04T23:59:00Z", true, BOTH],
        ["2026-12-05T00:01:00Z", false, BOTH],
        ["2027-01-01T00:01:00Z", false, NONE],
      ] as const) {
        today = new Date(day);
        await workspace.apply();
        expect(access(workspace.simulator)).toEqual({ janeFormats, contractor });
        await workspace.expectNoChange();
      }
    } finally {
      await workspace.close();
    }
  });
});

/** The packed package in projects that have one of the two libraries, and not the other. */
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devDependencies } from "../../../package.json";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { run } from "../../support/built-command";
import { packed, UserProject } from "../../support/packed";
import { withEachEngine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";
import { loadedModules, stackProgram, testProgram } from "./programs";

let folder: string;
let tarball: string;
let service: Simulator;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-package-")));
  tarball = await packed(folder);
  service = await startSimulator();
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** As the libraries' own templates have it. */
const OLD = {
  module: "CommonJS",
  moduleResolution: "node",
  target: "ES2018",
  lib: ["es2018"],
  strict: true,
  skipLibCheck: true,
  types: ["node"],
};
/** As new projects have it; every declaration that is reached is checked too. */
const NEW = {
  module: "node16",
  moduleResolution: "node16",
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  types: ["node"],
};

describe.each([
  { library: "cdktf", other: "cdktn", ours: "tenancy" },
  { library: "cdktn", other: "cdktf", ours: "tenancy/cdktn" },
] as const)("in a project with $library alone", ({ library, other, ours }) => {
  let project: UserProject;

  beforeAll(async () => {
    const { baseUrl, username, password } = service;
    project = new UserProject(join(folder, library), {
      TENANCY_BASE_URL: baseUrl,
      TENANCY_USERNAME: username,
      TENANCY_PASSWORD: password,
      TF_VAR_jane_password: "change-me-soon",
    });
    await project.install(
      tarball,
      `${library}@${devDependencies[library]}`,
      `constructs@${devDependencies.constructs}`,
      `@types/node@${devDependencies["@types/node"]}`,
    );
    await project.write("main.ts", stackProgram(library, ours));
    await project.write("checks.ts", testProgram(library, ours));
    await project.write("cdktf.json", { language: "typescript", app: "node main.js" });
  });

  test("the other one is not installed with it", async () => {
    const installed = await readdir(join(project.folder, "node_modules"));
    expect(installed).toContain(library);
    expect(installed).not.toContain(other);
    expect(installed).not.toContain("postject");
  });

  test("where no program can be made for Windows, plugin install says what makes one, and which one to use instead", async () => {
    const words = [join(project.folder, "node_modules/tenancy/lib/cli/tenancy.js"), "plugin", "install"];
    const environment = { NODE_OPTIONS: `--require ${join(__dirname, "../../support/as-windows.cjs")}` };
    const { code, stderr } = await run(process.execPath, words, { folder: project.folder, environment });
    expect(code).toBe(1);
    expect(stderr).toContain("Error TENANCY_PLUGIN_UNAVAILABLE");
    expect(stderr).toContain("(Cannot find module 'postject')");
    expect(stderr).toContain("npm install postject");
    expect(stderr).toContain("put the program of the release into %APPDATA%\\terraform.d\\plugins");
  });

  test("programs compile with old and new module resolution", async () => {
    await project.compile(["main.ts", "checks.ts"], OLD);
    await project.compile(["main.ts", "checks.ts"], NEW);
  });

  test("the command validates, plans and applies, and the next plan is empty", async () => {
    expect(await project.succeed("npx", "tenancy", "validate")).toBe("Valid: platform.\n");
    const plan = await project.succeed("npx", "tenancy", "plan");
    expect(plan).toContain("  + tenancy_user_profile.acme_jane");
    expect(plan).toContain("5 to create.");
    await project.succeed("npx", "tenancy", "apply", "--yes");
    await project.succeed("npx", "tenancy", "plan", "--detailed-exitcode");
    await project.succeed(
      "npx",
      "tenancy",
      "destroy",
      "--yes",
      "--allow-account-deletion",
      "--max-deletes",
      "9",
    );
  });

  withEachEngine((engine) => {
    test("what the app has synthesized is valid, and is planned", async () => {
      await project.succeed("npx", "tenancy", "synth");
      const synthesized = join(project.folder, "cdktf.out", "stacks", "platform");
      const workspace = await TerraformWorkspace.create(engine.program, synthesized);
      const environment = { HOME: workspace.home };
      await run("npx", ["tenancy", "plugin", "install"], { folder: project.folder, environment });
      await workspace.succeed(["init"]);
      await workspace.succeed(["validate"]);
      const plan = await workspace.succeed(["plan"], { environment: project.environment });
      expect(plan).toContain("Plan: 5 to add, 0 to change, 0 to destroy.");
      await workspace.remove();
    });
  });

  test("a test of the declaration runs", async () => {
    await project.succeed("node", "checks.js");
  });

  test("importing the constructs loads them alone", async () => {
    await project.write("loaded.cjs", loadedModules(ours));
    const loaded = new Set(JSON.parse(await project.succeed("node", "loaded.cjs")) as string[]);
    const allowed = library === "cdktf" ? ["lib/constructs", "lib/index.js"] : [];
    expect([...loaded].filter((path) => !path.startsWith("cdktn/")).sort()).toEqual(allowed);
  });

  test("programs in ES modules name the files", async () => {
    const file = library === "cdktf" ? ours : `${ours}/index.js`;
    await project.write(
      "module.mjs",
      `import { Tenant, Permissions } from "${file}";
       import { plan } from "tenancy/engine/index.js";
       import { planOf } from "tenancy/testing/index.js";
       console.log(typeof Tenant, Permissions.operator().rights.length > 0, typeof plan, typeof planOf);`,
    );
    expect(await project.succeed("node", "module.mjs")).toBe("function true function function\n");
  });
});

test("outside a project npx runs the command from the package", async () => {
  const nowhere = new UserProject(await mkdtemp(join(folder, "nowhere-")));
  const printed = await nowhere.succeed("npx", "--yes", "-p", tarball, "tenancy", "--help");
  expect(printed).toContain("Usage: tenancy <verb>");
});

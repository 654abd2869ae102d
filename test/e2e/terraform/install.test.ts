/** `tenancy plugin install`, and Terraform with what it has installed: covers src/cli/verbs/plugin.ts and src/provider/main.ts. */
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "../../../package.json";
import { createCertificate } from "../../../src/lib/plugin-runtime/certificate";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built, run, tenancy } from "../../support/built-command";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { installProvider } from "../../support/terraform/install-provider";
import { TerraformWorkspace } from "../../support/terraform/workspace";

const root = resolve(__dirname, "../../..");

beforeAll(() => built());

withEachEngine((engine) => {
  let service: Simulator;
  let workspace: TerraformWorkspace;
  beforeEach(async () => {
    service = await startSimulator();
    workspace = await TerraformWorkspace.create(engine.program);
    const environment = { HOME: workspace.home };
    const { code, stdout } = await tenancy(["plugin", "install"], { folder: workspace.folder, environment });
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toContain(
      join(workspace.home, ".terraform.d/plugins", engine.registry, "tenancy/tenancy", version),
    );
  });
  afterEach(async () => {
    await workspace.remove();
    await service.close();
  });

  const configure = (resources: string) =>
    workspace.configure(`
      terraform {
        required_providers {
          tenancy = {
            source  = "tenancy/tenancy"
            version = "~> 0.1"
          }
        }
      }
      provider "tenancy" {
        base_url = "${service.baseUrl}"
        username = "${service.username}"
        password = "${service.password}"
      }
      ${resources}`);

  const login = () => ({
    TENANCY_BASE_URL: service.baseUrl,
    TENANCY_USERNAME: service.username,
    TENANCY_PASSWORD: service.password,
  });

  const lock = () => readFile(join(workspace.folder, ".terraform.lock.hcl"), "utf8");

  test("the installed provider is found without any configuration, plans, applies, imports and destroys", async () => {
    await configure(`
      resource "tenancy_account" "acme" {
        name                = "acme"
        deletion_protection = false
      }
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        account_id  = tenancy_account.acme.id
        permissions = provider::tenancy::permissions_preset("observer")
      }
      resource "tenancy_authorization" "own" {
        name = "own"
      }`);
    await workspace.succeed(["init"]);
    const locked = await lock();
    await workspace.succeed(["validate"]);
    expect(await workspace.succeed(["apply", "-auto-approve"])).toContain("3 added");
    await workspace.succeed(["plan", "-detailed-exitcode"]);
    await workspace.succeed(["plan", "-detailed-exitcode", "-refresh=false"]);
    await workspace.succeed(["state", "rm", "tenancy_account.acme"]);
    await workspace.succeed(["import", "tenancy_account.acme", "acme"]);
    const destroyed = await workspace.run(["destroy", "-auto-approve"]);
    // What was imported is protected until the configuration has said otherwise.
    expect(said(destroyed)).toContain("TENANCY_ACCOUNT_DELETION");
    await workspace.succeed(["apply", "-auto-approve"]);
    expect(await workspace.succeed(["destroy", "-auto-approve"])).toContain("3 destroyed");
    await workspace.succeed(["init", "-upgrade"]);
    expect(await lock()).toBe(locked);
  });

  test("the lock file is the same wherever it is made, and a second installation changes nothing", async () => {
    await configure("");
    await workspace.succeed(["init"]);
    const locked = await lock();
    expect(locked).toMatch(/h1:/);
    const environment = { HOME: workspace.home };
    await tenancy(["plugin", "install"], { folder: workspace.folder, environment });
    await workspace.succeed(["init"]);
    expect(await lock()).toBe(locked);
    const mirror = join(workspace.home, ".terraform.d/plugins");
    const platforms = ["-platform=linux_amd64", "-platform=linux_arm64"];
    if (process.platform === "linux") {
      await workspace.succeed(["providers", "lock", `-fs-mirror=${mirror}`, ...platforms]);
      expect(await lock()).toBe(locked);
    }
  });

  test("too old a Node, or none, says so on the screen", async () => {
    await configure(`data "tenancy_status" "it" {}`);
    await workspace.succeed(["init"]);
    const old = join(workspace.home, "old");
    await mkdir(old);
    const shim = `#!/bin/sh
shift; code=$1; shift
exec "${process.execPath}" -e "Object.defineProperty(process.versions, 'node', { value: '12.22.0' }); $code" "$@"\n`;
    await writeFile(join(old, "node"), shim);
    await chmod(join(old, "node"), 0o755);
    const withOld = await workspace.run(["plan"], { environment: { PATH: `${old}:/usr/bin:/bin` } });
    expect(said(withOld)).toContain(
      "The provider tenancy needs Node 20.18.1 or later; the node on PATH is 12.22.0",
    );
    await rm(join(old, "node"));
    const withNone = await workspace.run(["plan"], { environment: { PATH: old } });
    expect(said(withNone)).toContain("needs Node 20.18.1 or later on PATH, where there is none");
  });

  test("NODE_OPTIONS that Node refuses do not keep the provider from starting", async () => {
    await configure(`data "tenancy_status" "it" {}`);
    await workspace.succeed(["init"]);
    await workspace.succeed(["plan"], { environment: { NODE_OPTIONS: "--no-such-option" } });
    await workspace.succeed(["plan"], { environment: { NODE_OPTIONS: "--require /no/such/file.js" } });
  });

  test("taken for Windows, plugin install makes a program of this Node, which Terraform starts and speaks to by TCP", async () => {
    const data = join(workspace.home, "AppData", "Roaming");
    const asWindows = { NODE_OPTIONS: `--require ${join(root, "test/support/as-windows.cjs")}` };
    const installed = await tenancy(["plugin", "install"], {
      folder: workspace.folder,
      environment: { HOME: workspace.home, APPDATA: data, ...asWindows },
    });
    expect(installed).toMatchObject({ code: 0 });
    const folder = join(data, "terraform.d/plugins", engine.registry, "tenancy/tenancy", version);
    expect(installed.stdout.trim().split("\n")).toContain(folder);
    const [platform = "", ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(platform).toMatch(/^windows_/);
    const program = `terraform-provider-tenancy_v${version}.exe`;
    expect(await readdir(join(folder, platform))).toEqual([program]);

    // This engine is not Windows', so that it looks for its own platform.
    const mirror = join(workspace.home, ".terraform.d/plugins", engine.registry, "tenancy/tenancy", version);
    const here = platform.replace("windows", process.platform);
    await rm(mirror, { recursive: true });
    await cp(join(folder, platform), join(mirror, here), { recursive: true });
    await configure(`
      data "tenancy_status" "it" {}
      resource "tenancy_account" "acme" { name = "acme" }
      output "message" { value = data.tenancy_status.it.message }`);
    await workspace.succeed(["init"], { environment: asWindows });
    await workspace.succeed(["apply", "-auto-approve"], { environment: asWindows });
    expect(await workspace.succeed(["output", "-raw", "message"])).toBe("ok");

    const greeted = await run(join(folder, platform, program), [], {
      folder: workspace.folder,
      environment: {
        ...asWindows,
        TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
        PLUGIN_CLIENT_CERT: createCertificate().pem,
      },
      onOutput: (_printed, child) => child.kill("SIGKILL"),
    });
    expect(greeted.stdout).toMatch(/^1\|6\|tcp\|127\.0\.0\.1:\d+\|grpc\|/);
  });

  test("every example is valid, and in the one for this engine a rollout follows a rotation", async () => {
    const main = join(__dirname, "../../support/null-provider/main.ts");
    await installProvider(workspace.home, {
      source: "hashicorp/null",
      version: "3.2.4",
      main,
      registry: engine.registry,
    });
    for (const name of await examples()) {
      const outdir = join(workspace.home, name);
      const synthesized = await run(
        process.execPath,
        ["--import", "tsx", join(root, "examples", name, "main.ts")],
        {
          folder: root,
          environment: { CDKTF_OUTDIR: outdir, ENGINE: "terraform" },
        },
      );
      expect(synthesized).toMatchObject({ code: 0 });
      const environment = { HOME: workspace.home };
      for (const stack of await readdir(join(outdir, "stacks"))) {
        const example = await TerraformWorkspace.create(engine.program, join(outdir, "stacks", stack));
        // By default the state is in the folder in which the app ran, which is this project's.
        const state = `-backend-config=path=${join(outdir, `${stack}.tfstate`)}`;
        await example.succeed(["init", state], { environment });
        expect(await example.succeed(["validate"], { environment })).toContain("The configuration is valid");
        if (name === "08-terraform") {
          const connected = { environment: { ...environment, ...login() } };
          const applied = () => example.succeed(["apply", "-auto-approve"], connected);
          expect(await applied()).toMatch(/Restarted for the token [^]* 4 added/);
          await example.succeed(["plan", "-detailed-exitcode"], connected);
          const file = join(outdir, "stacks", stack, "cdk.tf.json");
          await writeFile(file, (await readFile(file, "utf8")).replace("2026-Q1", "2026-Q2"));
          expect(await applied()).toMatch(/Restarted for the token [^]* 1 added, 1 changed, 1 destroyed/);
        }
        await example.remove();
      }
    }
  });
});

async function examples(): Promise<readonly string[]> {
  const entries = await readdir(join(root, "examples"), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.name === "main.ts" && !entry.parentPath.includes("node_modules"))
    .map(({ parentPath }) => parentPath.slice(join(root, "examples").length + 1));
}

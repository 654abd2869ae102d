/**
 * What `npm run generate` writes: covers .ci/generate.ts. The descriptions' own texts are held to the generated files by `--check` in CI. Also
 * covers .ci/generate/provider-schema.ts and registry.ts.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/temp-folder";

const ROOT = resolve(__dirname, "../..");

const temporary = temporaryFolder();

test("one run takes a new family of one file into the registry, both bindings and the documents", () => {
  const folder = temporary();
  for (const name of ["src", ".ci", "docs", "examples", "package.json", "tsconfig.json"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const family = readFileSync(join(ROOT, "test/support/virtual-disk.ts"), "utf8");
  writeFileSync(
    join(folder, "src/resources/virtual-disk.ts"),
    family.replaceAll("../../src/resources/", "./").replaceAll("../../src/", "../"),
  );
  const generate = [join(ROOT, "node_modules/tsx/dist/cli.mjs"), ".ci/generate.ts"];
  execFileSync(process.execPath, generate, { cwd: folder });

  const written = (path: string) => readFileSync(join(folder, path), "utf8");
  expect(written("src/resources/registry.ts")).toContain('from "./virtual-disk"');
  for (const library of ["l1", "l1-cdktn"])
    expect(written(`src/constructs/generated/${library}/virtual-disk.ts`)).toContain("capacity");
  expect(written("docs/resources/virtual_disk.md")).toContain("Capacity, in bytes.");
  expect(() => execFileSync(process.execPath, [...generate, "--check"], { cwd: folder })).not.toThrow();
});

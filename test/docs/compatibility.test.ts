/** The tested versions that docs/manual/reference/compatibility.md lists are those of the workflow, the engines and the package. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { devDependencies, engines, peerDependencies } from "../../package.json";

const read = (path: string) => readFileSync(join(resolve(__dirname, "../.."), path), "utf8");
const page = read("docs/manual/reference/compatibility.md");

/** The cells of a program's row: supported, tested. */
function versionsOf(program: string): readonly string[] {
  const row = page.split("\n").find((line) => line.startsWith(`| ${program} `)) ?? "";
  return row
    .split("|")
    .slice(2, 4)
    .map((cell) => cell.trim());
}

const versionIn = (path: string, name = "VERSION") =>
  new RegExp(`const ${name} = "([^"]+)"`).exec(read(path))?.[1];

test("Node is tested in the versions of the workflow", () => {
  const [, matrix] = /node: \[(.*)\]/.exec(read(".github/workflows/ci.yml")) ?? [];
  expect(versionsOf("Node.js")).toEqual([`${engines.node.replace(">=", "")} or later`, matrix]);
});

test("Terraform and OpenTofu are tested in the versions that CI installs", () => {
  const terraform = ".ci/engines/terraform.mjs";
  expect(versionsOf("Terraform")).toContain(
    `${versionIn(terraform)}, ${versionIn(terraform, "NEXT_VERSION")}`,
  );
  expect(versionsOf("OpenTofu")).toContain(versionIn(".ci/engines/opentofu.mjs"));
});

test.each([
  ["CDKTN", "cdktn"],
  ["CDKTF", "cdktf"],
] as const)("%s is tested in the version of the package", (program, name) => {
  const [supported, tested] = [peerDependencies[name], devDependencies[name]].map((range) =>
    range.replace(/^\^(\d+\.\d+)\..*/, "$1"),
  );
  expect(versionsOf(program)).toEqual([supported, tested]);
});

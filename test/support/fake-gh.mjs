#!/usr/bin/env node
/**
 * Stands in for GitHub's `gh`: answers from a folder and notes what it is told. It knows just what the workflows of `tenancy init` and
 * docs/guides/pull-requests.md call.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const state = process.env.FAKE_GH_STATE;
const stateFile = join(state, "state.json");
const words = process.argv.slice(2);

if (!process.env.GH_TOKEN) fail("set the GH_TOKEN environment variable");
if (words[0] === "auth") process.exit(0);
if (words[0] === "run" && words[1] === "download") download(words[2], valueOf("--name"), valueOf("--dir"));
else if (words[0] === "api") api();
else if (words[0] === "repo" && words[1] === "create") createRepository();
else if (words[0] === "secret" && words[1] === "set") setSecret(words[2], valueOf("--env"));
else if (words[0] === "pr" && words[1] === "create") createPull();
else if (words[0] === "run" && words[1] === "list") listRuns();
else fail(`unknown command ${words.join(" ")}`);

function valueOf(flag) {
  return words[words.indexOf(flag) + 1];
}

function fail(message) {
  process.stderr.write(`gh: ${message}\n`);
  process.exit(1);
}

function download(run, name, folder) {
  const artifact = join(state, "runs", run, name);
  if (!existsSync(artifact)) fail("no artifact matches any of the names or patterns provided");
  cpSync(artifact, folder, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
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

/** @see PipelineHost.reviewed, which runs the workflows of a pull request */
function createPull() {
  const branch = git("rev-parse", "--abbrev-ref", "HEAD");
  const sha = git("rev-parse", `origin/${branch}`);
  changed(({ pulls }) => {
    pulls.push({
      number: 1000 + pulls.length,
      state: "open",
      head: { sha, ref: branch },
      base: { ref: "main" },
    });
  });
}

function listRuns() {
  const { runs } = JSON.parse(readFileSync(stateFile, "utf8"));
  const found = runs
    .filter(({ workflow }) => workflow === valueOf("--workflow"))
    .filter(({ event }) => event === valueOf("--event"))
    .reverse()
    .slice(0, Number(valueOf("--limit")))
    .map(({ id }) => ({ databaseId: Number(id) }));
  process.stdout.write(
    execFileSync("jq", ["--raw-output", valueOf("--jq")], { input: JSON.stringify(found) }),
  );
}

function compare(base, head) {
  const count = (range) =>
    Number(git("-C", join(state, "host", "acme", "platform"), "rev-list", "--count", range));
  const [ahead, behind] = [count(`${base}..${head}`), count(`${head}..${base}`)];
  if (ahead > 0) return { status: behind > 0 ? "diverged" : "ahead" };
  return { status: behind > 0 ? "behind" : "identical" };
}

function api() {
  let fields = {};
  let method, jq, path;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === "--method") method = words[++at];
    else if (word === "--jq") jq = words[++at];
    else if (word === "--input")
      fields = JSON.parse(readFileSync(words[++at] === "-" ? 0 : words[at], "utf8"));
    else if (word === "-f" || word === "-F") {
      const [, name, value] = /^([^=]*)=(.*)$/s.exec(words[++at]);
      fields[name] = word === "-F" && value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value;
    } else if (!word.startsWith("--")) path = word.replace("{owner}/{repo}", "acme/platform");
  }
  const known = JSON.parse(readFileSync(stateFile, "utf8"));
  const answer = route(known, method ?? (Object.keys(fields).length > 0 ? "POST" : "GET"), path, fields);
  writeFileSync(stateFile, JSON.stringify(known));
  if (words.includes("--silent")) return;
  const text = JSON.stringify(answer);
  const shown = jq === undefined ? text : execFileSync("jq", ["--raw-output", jq], { input: text });
  process.stdout.write(shown);
}

function route(known, method, path, fields) {
  const bot = { login: "github-actions[bot]" };
  const { pathname } = new URL(path, "https://host/");
  const rest = pathname.replace(/^\/repos\/acme\/platform\//, "");
  const [kind, first, second] = rest.split("/");
  if (method === "GET" && rest === "pulls") return known.pulls.filter((pull) => pull.state === "open");
  if (method === "GET" && kind === "pulls" && second === "files") {
    const { files } = known.pulls.find(({ number }) => String(number) === first);
    return files.map((filename) => ({ filename }));
  }
  if (method === "GET" && kind === "commits") return known.pulls;
  if (method === "GET" && kind === "compare") return compare(...first.split("..."));
  if (method === "POST" && kind === "statuses") {
    known.statuses.push({ sha: first, ...fields });
    return {};
  }
  if (method === "PUT" && kind === "environments") return (known.environments[first] = { branches: [] });
  if (method === "POST" && kind === "environments")
    return known.environments[first].branches.push(fields.name) && {};
  if (method === "PUT" && rest === "branches/main/protection") return (known.protection = fields);
  if (kind === "actions" && first === "workflows") {
    return { workflow_runs: known.runs.filter((run) => `${run.workflow}.yml` === second) };
  }
  if (kind !== "issues") fail(`HTTP 404: ${method} ${path}`);
  if (first === "comments") {
    const comment = known.comments.find(({ id }) => String(id) === second);
    Object.assign(comment, fields);
    return comment;
  }
  if (second === "comments") {
    const on = known.comments.filter(({ issue }) => issue === first);
    if (method === "GET") return on;
    known.comments.push({ id: known.comments.length + 1, issue: first, user: bot, ...fields });
    return {};
  }
  if (method === "GET") return known.issues.filter(({ state: now }) => now === "open");
  if (method === "PATCH") return Object.assign(known.issues[Number(first) - 1], fields);
  known.issues.push({ number: known.issues.length + 1, state: "open", user: bot, ...fields });
  return {};
}

#!/usr/bin/env node
/** Stands in for GitHub's `gh`: answers from a folder and notes what it is told. It knows just what the workflows of `tenancy init` call. */
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

function api() {
  const fields = {};
  let method, jq, path;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === "--method") method = words[++at];
    else if (word === "--jq") jq = words[++at];
    else if (word === "-f" || word === "-F") {
      const [, name, value] = /^([^=]*)=(.*)$/s.exec(words[++at]);
      fields[name] = word === "-F" && value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value;
    } else if (!word.startsWith("--")) path = word;
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
  if (method === "POST" && kind === "statuses") {
    known.statuses.push({ sha: first, ...fields });
    return {};
  }
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

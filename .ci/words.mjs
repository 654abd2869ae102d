/**
 * Counts sentences that break the rules of plain English (`.config/vale`), and fails where a folder has more than its budget.
 * `npm run words -- PATH…` lists the findings of these files. A budget may only go down: `npm run words -- --lower` writes the present counts.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { find } from "./engines/places.mjs";

const root = resolve(import.meta.dirname, "..");
const BUDGETS = join(root, ".config", "vale", "budgets.json");
const CHECKED = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "examples", "src"];

const args = process.argv.slice(2);
const paths = args.filter((arg) => !arg.startsWith("--"));
const vale = find("vale");
if (vale === undefined) {
  console.error("vale is missing, so no words are checked: node .ci/engines.mjs builds it.");
  process.exitCode = process.env["CI"] ? 1 : 0;
} else if (paths.length > 0) list(findingsIn(vale, paths));
else judge(findingsIn(vale, CHECKED), JSON.parse(readFileSync(BUDGETS, "utf8")));

/** Findings by file, as vale's JSON has them. */
function findingsIn(program, files) {
  const options = ["--config", join(root, ".config", "vale", "vale.ini"), "--output=JSON", "--no-exit"];
  return JSON.parse(
    execFileSync(program, [...options, ...files], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 }),
  );
}

function list(findings) {
  for (const [file, alerts] of Object.entries(findings))
    for (const { Line, Message } of alerts) console.log(`${file}:${Line}: ${Message}`);
}

/** The part of the project that a file counts for: a folder of `src`, a page or folder of `docs` or of a kind of manual page, or the top. */
function partOf(file) {
  const parts = file.split("/");
  if (parts.length === 1 || parts[0] === "examples") return parts[0];
  return parts.slice(0, file.startsWith("docs/manual/") ? 4 : 2).join("/");
}

function judge(findings, budgets) {
  const counts = {};
  for (const [file, alerts] of Object.entries(findings))
    counts[partOf(file)] = (counts[partOf(file)] ?? 0) + alerts.length;
  const parts = [...new Set([...Object.keys(counts), ...Object.keys(budgets)])].sort();
  const isOver = (part) => (counts[part] ?? 0) > (budgets[part] ?? 0);
  for (const part of parts.filter(isOver))
    console.error(
      `${part}: ${counts[part]} findings, and ${budgets[part] ?? 0} are allowed. See them with: npm run words -- ${part}`,
    );
  if (parts.some(isOver)) process.exitCode = 1;
  else if (args.includes("--lower")) writeFileSync(BUDGETS, `${JSON.stringify(sorted(counts), null, 2)}\n`);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${total} findings in documents and comments`);
}

function sorted(counts) {
  return Object.fromEntries(
    Object.keys(counts)
      .sort()
      .map((part) => [part, counts[part]]),
  );
}

/**
 * `npm run mutate -- guards prune`: alters the deciding code, one place at a time, and shows what no test notices and survivors.md does not
 * explain. Without names, all areas. With `--near`, the slower tests, which run the code through an engine, are left out.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { AREAS } from "./areas";

const ROOT = join(__dirname, "../..");
const REPORT = join(ROOT, "reports/mutation/mutation.json");

interface Place {
  readonly line: number;
  readonly column: number;
}

interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface AppliedValues extends Mutant {
  readonly file: string;
  readonly source: string;
}

/** What the tests of one run make of the mutants. */
interface Looked {
  /** Those that no test notices. */
  readonly left: readonly AppliedValues[];
  readonly noticed: readonly AppliedValues[];
}

function look(tests: readonly string[], mutate: readonly string[], name: string): Looked {
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, "node_modules/@stryker-mutator/core/bin/stryker.js"),
      ...["run", ".config/stryker.config.mjs", "--mutate", mutate.join(",")],
    ],
    {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, MUTATION_TESTS: tests.join(",") },
    },
  );
  if (status !== 0) throw new Error(`Stryker ended with ${status} in ${name}`);
  const kept = join(ROOT, "reports/mutation", `${name}.json`);
  mkdirSync(join(ROOT, "reports/mutation"), { recursive: true });
  renameSync(REPORT, kept);
  const { files } = JSON.parse(readFileSync(kept, "utf8")) as Report;
  const mutants = Object.entries(files).flatMap(([file, { source, mutants: found }]) =>
    found.map((mutant) => ({ ...mutant, file, source })),
  );
  const judged = mutants.filter(({ status: verdict }) => !["Ignored", "CompileError"].includes(verdict));
  const isLeft = ({ status: verdict }: Mutant) => verdict === "Survived" || verdict === "NoCoverage";
  return { left: judged.filter(isLeft), noticed: judged.filter((mutant) => !isLeft(mutant)) };
}

/** As Stryker takes a range: lines from 1, columns from 0. */
function rangeOf({ file, location: { start, end } }: AppliedValues): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

/** The same in both runs. */
function keyOf(mutant: AppliedValues): string {
  return `${rangeOf(mutant)} ${mutant.replacement}`;
}

/** How survivors.md writes a mutant: by the code itself, so that it stays the same when lines move. */
function written({ source, location: { start, end }, replacement }: AppliedValues): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const text = lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join("\n");
  const short = (code: string) => {
    const flat = code.replaceAll(/\s+/g, " ");
    return flat.length > 100 ? `${flat.slice(0, 97)}...` : flat;
  };
  return `\`${short(text)}\` → \`${short(replacement)}\``;
}

/** What survivors.md says of each file. The heading of a section names its files: `## src/plan/access.ts, rights.ts`. */
function explanations(page: string): ReadonlyMap<string, string> {
  const byFile = new Map<string, string>();
  for (const section of page.split(/^## /m)) {
    const [first = "", ...others] = section.slice(0, section.indexOf("\n")).split(", ");
    for (const file of [first, ...others.map((other) => join(dirname(first), other))])
      byFile.set(file, `${byFile.get(file) ?? ""}${section}`);
  }
  return byFile;
}

const isBrief = process.argv.includes("--near");
const named = process.argv.slice(2).filter((name) => name !== "--near");
const unknown = named.find((name) => AREAS[name] === undefined);
if (unknown !== undefined)
  throw new Error(`No area "${unknown}": there are ${Object.keys(AREAS).join(", ")}`);

const explained = explanations(readFileSync(join(__dirname, "survivors.md"), "utf8"));
let unexplained = 0;
for (const [name, { files, near, far }] of Object.entries(AREAS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const first = look(near, files, name);
  const judged = first.left.length + first.noticed.length;
  // Of the ranges that it is given, Stryker does not mutate each as before: what is not mutated is not noticed either.
  const noticed = new Set(
    isBrief || first.left.length === 0
      ? []
      : look(far, [...new Set(first.left.map(rangeOf))], `${name}-far`).noticed.map(keyOf),
  );
  const left = first.left.filter((mutant) => !noticed.has(keyOf(mutant)));
  const news = left.filter((mutant) => explained.get(mutant.file)?.includes(written(mutant)) !== true);
  unexplained += news.length;
  console.log(`${name}: ${judged} mutants, ${left.length} left, ${news.length} of them not explained`);
  for (const mutant of news)
    console.log(`  ${mutant.file}:${mutant.location.start.line}  ${written(mutant)}`);
}
process.exitCode = unexplained > 0 ? 1 : 0;

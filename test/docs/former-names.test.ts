/** Names that changed before the first release are in no file that a user gets. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

/** What a user reads or imports: documents, examples and sources. A test would find its own list. */
const FOLDERS = ["docs", "examples", "src", ".github", ".ci"];
const FILES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "package.json", "cdktf.json"];

const FORMER: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["the former package", /cdktf-provider-tenancy/],
  ["the construct Removed", /\bnew Removed\b|\bRemovedProps\b/],
  ["--live", /--live\b/],
  ["adopted", /\badopt(s|ed|ing|ion|ions)?\b/i],
  ["the code TENANCY_FOREIGN", /TENANCY_\w*(FOREIGN|UNPROVEN|MINTING)/],
  ["mint_with", /\bmint_?[wW]ith\b|\bephemeral_password\b/],
  ["powerful", /\bpowerful\b/i],
  ["the file tenancy.approvals", /\btenancy\.approvals\b/],
  ["absence unproven", /absence unproven/],
  ["widens and narrows as effects", /"(widens|narrows)"|\bwidens what\b/],
  ["records cease", /\brecords cease\b/],
  ["Not told", /\bNot told\b/],
  ["the store and its ledger", /\bcredential stores?\b|\bledgers?\b|\btenancy store\b|TENANCY_\w*STORE/i],
  ["owner keys and previous owners", /\bowner[ _]keys?\b|\bprevious[ _]owners?\b|\buuid generation/i],
  ["switch_user as a way to log in", /"switch_user"/],
];

/** Prose alone: code calls a token's creation by a shorter name. */
const FORMER_PROSE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["mint", /\bmint(s|ed|ing)?\b/i],
  [
    "exact permissions",
    /\bexact permissions\b|permissions\W+ (is|are) exact\b|once declared (it is|they are) exact\b/i,
  ],
  ["whole list", /\bwhole lists?\b/i],
];

test.each(FORMER)("%s is in no file of the project", (_, pattern) => {
  expect(hits(files(), pattern)).toEqual([]);
});

test.each(FORMER_PROSE)("%s is in no document", (_, pattern) => {
  expect(
    hits(
      files().filter((file) => file.endsWith(".md")),
      pattern,
    ),
  ).toEqual([]);
});

function files(): readonly string[] {
  return [
    ...FILES,
    ...FOLDERS.flatMap((folder) => filesIn(join(ROOT, folder)).map((file) => join(folder, file))),
  ];
}

/** Text files below a folder, less the output of a run. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /\.(md|ts|mjs|cjs|tf|json|ya?ml)$/.test(file) &&
      !/(^|\/)(node_modules|cdktf\.out|\.tenancy)\//.test(file),
  );
}

function hits(names: readonly string[], pattern: RegExp): readonly string[] {
  return names.flatMap((name) =>
    readFileSync(join(ROOT, name), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        pattern.test(line) ? [`${name}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
      ),
  );
}

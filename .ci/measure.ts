/**
 * Counts what a reader of the sources has to keep in mind, and fails where a count is over its limit. `npm run measure -- --list WORD` lists the
 * places of the counts whose title contains WORD. A limit may only go down.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(__dirname, "..");

/** The highest count that is allowed, by title. */
const LIMITS = {
  "types used at one place": 26,
  "top-level names declared in several files": 82,
  "variables named by a bare participle": 0,
  "doc comments that begin with What, Whether, How or Where": 1,
  "short functions that are called once": 233,
  "lines of src without generated code": 76_618,
  "lines of src/lib": 12_583,
  "lines of test": 88_973,
};
type Title = keyof typeof LIMITS;

/** Participles that do not say which thing they name. `desired`, `prior` and `planned` are words of the glossary. */
const PARTICIPLES = new Set(
  `added allowed answered applied asked begun broken brought built called changed checked chosen cleared closed compared counted created
  declared deleted denied done dropped ended expected failed fixed followed found gained given gone granted guarded handed held hidden ignored
  imported judged kept left listed lost made managed marked matched meant missed moved named narrowed needed noted offered opened paid parsed
  passed printed proven put refused remembered removed renamed replaced reported retained said seen sent settled shared shown skipped sorted
  spent stated stored taken thrown told touched tried typed undeclared unchanged unread unseen untold used walked wanted written`.split(
    /\s+/,
  ),
);

/** A short function has at most this many lines. */
const SHORT = 5;

interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly kind: "type" | "function" | "value";
  readonly isExported: boolean;
  readonly lines: number;
}

const declarations: Declaration[] = [];
/** How often each identifier occurs, imports, exports and declarations left out: by name, then by file. */
const uses = new Map<string, Map<string, number>>();
const places = new Map<Title, string[]>(Object.keys(LIMITS).map((title) => [title as Title, []]));

for (const file of sourcesIn("src")) {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  for (const statement of source.statements) declarations.push(...declarationsOf(statement, source));
  visit(source, source);
  for (const { index, 0: start } of source.text.matchAll(/\/\*\*\s*(?:\*\s*)?(?:What|Whether|How|Where)\b/g))
    note("doc comments that begin with What, Whether, How or Where", source, index + start.length, "");
}

for (const { name, file, kind, isExported, lines } of declarations) {
  const count = isExported
    ? [...(uses.get(name)?.values() ?? [])].reduce((sum, one) => sum + one, 0)
    : (uses.get(name)?.get(file) ?? 0);
  if (kind === "type" && count === 1) places.get("types used at one place")?.push(`${file} ${name}`);
  if (kind === "function" && count === 1 && lines <= SHORT)
    places.get("short functions that are called once")?.push(`${file} ${name}`);
}
const filesOf = new Map<string, Declaration[]>();
for (const one of declarations) filesOf.set(one.name, [...(filesOf.get(one.name) ?? []), one]);
for (const [name, all] of filesOf) {
  const files = new Set(all.map(({ file }) => file));
  if (files.size > 1)
    places.get("top-level names declared in several files")?.push(`${name}: ${[...files].join(", ")}`);
}

const counts = {
  ...Object.fromEntries([...places].map(([title, found]) => [title, found.length])),
  "lines of src without generated code": linesOf(sourcesIn("src")),
  "lines of src/lib": linesOf(sourcesIn("src/lib")),
  "lines of test": linesOf(sourcesIn("test")),
} as Readonly<Record<Title, number>>;

const listAt = process.argv.indexOf("--list");
const word = listAt < 0 ? undefined : process.argv[listAt + 1];
for (const [title, limit] of Object.entries(LIMITS) as [Title, number][]) {
  const count = counts[title];
  if (word !== undefined && !title.includes(word)) continue;
  console.log(`${String(count).padStart(6)}  ${title}${count > limit ? `: more than ${limit}` : ""}`);
  if (word !== undefined)
    console.log((places.get(title) ?? []).map((place) => `        ${place}`).join("\n"));
  if (count > limit) process.exitCode = 1;
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/(^|\/)generated(\/|\.ts$)/.test(file))
    .map((file) => join(folder, file));
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function linesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + textOf(file).split("\n").length - 1, 0);
}

function note(title: Title, source: ts.SourceFile, position: number, name: string): void {
  const { line } = source.getLineAndCharacterOfPosition(position);
  places.get(title)?.push(`${source.fileName}:${line + 1} ${name}`);
}

/** The top-level names that a statement declares. */
function declarationsOf(statement: ts.Statement, source: ts.SourceFile): readonly Declaration[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const lines = statement.getText(source).split("\n").length;
  const about = { file: source.fileName, isExported, lines };
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [{ ...about, name: name.text, kind: "value" as const }] : [],
    );
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  if (!isType && !ts.isFunctionDeclaration(statement) && !ts.isClassDeclaration(statement)) return [];
  if (statement.name === undefined) return [];
  const kind = isType ? "type" : ts.isFunctionDeclaration(statement) ? "function" : "value";
  return [{ ...about, name: statement.name.text, kind }];
}

/** Counts identifiers, and notes variables and parameters that a participle names. */
function visit(node: ts.Node, source: ts.SourceFile): void {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isName = "name" in parent && parent.name === node;
    // A binding that keeps its member's name is read with the object that it is taken from.
    const isMember =
      ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent) && !parent.propertyName;
    const isVariable =
      ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      (ts.isBindingElement(parent) && !isMember);
    const isSide = node.text === "left" && /\bright\b/.test(source.text);
    if (isName && isVariable && !isSide && PARTICIPLES.has(node.text))
      note("variables named by a bare participle", source, node.getStart(source), node.text);
    if (!isName || ts.isPropertyAccessExpression(parent) || ts.isShorthandPropertyAssignment(parent)) {
      const ofName = uses.get(node.text) ?? new Map<string, number>();
      uses.set(node.text, ofName.set(source.fileName, (ofName.get(source.fileName) ?? 0) + 1));
    }
  }
  ts.forEachChild(node, (child) => visit(child, source));
}

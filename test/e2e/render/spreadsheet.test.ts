/** The CSV of a report, opened by a spreadsheet: covers src/render/csv. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../support/built-command";
import { type CommandProject, commandProjects } from "../../support/command";
import { describeWith } from "../../support/programs";

const start = commandProjects();

/** Names that a spreadsheet, or a reader of CSV, could stumble over; and their text in the sheet. A name with a blank at its end is in quotation marks, with its account. */
const NAMES: readonly (readonly [given: string, seen: string])[] = [
  ["=1+1", "=1+1"],
  ["+1+1", "+1+1"],
  ["-1+1", "-1+1"],
  ['=HYPERLINK("http://evil.example","x")', '=HYPERLINK("http://evil.example","x")'],
  ["+cmd|' /C calc'!A0", "+cmd|' /C calc'!A0"],
  ["\t=1+1", "\\u0009=1+1"],
  ["\r=2+2", "\\u000d=2+2"],
  ["\n=3+3", "\\u000a=3+3"],
  ["\u0007=4+4", "\\u0007=4+4"],
  [" =5+5", '" =5+5@acme"'],
  ["\u{ff1d}6+6", "\u{ff1d}6+6"],
  ["a\r\n=7+7", "a\\u000d\\u000a=7+7"],
  ['a",=8+8,"b', 'a",=8+8,"b'],
  ['"=9+9"', '"=9+9"'],
  ["';=1", "';=1"],
  ["'=1", "'=1"],
  ["a\t=1\tb", "a\\u0009=1\\u0009b"],
];

interface Cell {
  readonly text: string;
  readonly isFormula: boolean;
}

/** The cells of a sheet, as Gnumeric writes them: what is a value says of which type. */
function cellsOf(xml: string): readonly Cell[] {
  return [...xml.matchAll(/<gnm:Cell ([^>]*?)(?:\/>|>([^]*?)<\/gnm:Cell>)/g)].map(
    ([, facts = "", text = ""]) => ({
      text: textOf(text),
      isFormula: !facts.includes("ValueType="),
    }),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function textOf(xml: string): string {
  return xml.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (_match, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? "?";
    return String.fromCodePoint(parseInt((decimal ?? hex) as string, decimal === undefined ? 16 : 10));
  });
}

describeWith(["ssconvert"], "the CSV of a report in a spreadsheet", ({ ssconvert }) => {
  async function opened({ folder }: CommandProject, csv: string): Promise<readonly Cell[]> {
    await writeFile(join(folder, "review.csv"), csv);
    const words = ["-T", "Gnumeric_XmlIO:sax:0", "review.csv", "review.xml"];
    const { code, stderr } = await run(ssconvert, words, { folder });
    if (code !== 0) throw new Error(stderr);
    return cellsOf(await readFile(join(folder, "review.xml"), "utf8"));
  }

  /** The spreadsheet takes the mark that makes a text harmless for what it is, and does not show it. */
  function expectNames(cells: readonly Cell[]): void {
    expect(cells.filter(({ isFormula }) => isFormula)).toEqual([]);
    const texts = new Set(cells.map(({ text }) => text));
    const logins = NAMES.map(([, name]) => (name.includes("@") ? name : `${name}@acme`));
    expect(logins.filter((login) => !texts.has(login))).toEqual([]);
  }

  test("is texts alone, whatever somebody calls a user, and characters that are not seen are escaped", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "acme" });
    for (const [username] of NAMES) project.service.records.createProfile("acme", { username });
    const { code, stdout } = await project.tenancy(["report", "--csv"]);
    expect(code).toBe(0);
    expectNames(await opened(project, stdout));
  });

  test("is texts alone where only what is new is told", async () => {
    const project = await start();
    const { stdout: before } = await project.tenancy(["report", "--json"]);
    await project.write("before.json", before);
    project.service.records.createAccount({ name: "acme" });
    for (const [username] of NAMES) project.service.records.createProfile("acme", { username });
    const { code, stdout } = await project.tenancy(["report", "--csv", "--baseline", "before.json"]);
    expect(code).toBe(2);
    expectNames(await opened(project, stdout));
  });

  test("would show a formula where there is one", async () => {
    const cells = await opened(await start(), 'login,name\r\n=1+1,"=HYPERLINK(""http://evil.example"")"\r\n');
    expect(cells.map(({ isFormula }) => isFormula)).toEqual([false, false, true, true]);
  });
});

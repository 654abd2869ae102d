/**
 * Renders views as Markdown, for a comment on a pull request. Hosts limit comments, so the text keeps to a number of characters: vital rows come first,
 * and omitted rows are counted.
 */
import { isError, isRemark } from "../../problems";
import { joinTexts, name, type Section, type Text, type View, type Weight, word } from "../view";
import { heading, inline, LINE } from "./inline";
import { findingLine, type Line, sectionLines } from "./rows";

/** A little less than hosts allow. */
export const MARKDOWN_LIMIT = 65_000;

/** With less there is no room for the facts that must be shown. */
export const LEAST_MARKDOWN_LIMIT = 2_000;

export function markdown(
  views: readonly View[],
  {
    marker,
    limit = MARKDOWN_LIMIT,
  }: {
    /** The path by which a bot finds its own comment; the text begins with it, in a hidden marker. */
    readonly marker: string;
    /** Most characters. @default 65000 */
    readonly limit?: number;
  },
): string {
  const first = hiddenMarker(marker);
  const documents = views.map(documentOfView);
  const room = limit - first.length - 1;
  const whole = writeDocuments(documents, ({ lines }) => ({
    lines: lines.map(({ full }) => full),
    brief: 0,
    out: [],
  }));
  return `${first}\n${whole.length <= room ? whole : shorten(documents, room, limit)}`;
}

/** `<!-- tenancy:platform/storage -->`. Nothing in the path can end the comment. */
export function hiddenMarker(path: string): string {
  const bytes = [...new TextEncoder().encode(path)].map((byte) => {
    const character = String.fromCharCode(byte);
    const hexadecimal = byte.toString(16).toUpperCase().padStart(2, "0");
    return /[A-Za-z0-9._/-]/.test(character) ? character : `%${hexadecimal}`;
  });
  return `<!-- tenancy:${bytes.join("").replace(/-(?=-)/g, "%2D")} -->`;
}

// A document is its head and its parts. A part has rows of one weight, and can be shown with fewer of them.

interface Document {
  readonly head: readonly string[];
  /** The same in one line, for where there are too many documents. */
  readonly brief: string;
  readonly parts: readonly DocumentPart[];
}

interface DocumentPart {
  readonly title: string;
  readonly weight: Weight;
  readonly tableHead: readonly string[];
  readonly lines: readonly Line[];
  /** Rows that the view itself leaves out. */
  readonly omittedCount: number;
  /** Counts of all lines, shown where some are left out. */
  readonly census: Text;
  /** True if a long list is folded away. */
  readonly folds: boolean;
}

/** The lines of a part that are shown. */
interface Choice {
  readonly lines: readonly string[];
  /** Number of lines that are shown in brief alone. */
  readonly brief: number;
  /** The omitted lines. */
  readonly out: readonly Line[];
}

const LONG = 10;

function documentOfView(view: View): Document {
  const { title, lines, notice, summary, alert, findings, sections } = view;
  const says = [...(alert.length === 0 ? [] : [inline(alert, LINE)]), `**${inline(summary, LINE)}**`];
  const errors = findingsPart("Errors", "vital", findings.filter(isError));
  const warnings = findings.filter((one) => !isError(one));
  const urgent = warnings.filter((one) => !isRemark(one));
  const remarks = warnings.filter(isRemark);
  const head = [
    heading(3, title),
    says.join(" "),
    ...[...lines, ...(notice === undefined ? [] : [notice])].map((line) => inline(line, LINE)),
  ];
  return {
    head,
    brief: `- ${inline([...title, word(": "), ...summary, ...(errors[0]?.census ?? [])], { ...LINE, limit: 100 })}`,
    parts: [
      ...errors,
      ...findingsPart("Warnings", "usual", urgent),
      ...sections.flatMap(documentParts),
      ...findingsPart("Remarks", "usual", remarks),
    ],
  };
}

/** At most so many codes of findings are counted one by one. */
const MOST_FINDING_CODES = 12;

/** The first finding of each code comes before all others, so many findings of one guard never hide another guard. */
function findingsPart(title: string, weight: Weight, findings: View["findings"]): readonly DocumentPart[] {
  if (findings.length === 0) return [];
  const codes = new Map<string, number>();
  const firsts: Line[] = [];
  const others: Line[] = [];
  for (const finding of findings) {
    (codes.has(finding.code) ? others : firsts).push(findingLine(finding));
    codes.set(finding.code, (codes.get(finding.code) ?? 0) + 1);
  }
  const census = joinTexts(
    [...codes].slice(0, MOST_FINDING_CODES).map(([code, count]): Text => [word(`${count} `), name(code)]),
    ", ",
  );
  return [
    { title, weight, tableHead: [], lines: [...firsts, ...others], omittedCount: 0, census, folds: false },
  ];
}

const WEIGHTS: readonly Weight[] = ["vital", "usual", "aside"];

/** Cuts a section into parts by weight, the vital rows first. */
function documentParts(section: Section): readonly DocumentPart[] {
  const rows = section.groups.flat();
  const parts = WEIGHTS.map((weight) => ({ weight, rows: rows.filter((row) => row.weight === weight) }));
  return parts
    .filter((part) => part.rows.length > 0)
    .map(({ weight, rows: some }, index, all): DocumentPart => ({
      title: index === 0 ? section.title : `${section.title}, the others`,
      weight,
      ...sectionLines(section, some),
      omittedCount: index === all.length - 1 ? section.omittedCount : 0,
      census: [],
      folds: weight !== "vital" && some.length > LONG,
    }));
}

// How a document is written down.

function writeDocuments(documents: readonly Document[], choose: (part: DocumentPart) => Choice): string {
  return documents
    .flatMap(({ head, parts }) => [
      `${head.join("\n\n")}\n`,
      ...parts.map((part) => partText(part, choose(part))),
    ])
    .join("\n");
}

function partText(part: DocumentPart, choice: Choice): string {
  const { title, folds } = part;
  const rows = [...(choice.lines.length === 0 ? [] : part.tableHead), ...choice.lines];
  const omission = leftText(part, choice);
  const body = [...(rows.length === 0 ? [] : [rows.join("\n")]), ...(omission === "" ? [] : [omission])].join(
    "\n\n",
  );
  if (!folds) return `#### ${title}\n\n${body}\n`;
  return `<details><summary>${title.replace(/[^\w ,]/g, "")}: ${lineCount(part)}</summary>\n\n${body}\n\n</details>\n`;
}

/** `… 1820 more left out: 1000 create, 820 update; 20 shown in brief` */
function leftText({ omittedCount, census }: DocumentPart, { out, brief }: Choice): string {
  const more = out.reduce((sum, { count }) => sum + count, omittedCount);
  const actions = new Map<string, number>();
  for (const { action, count } of out)
    if (action !== undefined) actions.set(action, (actions.get(action) ?? 0) + count);
  const which =
    census.length > 0 && out.length > 0
      ? [word(" of "), ...census]
      : [...actions].map(([action, count], index) => word(`${index === 0 ? ": " : ", "}${count} ${action}`));
  const says: readonly Text[] = [
    ...(more === 0 ? [] : [[word(`${more} more left out`), ...which]]),
    ...(brief === 0 ? [] : [[word(`${brief} shown in brief`)]]),
  ];
  return says.length === 0 ? "" : inline([word("… "), ...joinTexts(says, "; ")], LINE);
}

// Fitting: every part first gets the room to say how much of it is left out, then the vital parts get room for rows, then the others.

function shorten(documents: readonly Document[], room: number, limit: number): string {
  const note = `\nShortened to ${limit} characters.\n`;
  for (const droppedWeights of DROPPED) {
    const reduced = documents.map((one) => withoutWeights(one, droppedWeights));
    const text = fitIntoRoom(reduced, room - note.length);
    if (text !== undefined) return text + note;
  }
  return withoutRows(documents, room - note.length) + note;
}

/** Parts that are shown in one line for all of them, where there is no room for a line for each. */
const DROPPED: readonly ReadonlySet<Weight>[] = [
  new Set(),
  new Set<Weight>(["aside"]),
  new Set<Weight>(["aside", "usual"]),
];

function withoutWeights({ head, brief, parts }: Document, droppedWeights: ReadonlySet<Weight>): Document {
  const some = parts.filter(({ weight }) => droppedWeights.has(weight));
  if (some.length === 0) return { head, brief, parts };
  const counts = some.map((part) => `${part.title} ${lineCount(part)}`);
  return {
    head: [...head, inline([word(`Left out: ${counts.join(", ")}`)], LINE)],
    brief,
    parts: parts.filter(({ weight }) => !droppedWeights.has(weight)),
  };
}

function lineCount({ lines, omittedCount }: DocumentPart): number {
  return lines.reduce((sum, { count }) => sum + count, omittedCount);
}

/** @returns undefined if more than half of the room would go to remarks about omitted rows */
function fitIntoRoom(documents: readonly Document[], room: number): string | undefined {
  const parts = documents.flatMap((one) => one.parts);
  const frame = writeDocuments(documents, nothingOf).length;
  let rest = room - frame - MARGIN * parts.length;
  if (rest < (parts.length === 0 ? 0 : room / 2)) return undefined;
  const choices = new Map<DocumentPart, Choice>();
  for (const weight of WEIGHTS) {
    const some = parts.filter((part) => part.weight === weight);
    // The smallest come first, so the others get the remaining room.
    const byNeed = some
      .map((part) => ({ part, need: part.lines.reduce((sum, { full }) => sum + full.length + 1, 0) }))
      .sort((a, b) => a.need - b.need);
    for (const [index, { part }] of byNeed.entries()) {
      const choice = fitting(part, Math.floor(rest / (byNeed.length - index)));
      choices.set(part, choice);
      rest -= lengthOfLines(choice.lines);
    }
  }
  return writeDocuments(documents, (part) => choices.get(part) ?? nothingOf(part));
}

function nothingOf({ lines }: DocumentPart): Choice {
  return { lines: [], brief: lines.length, out: lines };
}

/** The head of a table and the words about brief rows take at most so many characters. */
const MARGIN = 90;

function lengthOfLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** All lines in full if they fit. Otherwise the first lines take half of the room in full, and the next ones are short. */
function fitting({ lines }: DocumentPart, room: number): Choice {
  const full = lines.map((line) => line.full);
  const first = full.slice(0, countFitting(full, lengthOfLines(full) <= room ? room : room / 2));
  const brief = lines.slice(first.length).map((line) => line.brief);
  const next = brief.slice(0, countFitting(brief, room - lengthOfLines(first)));
  const texts = [...first, ...next];
  return {
    lines: texts,
    brief: texts.filter((text, index) => text !== full[index]).length,
    out: lines.slice(texts.length),
  };
}

/** @returns how many texts fit, from the first on, each on a line */
function countFitting(texts: readonly string[], room: number): number {
  let length = 0;
  const end = texts.findIndex((text) => (length += text.length + 1) > room);
  return end < 0 ? texts.length : end;
}

/** One line for each document, and the number of documents without a line. */
function withoutRows(documents: readonly Document[], room: number): string {
  const briefs = documents.map(({ brief }) => brief);
  const head = briefs.slice(0, countFitting(briefs, room - MARGIN));
  const more = briefs.length - head.length;
  return [...head, ...(more === 0 ? [] : ["", `… ${more} more left out`]), ""].join("\n");
}

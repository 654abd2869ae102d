/**
 * Defines the shown content of a plan, of drift, or of a report: the sections, their rows and order, and the omitted rows. It is plain data. A renderer (text,
 * Markdown, HTML) decides only the form.
 */
import type { Action } from "../../plan";
import { type Diagnostic, shownFindings } from "../../problems";
import { formatPath, groupedBy, plainText, shownName } from "../../lib/values";

/** A part of a line. Its text is one line, without anything invisible. */
export interface Piece {
  /**
   * - `name`: a name that another person may have chosen: a login, an address, a right, an origin
   * - `value`: a value, quoted if it is a text
   * - `word`: Tenancy's own words, without content from other people
   * - `sentence`: a sentence of the renderer that may quote names
   * - `mark`: the mark of the right before it: `(destructive)`
   */
  readonly kind: "name" | "value" | "word" | "sentence" | "mark";
  readonly text: string;
}

/** One line, or a part of one. Its words contain blanks and separators. */
export type Text = readonly Piece[];

export interface View {
  /** One word for it: `Plan`. @default the title says it */
  readonly kind?: string;
  /** When it was made, ISO 8601. @default it was not made */
  readonly madeAt?: string;
  /** Name of the stack. */
  readonly title: Text;
  /** A line for each service: its address, and the caller. */
  readonly lines: readonly Text[];
  /** Read before anything else: the age of the snapshot. @default nothing */
  readonly notice?: Text;
  /** Counts in one sentence: `1 to create, 2 to delete.` */
  readonly summary: Text;
  /** The headline on access: `Removes access from 6 users.` */
  readonly alert: Text;
  readonly sections: readonly Section[];
  /** Errors, then warnings; alike ones are one, unless all are to be shown. */
  readonly findings: readonly Diagnostic[];
}

/**
 * The kind of a section's rows.
 *
 * - `facts`: each name with facts, a word in front of each: `jane@acme · gains vss.manage_targets`
 * - `objects`: each object with its attributes below: `tenancy_account.acme`, then `comment · "x"`
 * - `rows`: a name and its remarks
 * - `names`: names alone
 * - `values`: a name and its value
 * - `table`: cells below the section's columns
 */
export type Form = "facts" | "objects" | "rows" | "names" | "values" | "table";

export interface Section {
  /** Stable, for renderers that link to it: `access`. */
  readonly id: string;
  readonly title: string;
  readonly form: Form;
  /** Rows that belong together, such as rows with aligned columns. */
  readonly groups: readonly (readonly Row[])[];
  /** The title and the severity of each group, for renderers that have the room. */
  readonly headings?: readonly { readonly title: string; readonly severity: "high" | "medium" | "low" }[];
  /** Headings of a table's columns. */
  readonly columns?: readonly string[];
  /** Number of rows that the view leaves out for brevity. */
  readonly omittedCount: number;
  /** The same as rows of people and columns of rights, for renderers that have the room. */
  readonly matrix?: Matrix;
}

/** Weight of a row if there is no room for all rows. `vital` rows are omitted last, `aside` rows first. */
export type Weight = "vital" | "usual" | "aside";

export interface Row {
  /** The action on the row's object; undefined if there is none. */
  readonly action?: Action;
  readonly name: Text;
  /** Text after the name; may be empty. */
  readonly about: Text;
  readonly facts: readonly Fact[];
  /** Remarks on the object. */
  readonly notes: readonly Text[];
  /** The members of a row for several: the first of them, the number of the others, and all. */
  readonly members?: {
    readonly examples: readonly Text[];
    readonly more: number;
    readonly all: readonly Text[];
  };
  /** Cells of a table's row, in the order of the columns; the name is the first of them. */
  readonly cells?: readonly Text[];
  /** Number of objects or people in the row. */
  readonly count: number;
  readonly weight: Weight;
  /** A quota's numbers. The cells have the same content in words. */
  readonly gauge?: Gauge;
}

/** A quota as numbers. Unknown numbers are undefined. */
export interface Gauge {
  /** The limit after the change that the view shows; null without any limit. */
  readonly limit?: number | null;
  /** The limit before the change. */
  readonly before?: number | null;
  readonly used?: number;
}

/** The rights of people, and their changes. */
export interface Matrix {
  /** Rights that a person has, gains or loses; the rights of one group are adjacent. */
  readonly columns: readonly Column[];
  readonly rows: readonly MatrixRow[];
}

export interface Column {
  /** As the API spells it: `vss.manage_targets`. */
  readonly name: Piece;
  /** `vss` */
  readonly group: string;
  /** `destructive`, `privileged`, `unknown right` */
  readonly marks: readonly string[];
}

/** Fate of a right: it is gained, gained by the service's default, lost, held as before, or known only after apply. */
export type CellState = "gains" | "default" | "loses" | "holds" | "unknown";

export interface MatrixRow {
  readonly action?: Action;
  /** All people of the row. */
  readonly who: readonly Text[];
  /** Sum of the rights. */
  readonly about: Text;
  /** Access other than rights: scopes, passwords, tokens. */
  readonly facts: readonly Fact[];
  /** By the index of the column; undefined if the person does not have the right before or after. */
  readonly cells: readonly (CellState | undefined)[];
}

/** One fact of a row: a word or an attribute, and its values. */
export interface Fact {
  readonly label: Piece;
  /** Separated by commas. */
  readonly items: readonly Text[];
  /** Further items, which the last item counts: a renderer with room shows them on demand. @default none */
  readonly rest?: readonly Text[];
}

// How views are made.

/** @param limit characters after which the name is cut. @default no limit */
export function name(text: string, limit?: number): Piece {
  return { kind: "name", text: shownName(text, limit) };
}

export function value(text: string): Piece {
  return { kind: "value", text };
}

export function word(text: string): Piece {
  return { kind: "word", text };
}

export function sentence(text: string): Piece {
  return { kind: "sentence", text: plainText(text) };
}

/**
 * A view with the given members.
 * @param all true if alike findings are shown one by one
 */
export function view({
  sections = [],
  findings = [],
  all = false,
  ...facts
}: Partial<Omit<View, "sections">> &
  Pick<View, "title" | "summary"> & {
    readonly sections?: readonly (Section | undefined)[];
    readonly all?: boolean;
  }): View {
  return {
    lines: [],
    alert: [],
    ...facts,
    sections: sections.filter((one) => one !== undefined),
    findings: shownFindings(findings, all),
  };
}

/** A row with the given members. */
export function row(facts: Partial<Row> & Pick<Row, "name">): Row {
  return { about: [], facts: [], notes: [], count: 1, weight: "usual", ...facts };
}

export function fact(label: string, items: readonly Text[]): Fact {
  return { label: word(label), items };
}

/** A section with the rows; undefined where there are none. */
export function section(
  facts: Pick<Section, "id" | "title" | "form"> & Partial<Section>,
  ...groups: readonly (readonly Row[])[]
): Section | undefined {
  const filled = groups.filter((rows) => rows.length > 0);
  return filled.length === 0 ? undefined : { omittedCount: 0, ...facts, groups: filled };
}

/** Texts with the same words between them. */
export function joinTexts(texts: readonly Text[], between: string): Text {
  return texts.flatMap((text, index) => (index === 0 ? text : [word(between), ...text]));
}

/** Place of a finding: the object, or the file, and the attribute; empty if unknown. */
export function findingPlace({ address, attribute = [], constructPath, file }: Diagnostic): Text {
  const where = address ?? constructPath ?? file;
  const parts = [where, attribute.length === 0 ? undefined : formatPath(attribute)];
  return joinTexts(
    parts.flatMap((part) => (part === undefined ? [] : [[name(part)]])),
    ", ",
  );
}

export function bareText(text: Text): string {
  return text.map((piece) => piece.text).join("");
}

/** The symbols of actions, as Terraform's users know them. */
export const SYMBOLS: Readonly<Record<Action, string>> = {
  create: "+",
  update: "~",
  replace: "-/+",
  delete: "-",
  none: "=",
};

// Items of a large plan that are alike are shown as one.

/** Up to so many items are all shown one by one. */
const MAX_UNGROUPED = 25;
/** Alike items make a group from this number on. */
const MIN_GROUP_SIZE = 5;

/** Items that are shown as one, with their number. */
export type Group<T> = readonly [T, ...T[]];

/**
 * Groups items of the same likeness, each group at the place of its first item.
 * @param likeness undefined for an item that is never grouped
 * @param all true if no item is grouped
 */
export function groupAlike<T extends object>(
  items: readonly T[],
  likeness: (item: T) => string | undefined,
  all: boolean,
): readonly Group<T>[] {
  return groupAlways(items, likeness, all || items.length <= MAX_UNGROUPED, MIN_GROUP_SIZE);
}

/**
 * As {@link groupAlike}, however few there are.
 * @param least so many alike items make a group
 */
export function groupAlways<T extends object>(
  items: readonly T[],
  likeness: (item: T) => string | undefined,
  all: boolean,
  least = 2,
): readonly Group<T>[] {
  if (all) return items.map((item) => [item]);
  const keys = new Map(items.map((item) => [item, likeness(item)]));
  const groups = groupedBy(items, (item) => keys.get(item));
  return items.flatMap((item): readonly Group<T>[] => {
    const key = keys.get(item);
    const group = key === undefined ? undefined : groups.get(key);
    if (group === undefined || group.length < least) return [[item]];
    return group[0] === item ? [group] : [];
  });
}

const NAMES_OF_GROUP = 4;

/** The members of a group. */
export function namedMembers(names: readonly string[]): NonNullable<Row["members"]> {
  const all = names.map((one): Text => [name(one)]);
  const examples = all.slice(0, NAMES_OF_GROUP);
  return { examples, more: all.length - examples.length, all };
}

/** `acme, globex, … 2 more` */
export function membersText({ examples, more }: NonNullable<Row["members"]>): Text {
  return [...joinTexts(examples, ", "), ...(more > 0 ? [word(`, … ${more} more`)] : [])];
}

/**
 * Reads and writes the files of `approvals/`. A file is YAML without aliases, tags and other means by which a person and the program could read
 * it differently. No I/O.
 */
import { createHash } from "node:crypto";
import { CST, isMap, isScalar, isSeq, Lexer, type Node, parseDocument } from "yaml";
import { type Advice, ApprovalNeeded, sentences, type TenancyError, unfitApprovals } from "../problems";
import { escapeUnseen, Misshapen, normalForm, type ObjectValue, shapes } from "../lib/values";
import { isDay } from "../schema";
import {
  type Approval,
  type ApprovalNeeds,
  type ApprovalVerdict,
  dayAhead,
  endOfApproval,
  isApproved,
  LONGEST_APPROVAL_DAYS,
} from "./approval";
import { pairProblem, pairText, quoted, remarkOn, scalarText } from "./approval-pairs";
import type { Pair } from "./plan";

/** Name of the folder, in the project's folder. */
export const APPROVALS_FOLDER = "approvals";

/** Bytes of the longest file that is read. */
const LONGEST_FILE = 200_000;
/** Bytes of pairs after which a further file is written. */
const FULL_FILE = 100_000;

// Writing.

/** The files that hold the approvals: the text of each, by its path in the project, such as `approvals/2026-12-20-69017b23.yaml`. */
export function approvalFiles(approvals: readonly Approval[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    approvals.flatMap(dividedApproval).map((approval) => {
      const text = approvalText(approval);
      const digits = createHash("sha256").update(text).digest("hex").slice(0, 8);
      return [`${APPROVALS_FOLDER}/${approval.until}-${digits}.yaml`, text];
    }),
  );
}

/** Parts of an approval that a file can hold. */
function dividedApproval(approval: Approval): readonly Approval[] {
  const parts: Pair[][] = [[]];
  let size = 0;
  for (const pair of approval.pairs) {
    if (size > FULL_FILE) [size] = [0, parts.push([])];
    size += Buffer.byteLength(pairText(pair));
    parts.at(-1)?.push(pair);
  }
  return parts.map((pairs) => ({ ...approval, pairs }));
}

function approvalText({ stack, service, until, continues, pairs }: Approval): string {
  const isGrant = (pair: Pair) => pair["until"] !== undefined;
  const pairList = (name: string, some: readonly Pair[]) =>
    some.length === 0 ? [] : [`${name}:`, ...some.map((pair) => `  - ${pairText(pair)}${commentOn(pair)}`)];
  return [
    `stack: ${scalarText(stack)}`,
    `service: ${scalarText(service)}`,
    `until: ${until}`,
    ...(continues === undefined ? [] : [`continues: ${scalarText(continues)}`]),
    ...pairList("grants", pairs.filter(isGrant)),
    ...pairList(
      "removals",
      pairs.filter((pair) => !isGrant(pair)),
    ),
    "",
  ].join("\n");
}

function commentOn(pair: Pair): string {
  const remark = remarkOn(pair);
  return remark === "" ? "" : ` # ${remark}`;
}

/** The approvals that are missing, one for each service. */
export function missingApprovals(verdicts: readonly ApprovalVerdict[], until: string): readonly Approval[] {
  return verdicts
    .filter(({ missing }) => missing.length > 0)
    .map(({ stack, service, missing }) => ({ stack, service, until, pairs: missing }));
}

/** The lifetime of the missing approval, as an error shows it. */
const MISSING_FOR_DAYS = 7;

/**
 * The error that shows what is not approved yet.
 * @param stack the only stack that was judged; undefined if several were judged, and none of them was written
 * @returns undefined if everything is approved
 */
export function unapproved(
  verdicts: readonly ApprovalVerdict[],
  now: Date,
  stack?: string,
): ApprovalNeeded | undefined {
  if (verdicts.every(isApproved)) return undefined;
  const placed = (verdict: ApprovalVerdict, texts: readonly string[]) =>
    texts.map((text) => (stack === undefined ? `${verdict.stack}: ${text}` : text));
  return new ApprovalNeeded(
    {
      stack,
      missing: verdicts.flatMap((verdict) => placed(verdict, verdict.missing.map(pairText))),
      unknown: verdicts.flatMap((verdict) => placed(verdict, verdict.unknown)),
    },
    approvalFiles(missingApprovals(verdicts, dayAhead(now, MISSING_FOR_DAYS))),
  );
}

/** The error of a run whose commit does not descend from the last applied one. */
export function unapprovedDescent(
  approval: Pick<Approval, "stack" | "service">,
  commit: string,
  now: Date,
): ApprovalNeeded {
  const until = dayAhead(now, MISSING_FOR_DAYS);
  return new ApprovalNeeded(
    { stack: approval.stack, missing: [`continues: ${commit}`], unknown: [], planFile: null },
    approvalFiles([{ ...approval, until, continues: commit, pairs: [] }]),
  );
}

// Reading.

/** A file, a folder or a link in `approvals/`. */
export interface ApprovalFile {
  /** Name in the folder. */
  readonly name: string;
  /** Undefined for a folder, a link and the like. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * The approvals that have not ended.
 * @param files text of each file of `approvals/`, by its name in the folder: `2026-12-20-69017b23.yaml`
 * @param now time by which approvals have ended; an ended one is read no further than its last day
 * @throws TENANCY_APPROVALS for the first file that is no approval
 */
export function readApprovals(files: Readonly<Record<string, string>>, now: Date): readonly Approval[] {
  return approvalsIn(
    Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    now,
  );
}

/** The same for files of a folder or a commit. */
export function approvalsIn(files: readonly ApprovalFile[], now: Date): readonly Approval[] {
  return files.flatMap(({ name, bytes }) => {
    const file = `${APPROVALS_FOLDER}/${name}`;
    if (bytes === undefined)
      throw unfit({ file, problem: "this is not a regular file", advice: "Delete it. Links do not count." });
    if (!/^\w[\w.-]*\.yaml$/.test(name))
      throw unfit({
        file,
        problem: "no approval has such a name",
        advice: `Keep nothing but approvals in ${APPROVALS_FOLDER}/, each as a file NAME.yaml.`,
      });
    requireShort(name, bytes.length);
    const approval = new ApprovalReader(file, utf8(file, bytes)).approval(now);
    return approval === undefined ? [] : [approval];
  });
}

/** @throws TENANCY_APPROVALS for a file of more bytes than are read */
export function requireShort(name: string, bytes: number): void {
  if (bytes > LONGEST_FILE)
    throw unfit({
      file: `${APPROVALS_FOLDER}/${name}`,
      problem: "the file is too long",
      advice: "Divide it into several files.",
    });
}

/** The error of a project whose `approvals` is a file or a link. */
export function noApprovalsFolder(): TenancyError {
  return unfit({
    file: APPROVALS_FOLDER,
    problem: "this is not a folder",
    advice: "Replace it by a folder that holds the approvals.",
  });
}

function utf8(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unfit({ file, problem: "the file is not UTF-8", advice: "Save it as UTF-8." });
  }
}

/** The tokens that a file may consist of. The others let a text have another meaning, or nest values deeply. */
const TOKENS: ReadonlySet<string | null> = new Set([
  ...["comment", "newline", "space", "doc-mode", "map-value-ind", "seq-item-ind", "comma"],
  ...["flow-map-start", "flow-map-end", "flow-seq-start", "flow-seq-end", "flow-error-end"],
  ...["scalar", null, "single-quoted-scalar", "double-quoted-scalar"],
]);

/** A list of pairs, a pair, and its permissions. */
const DEEPEST_PAIR = 3;

/** Marks that are drawn over their neighbours, and letters that are written from right to left. */
const MOVING_CHARACTERS =
  /\p{M}|[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Longer gaps push text out of sight. */
const LONG_GAP = / {17}/;

const FILE_MEMBERS = ["stack", "service", "until", "continues", "grants", "removals"];

/** Reads an approval from the nodes of its text. */
class ApprovalReader {
  constructor(
    private readonly file: string,
    private readonly text: string,
  ) {}

  /** @returns undefined if it has ended */
  approval(now: Date): Approval | undefined {
    this.#requireSeen();
    this.#requireShallow();
    // Every scalar is a text, also a word that YAML takes for a number or a boolean.
    const document = parseDocument(this.text, {
      ...{ schema: "failsafe", uniqueKeys: false, prettyErrors: false, logLevel: "error" },
    });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined)
      throw this.#unfit(
        fault.pos[0],
        "this is no YAML",
        "Correct the line: a bracket, a quotation mark or a colon may be missing.",
      );
    const members = this.#members(document.contents, 0, "an approval");
    const textOf = (name: string) => {
      const member = members.get(name);
      if (member === undefined) throw this.#unfit(0, `${name} is missing`, `Write a line \`${name}: …\`.`);
      return this.#text(member, name);
    };
    const until = textOf("until");
    const problem = unfitDay(until, now);
    if (problem !== undefined)
      throw this.#unfit(members.get("until")?.at ?? 0, `until is ${problem}`, "Write another day.");
    if (now >= endOfApproval({ until })) return undefined;
    for (const [name, { at }] of members)
      if (!FILE_MEMBERS.includes(name))
        throw this.#unfit(
          at,
          `${quoted(name.slice(0, 60))} is no member of an approval`,
          `Write some of ${FILE_MEMBERS.join(", ")}.`,
        );
    const [stack, service] = [textOf("stack"), textOf("service")];
    const pairs = [
      ...this.#pairs(members.get("grants"), "grants"),
      ...this.#pairs(members.get("removals"), "removals"),
    ];
    return {
      stack,
      service,
      until,
      ...(members.has("continues") && { continues: textOf("continues") }),
      pairs,
    };
  }

  /** A reviewer has to see each character, and all of them. */
  #requireSeen(): void {
    let start = 0;
    for (const line of this.text.split("\n")) {
      const text = line.replace(/\r$/, "");
      if (LONG_GAP.test(text)) throw this.#unfit(start, "a gap of more than 16 blanks", "Shorten the gap.");
      if (escapeUnseen(text.replace(/ +/g, " ")) !== text.replace(/ +/g, " "))
        throw this.#unfit(
          start,
          "a character that is not seen",
          "Delete it, or write its escape such as \\u202e between quotation marks.",
        );
      start += line.length + 1;
    }
  }

  /** Parsers of YAML run out of memory over text that is nested deeply. */
  #requireShallow(): void {
    let [start, depth, marks, maps] = [0, 0, 0, 0];
    let isPlain = false;
    for (const source of new Lexer().lex(this.text)) {
      // The text of a plain scalar follows its own token.
      const type: string | null = isPlain ? null : CST.tokenType(source);
      isPlain = type === "scalar";
      if (!TOKENS.has(type))
        throw this.#unfit(
          start,
          `${quoted(source.slice(0, 20))} is not in use here`,
          "Write plain members, lists and texts: no anchors, aliases, tags, blocks of text or directives.",
        );
      // Values have a form of their own, which shows each character.
      if (type === "comment" && MOVING_CHARACTERS.test(normalForm(source)))
        throw this.#unfit(start, "a comment with moving letters", "Write it in plain letters.");
      if (type === "newline") [marks, maps] = [0, 0];
      if (type === "flow-map-start") maps++;
      if (type === "seq-item-ind" || (type === "map-value-ind" && depth === 0)) marks++;
      if (type?.endsWith("-start") === true) depth++;
      if (type?.endsWith("-end") === true) depth--;
      if (depth > DEEPEST_PAIR || depth < 0 || marks > 2 || maps > 1)
        throw this.#unfit(start, "this is nested in another way than pairs are", "Write one pair on a line.");
      if (type !== "doc-mode" && source !== CST.SCALAR) start += source.length;
    }
  }

  #pairs(member: FileMember | undefined, name: "grants" | "removals"): readonly Pair[] {
    if (member === undefined) return [];
    const { value, at } = member;
    if (!isSeq<Node>(value))
      throw this.#unfit(at, `${name} is no list`, `Write each pair as a line \`  - { … }\`.`);
    return value.items.map((item) => {
      const start = item.range?.[0] ?? at;
      const members = this.#members(item, start, "a pair");
      const pair = Object.fromEntries([...members].map(([key, one]) => [key, this.#value(one, key)]));
      const problem = pairProblem(pair, name === "grants");
      if (problem !== undefined) throw this.#unfit(start, problem, `Correct the pair.`);
      return pair;
    });
  }

  #value(member: FileMember, name: string): string | readonly string[] {
    const { value, at } = member;
    if (!isSeq<Node>(value)) return this.#text(member, name);
    return value.items.map((item) => this.#text({ value: item, at: item.range?.[0] ?? at }, name));
  }

  /** The members of a map, each once. */
  #members(node: unknown, at: number, what: string): ReadonlyMap<string, FileMember> {
    if (!isMap<Node, Node | null>(node))
      throw this.#unfit(at, `${what} is expected here`, `Write members, as in \`stack: production\`.`);
    const members = new Map<string, FileMember>();
    for (const { key, value } of node.items) {
      const start = key.range?.[0] ?? at;
      const name = isScalar(key) && key.type === "PLAIN" ? String(key.value) : "";
      if (!/^\w+$/.test(name))
        throw this.#unfit(start, "the name of a member is expected here", "Correct the line.");
      if (members.has(name)) throw this.#unfit(start, `${name} is there twice`, "Delete one of the two.");
      members.set(name, { value, at: start });
    }
    return members;
  }

  /** A text that reads as it is: letters beyond ASCII, and escapes, are between quotation marks. */
  #text({ value, at }: FileMember, name: string): string {
    const text = isScalar(value) ? String(value.value) : "";
    if (!isScalar(value) || text === "")
      throw this.#unfit(at, `${name} has no value`, `Write one value after ${name}:.`);
    const [start = at, end = at] = value.range ?? [];
    const source = this.text.slice(start, end);
    const isExact =
      value.type === "QUOTE_DOUBLE" ? source === quoted(text) : /^[!-~]+(?: [!-~]+)*$/.test(source);
    if (!isExact)
      throw this.#unfit(
        start,
        `${name} is not in the form that shows each character`,
        `Write ${quoted(text).slice(0, 200)}.`,
      );
    return text;
  }

  #unfit(at: number, problem: string, advice: string): TenancyError {
    const line = this.text.slice(0, at).split("\n").length;
    return unfit({ file: this.file, line, problem, advice });
  }
}

/** A member of a map, with the offset of its name. */
interface FileMember {
  readonly value: unknown;
  readonly at: number;
}

function unfit({
  advice,
  ...facts
}: {
  readonly file: string;
  readonly line?: number;
  readonly problem: string;
  readonly advice: string;
}): TenancyError {
  const words: Advice = (say) =>
    sentences("Nothing was written.", advice, say.command("`tenancy approve PLAN` writes such files."));
  return unfitApprovals.error({ ...facts, advice: words });
}

/** @returns the fault of a last day, as in "a day that has no such date"; undefined if an approval may have it */
export function unfitDay(text: string, now: Date): string | undefined {
  if (!isDay(text)) return `${quoted(text.slice(0, 60))}, and not a day such as ${dayAhead(now, 7)}`;
  const last = dayAhead(now, LONGEST_APPROVAL_DAYS);
  return text > last
    ? `${text}, more than ${LONGEST_APPROVAL_DAYS} days ahead; ${last} is the last day that may stand there`
    : undefined;
}

// Saved plans.

const { text, flag, listOf, mapOf, objectOf, either, where } = shapes;

/** A file may come from anywhere, and its texts are shown to a person who approves them. */
const readableText = where(text, "readable", (one) => one !== "" && escapeUnseen(one) === one);
const pairShape = where(
  mapOf(either(text, listOf(text), "a text or a list of texts")),
  "a pair",
  (pair) => pairProblem(pair, pair["until"] !== undefined) === undefined,
);
const savedApprovalShape = objectOf({
  stack: readableText,
  approval: listOf(
    objectOf({
      service: readableText,
      pairs: listOf(objectOf({ pair: pairShape, broadening: flag })),
      unknown: listOf(readableText),
    }),
  ),
});

/**
 * The part of a saved plan that is about approval.
 * @param tenancy its member of that name
 * @returns undefined if it is not as `plan --out` writes it
 */
export function savedNeeds(tenancy: ObjectValue): readonly ApprovalNeeds[] | undefined {
  try {
    const { stack, approval } = savedApprovalShape(tenancy, "");
    // Unknown members are dropped.
    return approval.map(({ service, pairs, unknown }) => ({ stack, service, pairs, unknown }));
  } catch (error) {
    if (error instanceof Misshapen) return undefined;
    throw error;
  }
}

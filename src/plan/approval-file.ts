/**
 * Reads and writes the files of `approvals/`, one for each entry. A file counts only if its bytes are exactly the output of `tenancy approve` for its
 * entry. A human reader then sees the same content as the program. No I/O.
 */
import { createHash } from "node:crypto";
import {
  type Advice,
  ApprovalNeeded,
  inWords,
  sentences,
  type TenancyError,
  unfitApprovals,
} from "../problems";
import { Misshapen, type ObjectValue, shapes } from "../lib/values";
import {
  type Approval,
  type ApprovalNeeds,
  type ApprovalVerdict,
  dayAhead,
  endOfApproval,
  isApproved,
  LONGEST_APPROVAL_DAYS,
} from "./approval";
import { isReadable } from "./approval-lines";
import { areJoined, gainedRights, linesOfPairs, pairsOf } from "./approval-pairs";
import { presetText } from "./rights";

/** Name of the folder, in the project's folder. */
export const APPROVALS_FOLDER = "approvals";

/** Characters of the longest file that is read. */
const LONGEST_TEXT = 1_000_000;

// Writing.

/** The files that hold the entries: the text of each, by its path in the project, such as `approvals/2026-12-20-69017b23.yaml`. */
export function approvalFiles(approvals: readonly Approval[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    approvals.map((approval) => {
      const text = approvalText(approval);
      return [approvalPath(approvalFileName(approval.until, text)), text];
    }),
  );
}

/** The fingerprint is SHA-256 of the text above it. */
function approvalText({ stack, origin, owner, until, allows }: Approval): string {
  const lines = linesOfPairs(allows.flatMap(pairsOf));
  const presets = presetsBeside(lines);
  const above = [
    `stack: ${yamlScalar(stack)}`,
    `origin: ${yamlScalar(origin)}`,
    `owner: ${yamlScalar(owner)}`,
    `until: ${until}`,
    "allows:",
    ...lines.map((line) => `  - ${yamlScalar(line)}${presets.get(line) ?? ""}`),
    "",
  ].join("\n");
  return `${above}fingerprint: sha256:${createHash("sha256").update(above).digest("hex")}\n`;
}

/** The comment after a line of rights: the preset that the user gains by the entry. */
function presetsBeside(lines: readonly string[]): ReadonlyMap<string, string> {
  const comments = [...gainedRights(lines)].map(([line, rights]) => [line, presetText(rights)] as const);
  return new Map(comments.flatMap(([line, preset]) => (preset === null ? [] : [[line, ` # ${preset}`]])));
}

/** A text as YAML has it: plain where no reader of YAML takes it for anything else, and otherwise between single quotes, which know no escapes. */
function yamlScalar(text: string): string {
  const isPlain =
    /^[A-Za-z]/.test(text) &&
    !/: | #|:$/.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

/** The last day, and the beginning of the fingerprint. */
function approvalFileName(until: string, text: string): string {
  const [, digits = ""] = /\nfingerprint: sha256:([0-9a-f]{8})/.exec(text) ?? [];
  return `${until}-${digits}.yaml`;
}

function approvalPath(name: string): string {
  return `${APPROVALS_FOLDER}/${name}`;
}

/** The entries that are missing, one for each service and owner. */
export function missingApprovals(verdicts: readonly ApprovalVerdict[], until: string): readonly Approval[] {
  return verdicts
    .filter(({ missing }) => missing.length > 0)
    .map(({ stack, origin, owner, missing }) => ({ stack, origin, owner, until, allows: missing }));
}

/** The lifetime of the missing entry, as an error shows it. */
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
  const linesOf = (part: "missing" | "unknown") =>
    verdicts.flatMap((verdict) =>
      verdict[part].map((line) => (stack === undefined ? `${verdict.stack}: ${line}` : line)),
    );
  return new ApprovalNeeded(
    { stack, missing: linesOf("missing"), unknown: linesOf("unknown") },
    approvalFiles(missingApprovals(verdicts, dayAhead(now, MISSING_FOR_DAYS))),
  );
}

// Reading.

/**
 * The files whose entries have not ended, by their names alone. The others need not be read.
 * @throws TENANCY_APPROVALS for a file that cannot be an entry
 */
export function unendedApprovals(
  files: readonly {
    readonly name: string;
    /** False for a folder, a link and the like. */
    readonly isRegular: boolean;
  }[],
  now: Date,
): readonly string[] {
  return files.flatMap(({ name, isRegular }) => {
    const [, until] = /^(\d{4}-\d{2}-\d{2})-[0-9a-f]{8}\.yaml$/.exec(name) ?? [];
    const file = approvalPath(name);
    if (!isRegular)
      throw unfit({ file, problem: "this is not a regular file", advice: "Delete it. Links do not count." });
    if (until === undefined)
      throw unfit({
        file,
        problem: "no entry has such a name",
        advice: `Keep nothing but entries in ${APPROVALS_FOLDER}/.`,
      });
    return now < endOfApproval({ until }) ? [name] : [];
  });
}

/**
 * The entries that have not ended.
 * @param files text of each file of `approvals/`, by its name in the folder: `2026-12-20-69017b23.yaml`
 * @param now time by which entries have ended; the texts of ended entries are not looked at
 * @throws TENANCY_APPROVALS for the first file that is not as `tenancy approve` writes it
 */
export function readApprovals(files: Readonly<Record<string, string>>, now: Date): readonly Approval[] {
  const approvalFiles = Object.keys(files).map((name) => ({ name, isRegular: true }));
  return unendedApprovals(approvalFiles, now).map((name) => readApproval(name, files[name] ?? "", now));
}

function readApproval(name: string, text: string, now: Date): Approval {
  const file = approvalPath(name);
  if (text.length > LONGEST_TEXT) throw unfit({ file, problem: "the file is too long" });
  if (text.includes("\r"))
    throw unfit({
      file,
      problem: "the lines end with carriage returns",
      advice: `Git has converted them: write "${APPROVALS_FOLDER}/* -text" to .gitattributes.`,
    });
  const lines = text.split("\n");
  const entry = new ApprovalReader(file, lines, now).entry();
  const canonicalText = approvalText(entry);
  const differs = canonicalText.split("\n").findIndex((line, index) => line !== lines[index]);
  const [expectedLine = "", actualLine] = [canonicalText.split("\n")[differs], lines[differs]];
  if (canonicalText !== text && expectedLine === "")
    throw unfit({ file, problem: "there is more after the fingerprint" }, REWRITE);
  if (canonicalText !== text) {
    const isFingerprint = [expectedLine, actualLine].every(
      (line) => line?.startsWith("fingerprint: ") === true,
    );
    const problem = isFingerprint
      ? "the fingerprint is not that of the entry"
      : `this line is not in its exact form: ${expectedLine}`;
    throw unfit({ file, line: differs + 1, problem }, REWRITE);
  }
  const right = approvalFileName(entry.until, text);
  if (right === name) return entry;
  throw unfit({
    file,
    problem: `the entry in it belongs to ${approvalPath(right)}`,
    advice: "Rename the file.",
  });
}

/** Reads an entry from its lines. The text is then compared with the written form of the entry. */
class ApprovalReader {
  #next = 0;

  constructor(
    private readonly file: string,
    private readonly lines: readonly string[],
    private readonly now: Date,
  ) {}

  entry(): Approval {
    const stack = this.#text(/^stack: (.+)$/, "stack");
    const origin = this.#text(/^origin: (.+)$/, "origin");
    const owner = this.#text(/^owner: (.+)$/, "owner");
    const until = this.#text(/^until: (.+)$/, "until");
    const problem = unfitDay(until, this.now);
    if (problem !== undefined) throw this.#unfit(`until is ${problem}`, APPROVE_AGAIN);
    this.#take(/^(allows:)$/, "allows:");
    const allows: string[] = [];
    do allows.push(this.#text(LINE_PATTERN, "a line of allows"));
    while (LINE_PATTERN.test(this.lines[this.#next] ?? ""));
    this.#take(/^(fingerprint: sha256:[0-9a-f]{64})$/, "the fingerprint");
    return { stack, origin, owner, until, allows };
  }

  #text(form: RegExp, name: string): string {
    const rawText = this.#take(form, name);
    const [, quoted] = /^'((?:[^']|'')*)'$/.exec(rawText) ?? [];
    const text = quoted === undefined ? rawText : quoted.replaceAll("''", "'");
    if (!isReadable(text)) throw this.#unfit(`${name} has characters that are not seen`, REWRITE);
    return text;
  }

  #take(form: RegExp, name: string): string {
    const [, match] = form.exec(this.lines[this.#next++] ?? "") ?? [];
    if (match === undefined) throw this.#unfit(`${name} is expected here`, REWRITE);
    return match;
  }

  #unfit(problem: string, advice: Advice): TenancyError {
    return unfit({ file: this.file, line: this.#next, problem }, advice);
  }
}

/** A line of `allows`, without its comment. */
const LINE_PATTERN = /^ {2}- ('(?:[^']|'')*'|[^'\s#](?:(?! #).)*)(?: #.*)?$/;

const REWRITE: Advice = (say) =>
  sentences(
    "An entry counts only in its exact form.",
    say.command("Write the entry again: tenancy approve PLAN.") ?? "Write the entry again.",
  );

const APPROVE_AGAIN: Advice = (say) =>
  say.command("Approve the plan again: tenancy approve PLAN.") ?? "Approve the plan again.";

function unfit(
  {
    advice,
    ...facts
  }: {
    readonly file: string;
    readonly line?: number;
    readonly problem: string;
    readonly advice?: string;
  },
  more: Advice = advice ?? "Correct the file.",
): TenancyError {
  return unfitApprovals.error({
    ...facts,
    advice: (say) => sentences("Nothing was written.", inWords(more, say)),
  });
}

/** @returns the fault of a last day, as in "a day that has no such date"; undefined if an entry may have it */
export function unfitDay(text: string, now: Date): string | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    return `${JSON.stringify(text)}, and not a day such as ${dayAhead(now, 7)}`;
  const last = dayAhead(now, LONGEST_APPROVAL_DAYS);
  return text > last
    ? `${text}, more than ${LONGEST_APPROVAL_DAYS} days ahead; ${last} is the last day that may stand there`
    : undefined;
}

// Saved plans.

const { text, flag, listOf, objectOf, where } = shapes;

/** A file may come from anywhere, and its lines are shown to a person who approves them. */
const readableText = where(text, "readable", isReadable);
const linesShape = listOf(objectOf({ line: readableText, broadening: flag }));
const needs = where(
  objectOf({ origin: readableText, owner: readableText, lines: linesShape, unknown: linesShape }),
  "what a plan needs",
  (one) => areJoined(one.lines.map(({ line }) => line)),
);
const savedApprovalShape = objectOf({ stack: readableText, approval: listOf(needs) });

/**
 * The part of a saved plan that is about approval.
 * @param tenancy its member of that name
 * @returns undefined if it is not as `plan --out` writes it
 */
export function savedNeeds(tenancy: ObjectValue): readonly ApprovalNeeds[] | undefined {
  try {
    const { stack, approval } = savedApprovalShape(tenancy, "");
    // Unknown members are dropped.
    return approval.map((one) => ({
      stack,
      origin: one.origin,
      owner: one.owner,
      lines: one.lines,
      unknown: one.unknown,
    }));
  } catch (error) {
    if (error instanceof Misshapen) return undefined;
    throw error;
  }
}

/** Reads and writes the text of `tenancy.approvals`: strictly, since whoever reads an entry must read what the program reads. No I/O. */
import { Document, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, parseDocument, visit } from "yaml";
import type { Node, Scalar, YAMLMap, YAMLSeq } from "yaml";
import {
  type Advice,
  ApprovalNeeded,
  inWords,
  sentences,
  type TenancyError,
  unfitApprovals,
} from "../problems";
import type { ObjectValue } from "../values";
import {
  type Approval,
  approvalFingerprint,
  type ApprovalLine,
  type ApprovalNeeds,
  type ApprovalVerdict,
  dayAhead,
  isApproved,
  LONGEST_APPROVAL_DAYS,
} from "./approval";
import { isReadable } from "./approval-lines";

/** Name of the file, in the project's folder. */
export const APPROVALS_FILE = "tenancy.approvals";

/** More than anybody reviews. */
const LONGEST_TEXT = 4_000_000;

/**
 * The entries of a file, those that have ended among them.
 * @param now day by which `until` is judged
 * @throws TENANCY_APPROVALS for the first thing in it that is not as it must be
 */
export function readApprovals(text: string, now: Date): readonly Approval[] {
  return new Reader(text, now).entries();
}

type At = Node | null | undefined;

interface Member {
  readonly key: Node;
  /** Null where the key stands alone, as in `{stack}`. */
  readonly value: Node | null;
}

class Reader {
  readonly #lines = new LineCounter();
  readonly #text: string;
  readonly #now: Date;

  constructor(text: string, now: Date) {
    this.#text = text.replace(/^\uFEFF/, "");
    this.#now = now;
  }

  entries(): readonly Approval[] {
    if (this.#text.length > LONGEST_TEXT) throw this.#unfit(undefined, "the file is too long");
    const contents = this.#contents();
    if (contents === null || (isScalar(contents) && contents.value === null)) return [];
    if (!isSeq(contents)) throw this.#unfit(contents, "the file is not a list of entries");
    return (contents as YAMLSeq<Node>).items.map((item) => this.#entry(item));
  }

  /** Null where there is no document at all. */
  #contents(): Node | null {
    const [document, other] = parseAllDocuments(this.#text, {
      version: "1.2",
      schema: "core",
      uniqueKeys: true,
      stringKeys: true,
      prettyErrors: false,
      logLevel: "silent",
      lineCounter: this.#lines,
    });
    if (document === undefined) return null;
    const [finding] = [...document.errors, ...document.warnings];
    if (finding !== undefined) throw this.#unfitAt(finding.pos[0], plainReason(finding));
    if (other !== undefined) throw this.#unfitAt(other.range[0], "a second document begins here");
    if (document.directives.yaml.explicit === true) throw this.#unfitAt(0, "the file has a %YAML directive");
    this.#refuseIndirection(document);
    return document.contents;
  }

  /** What stands in one place and counts in another is easily overlooked. */
  #refuseIndirection(document: Document.Parsed): void {
    visit(document, {
      Alias: (_key, node) => {
        throw this.#unfit(node, `*${node.source} is an alias`);
      },
      Value: (_key, node) => {
        if (node.anchor !== undefined) throw this.#unfit(node, `&${node.anchor} is an anchor`);
        if (node.tag !== undefined) throw this.#unfit(node, `${node.tag} is a tag`);
      },
    });
  }

  #entry(item: At): Approval {
    if (!isMap(item)) throw this.#unfit(item, "this entry has no members");
    const members = new Map<string, Member>();
    // All keys are texts: the parser has refused what cannot be.
    for (const { key, value } of (item as YAMLMap<Scalar<string>, Node | null>).items) {
      if (!MEMBERS.includes(key.value))
        throw this.#unfit(key, `an entry has no member ${JSON.stringify(key.value)}`);
      members.set(key.value, { key, value });
    }
    const absent = MEMBERS.find((name) => !members.has(name));
    if (absent !== undefined) throw this.#unfit(item, `the entry lacks ${absent}`);
    const keyOf = (name: string): At => members.get(name)?.key;
    const valueOf = (name: string): At => members.get(name)?.value;
    const text = (name: string): string => this.#textAt(valueOf(name), name, keyOf(name));
    const entry: Approval = {
      stack: text("stack"),
      origin: text("origin"),
      owner: text("owner"),
      until: this.#day(text("until"), keyOf("until")),
      allows: this.#allows(valueOf("allows"), keyOf("allows")),
    };
    if (text("fingerprint") !== approvalFingerprint(entry))
      throw this.#unfit(keyOf("fingerprint"), "the fingerprint is not that of the entry", (say) =>
        sentences(
          "Somebody has edited the entry.",
          say.command("Write it anew: tenancy approve PLAN.") ?? "Write it anew.",
        ),
      );
    return entry;
  }

  #textAt(node: At, name: string, place: At): string {
    const text = isScalar(node) ? node.value : undefined;
    if (typeof text !== "string" || text === "")
      throw this.#unfit(place, `${name} is not text`, "Put it between quotation marks.");
    if (!isReadable(text)) throw this.#unfit(place, `${name} has characters that are not seen`);
    return text;
  }

  #allows(node: At, place: At): readonly string[] {
    if (!isSeq(node) || node.items.length === 0) throw this.#unfit(place, "allows is not a list of lines");
    return (node as YAMLSeq<Node>).items.map((item) => this.#textAt(item, "this line of allows", item));
  }

  #day(text: string, place: At): string {
    const problem = unfitDay(text, this.#now);
    if (problem === undefined) return text;
    throw this.#unfit(
      place,
      `until is ${problem}`,
      (say) => say.command("Approve it anew: tenancy approve PLAN.") ?? "Approve it anew.",
    );
  }

  #unfit(node: At, problem: string, advice?: Advice): TenancyError {
    return this.#unfitAt(node?.range?.[0], problem, advice);
  }

  #unfitAt(offset: number | undefined, problem: string, advice: Advice = "Correct the file."): TenancyError {
    const line = offset === undefined ? undefined : Math.max(1, this.#lines.linePos(offset).line);
    return unfitApprovals.error({
      file: APPROVALS_FILE,
      line,
      problem,
      advice: (say) => sentences("Nothing was written.", inWords(advice, say)),
    });
  }
}

const MEMBERS: readonly string[] = ["stack", "origin", "owner", "until", "allows", "fingerprint"];

/** The parser's sentences may quote the file over several lines. */
function plainReason({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === "DUPLICATE_KEY") return "a member occurs twice";
  const [first = ""] = message.split("\n");
  return `this is not YAML that can be read: ${first}`;
}

/** @returns what is wrong with a last day, as in "a day that has no such date"; undefined where it may stand in an entry */
export function unfitDay(text: string, now: Date): string | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    return `${JSON.stringify(text)}, and not a day such as ${dayAhead(now, 7)}`;
  const last = dayAhead(now, LONGEST_APPROVAL_DAYS);
  return text > last
    ? `${text}, more than ${LONGEST_APPROVAL_DAYS} days ahead; ${last} is the last day that may stand there`
    : undefined;
}

// Writing.

/** The entries that are missing, one for each service and owner. */
export function missingApprovals(verdicts: readonly ApprovalVerdict[], until: string): readonly Approval[] {
  return verdicts
    .filter(({ missing }) => missing.length > 0)
    .map(({ stack, origin, owner, missing }) => ({ stack, origin, owner, until, allows: missing }));
}

/** Entries as they stand in the file, ready to be pasted. */
export function approvalsText(approvals: readonly Approval[]): string {
  return approvals.length === 0 ? "" : textOf(new Document(approvals.map(withFingerprint)));
}

/** How long the entry holds that an error shows as the missing one. */
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
    approvalsText(missingApprovals(verdicts, dayAhead(now, MISSING_FOR_DAYS))),
  );
}

/**
 * The text of a file with further entries at its end. Its comments stay.
 * @param text as {@link readApprovals} takes it
 */
export function withApprovals(text: string, approvals: readonly Approval[]): string {
  const document: Document = parseDocument(text.replace(/^\uFEFF/, ""));
  if (!isSeq(document.contents)) document.contents = document.createNode([]);
  const list = document.contents as YAMLSeq;
  list.flow = false;
  for (const approval of approvals) {
    const entry = document.createNode(withFingerprint(approval));
    entry.spaceBefore = list.items.length > 0;
    list.items.push(entry);
  }
  return textOf(document);
}

function withFingerprint({ stack, origin, owner, until, allows }: Approval) {
  return {
    stack,
    origin,
    owner,
    until,
    allows,
    fingerprint: approvalFingerprint({ stack, origin, owner, until, allows }),
  };
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 });
}

// Saved plans.

/**
 * What a saved plan says of approval.
 * @param tenancy its member of that name
 * @returns undefined where it does not say so as `plan --out` writes it
 */
export function savedNeeds({ stack, approval }: ObjectValue): readonly ApprovalNeeds[] | undefined {
  if (!isText(stack) || !Array.isArray(approval) || !approval.every(isNeeds)) return undefined;
  return approval.map(({ origin, owner, lines, unknown }) => ({ stack, origin, owner, lines, unknown }));
}

function isNeeds(value: unknown): value is Omit<ApprovalNeeds, "stack"> {
  const { origin, owner, lines, unknown } = (value ?? {}) as Record<string, unknown>;
  return [origin, owner].every(isText) && [lines, unknown].every(areLines);
}

/** A file may come from anywhere, and what it says is shown to whoever approves it. */
function isText(value: unknown): value is string {
  return typeof value === "string" && isReadable(value);
}

function areLines(value: unknown): value is readonly ApprovalLine[] {
  return (
    Array.isArray(value) &&
    value.every((one) => {
      const { line, broadening } = (one ?? {}) as Record<string, unknown>;
      return isText(line) && typeof broadening === "boolean";
    })
  );
}

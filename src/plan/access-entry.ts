/** Makes the entries of a row of access, and words from them. No I/O. */
import { stringifyJson, UNKNOWN_TEXT, type Value } from "../lib/values";
import { NEVER } from "./approval-pairs";
import type { AccessEffect, AccessEntry, Pair } from "./plan";
import { accessMarksOf, NO_ACCESS_MARKS } from "./rights";

/** @param thing all members of the pair but its subject, and but an end that is `never` */
export function accessEntry(
  effect: AccessEffect,
  thing: Pair,
  facts: Partial<Pick<AccessEntry, "byDefault" | "from" | "note">> = {},
): AccessEntry {
  const { permission } = thing;
  const hasEnd =
    effect === "grants" || effect === "changes" || (effect === "removes" && !HELD.has(lastMember(thing)));
  return {
    thing: { ...thing, ...(hasEnd && { until: NEVER }) },
    effect,
    marks: typeof permission === "string" ? accessMarksOf(permission) : NO_ACCESS_MARKS,
    byDefault: false,
    ...facts,
  };
}

/** Things that a user loses as a whole. Others get another value, which has an end like every value. */
const HELD: ReadonlySet<string> = new Set([
  ...["permission", "vss_scope", "node_scope", "access", "token", "reader", "serial"],
]);

/** The member that says what it is about: of a token's reader, `reader`. */
function lastMember(thing: Pair): string {
  const members = Object.keys(thing).filter((name) => name !== "until");
  return members.at(-1) ?? "";
}

/** True for access that a user keeps, and whose end changes. */
export function isEnd({ thing, from }: AccessEntry): boolean {
  return from !== undefined && (thing["permission"] !== undefined || thing["access"] !== undefined);
}

/** An entry in words, which follow a word for its effect: `vss.format_disks until 2026-12-04`. */
export function accessText(entry: AccessEntry): string {
  const { thing, effect, from = NEVER, note, ended: lastDay } = entry;
  const { until = NEVER } = thing;
  const member = lastMember(thing);
  const value = thing[member] === UNKNOWN_TEXT ? "" : String(thing[member]);
  const keepsEnd = isEnd(entry);
  const end = until !== NEVER ? ` until ${String(until)}` : keepsEnd ? " without an end" : "";
  return [
    (THING_WORDS[member]?.(value, entry) ?? `${member} ${value}`).trimEnd(),
    end,
    keepsEnd ? ` (${from === NEVER ? "had no end" : `was ${from}`})` : "",
    lastDay === undefined ? "" : ` (ended ${lastDay})`,
    note === undefined ? "" : ` ${note}`,
    effect === "unknown" ? ` ${UNKNOWN_TEXT}` : "",
  ]
    .join("")
    .trimStart();
}

/** Words for a thing, by the member that it is about; for others the member and its value. */
const THING_WORDS: Readonly<Record<string, (value: string, entry: AccessEntry) => string>> = {
  permission: (right) => right,
  access: (kind) => (kind === "api" ? "API access" : `${kind} access`),
  activated: () => "activation",
  allow_su: () => "switching to it by administrators",
  level: (level, entry) => `level ${changedValue(level, entry)}`,
  two_factor: (factor, entry) =>
    entry.effect === "grants"
      ? `access without a second factor (was ${entry.from ?? ""})`
      : entry.effect === "removes"
        ? `access without a second factor (now ${factor})`
        : `second factor ${changedValue(factor, entry)}`,
  two_factor_otp: () => "a new one-time code, which binds a device",
  two_factor_secret: () => "a new secret of the second factor",
  two_factor_private_id: () => "a new private id of the second factor",
  security_email: (_value, { effect }) =>
    `${{ grants: "a ", removes: "its ", changes: "another ", stays: "", unknown: "" }[effect]}security e-mail address`,
  password: (_value, { effect }) =>
    `${{ grants: "a first ", removes: "its ", changes: "a new ", stays: "", unknown: "perhaps a new " }[effect]}password`,
  token: (_name, { effect }) => (effect === "grants" ? "a token" : "its token"),
  serial: (serial) => `its replaced token ${serial}`,
  rotates: () => "",
  reader: (reader) => `the reader ${reader} of its secret`,
  retain_previous_for: (time) => `time for which replaced tokens stay valid: ${time}`,
  retain_previous: (count) => `replaced tokens that stay valid: up to ${count}`,
};

function changedValue(value: string, { from }: AccessEntry): string {
  return from === undefined ? value : `${from} -> ${value}`;
}

/** A value as an entry shows it. */
export function writtenValue(value: Value | undefined): string {
  return typeof value === "string" ? value : stringifyJson(value ?? null);
}

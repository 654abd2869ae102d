/** The members that every record has, its changes, and its form in answers (spec 2.1). */
import { randomBytes, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Shown } from "./options";

/** A value of which every member at every depth may be absent; lists are taken whole. */
export type Partially<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Partially<T[K]> | undefined }
    : T;

/** The record with the given members changed at every depth; lists and null replace. The same object where nothing differs. */
export function mergeChanges<T extends object>(record: T, changes: NoInfer<Partially<T>>): T {
  const merged = { ...record } as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes as Record<string, unknown>)) {
    if (value === undefined) continue;
    const old = merged[name];
    merged[name] = isMembers(old) && isMembers(value) ? mergeChanges(old, value) : value;
  }
  return isDeepStrictEqual(merged, record) ? record : (merged as T);
}

/** The record with every nested object blank that the body of an update has, for a service whose updates replace nested objects. */
export function withBlankNested<R extends object>(record: R, blank: R, body: object): R {
  const names = Object.entries(body).flatMap(([name, value]) => (isMembers(value) ? [name as keyof R] : []));
  return { ...record, ...Object.fromEntries(names.map((name) => [name, blank[name]])) };
}

export function isMembers(value: unknown): value is Shown {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members that all records have in common (spec 2.1). */
export interface Identity {
  /** `<type>:<n>:<n>` */
  readonly id: string;
  readonly uuid: string;
  readonly serial: string;
  /** Milliseconds since epoch. */
  readonly ctime: number;
  readonly mtime: number;
  /** Grows with each change. */
  readonly seq: number;
}

/** The beginning of a type's serials: three letters, then two digits. */
type SerialPrefix = "ACT07" | "USR1B" | "ATH47" | "SES16";

/** Three letters and 16 upper-case hexadecimal digits, of which the type fixes the first two. */
export function newSerial(prefix: SerialPrefix): string {
  return prefix + randomBytes(7).toString("hex").toUpperCase();
}

export function newIdentity(id: string, prefix: SerialPrefix, now: number, uuid?: string): Identity {
  return { id, uuid: uuid ?? randomUUID(), serial: newSerial(prefix), ctime: now, mtime: now, seq: 1 };
}

/** The record after a change; the very same one where the change changes nothing. */
export function revise<R extends Identity>(record: R, changes: NoInfer<Partially<R>>, now: number): R {
  const revision = mergeChanges(record, changes);
  return revision === record ? record : { ...revision, mtime: now, seq: record.seq + 1 };
}

/** A token that users send back to prove that a number or an address is theirs. */
export function newVerificationToken(): string {
  return randomBytes(8).toString("hex");
}

/**
 * Those members of an object that a table or a record has, too.
 * @param except members of the table that are not taken
 */
export function takenFrom<R extends object>(
  from: object,
  table: R,
  except: readonly (keyof R)[] = [],
): Shown {
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    const value = (from as Shown)[name];
    if (value !== undefined && !except.includes(name as keyof R)) members[name] = value;
  }
  return members;
}

export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

// How answers show them.

/** ISO 8601 with an offset: "2030-01-31T12:00:00.000+00:00". */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "+00:00");
}

/** "4155554567" → "******4567": enough to recognise a number, too little to call it. */
export function maskNumber(number: string): string {
  const lastDigits = number.length > 4 ? number.slice(-4) : "";
  return lastDigits.padStart(number.length, "*");
}

const HOUR_MS = 3_600_000;

/** The counts of events by level, in the last hour and the last day. This service has no events. */
const NO_EVENTS = {
  hdrs: [HOUR_MS, 24 * HOUR_MS],
  rows: ["dbg", "info", "warn", "err"].map((v) => ({ v, d: [0, 0] })),
};

/** The identity provider of everything that is made here. */
export const INTERNAL = { id: "idp:1:1", label: "internal", type: "internal" };

/** True if the event counters are there yet: just after a create they are still being fetched. */
export type Events = "retrieving" | "current";

export function commonMembers(record: Identity, events: Events) {
  const { id, uuid, serial, ctime, mtime, seq } = record;
  return {
    id,
    uuid,
    serial,
    evt_qry: `serial=${serial}`,
    ctime,
    mtime,
    seq,
    status: null,
    rec_status: null,
    label: null,
    ec: {
      status: events,
      table: events === "retrieving" ? null : { time: mtime, ...NO_EVENTS },
      seq: events === "retrieving" ? 0 : seq,
    },
  };
}

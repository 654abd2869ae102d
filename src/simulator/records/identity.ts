/** The members that all records have in common (spec 2.1). */
import { randomBytes, randomUUID } from "node:crypto";
import { merge, type Partially } from "../merge";

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

/** How the serials of a type begin: three letters, then two digits. */
type SerialPrefix = "ACT07" | "USR1B" | "ATH47" | "SES16";

/** Three letters and 16 upper-case hexadecimal digits, of which the type fixes the first two. */
export function newSerial(prefix: SerialPrefix): string {
  return prefix + randomBytes(7).toString("hex").toUpperCase();
}

export function newIdentity(id: string, prefix: SerialPrefix, now: number, uuid?: string): Identity {
  return { id, uuid: uuid ?? randomUUID(), serial: newSerial(prefix), ctime: now, mtime: now, seq: 1 };
}

/** The record after a change; the very same one where the change changes nothing. */
export function revise<R extends Identity>(record: R, given: NoInfer<Partially<R>>, now: number): R {
  const changed = merge(record, given);
  return changed === record ? record : { ...changed, mtime: now, seq: record.seq + 1 };
}

/** What someone must send back to prove that a number or an address is theirs. */
export function newVerificationToken(): string {
  return randomBytes(8).toString("hex");
}

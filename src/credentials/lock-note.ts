/** What a lock file says of its holder, and whether that holder is still alive. */
import { readFile, stat } from "node:fs/promises";
import type { LockHolder } from "../errors";
import { isObject, parseJson, type ObjectValue } from "../values";
import { isMissing } from "./file-place";
import { isDead, thisProcess } from "./process-identity";

/** Milliseconds that tell a silent holder from a live one. */
export interface LockPace {
  /** From one sign of life to the next. */
  readonly heartbeat: number;
  /** Silence after which a holder on another machine may be dead. */
  readonly silence: number;
}

export const PACE: LockPace = { heartbeat: 5_000, silence: 120_000 };

/** Signs of life that must fail to come while somebody waits for them. */
const SIGNS_MISSED = 3;

export interface LockNote {
  readonly text: string;
  readonly facts: ObjectValue;
  /** Milliseconds since the epoch, by the clock of the machine that touched it. */
  readonly touched: number;
}

/** @returns undefined where there is no lock */
export async function readNote(file: string): Promise<LockNote | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    return { text, facts: parse(text), touched: mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A note that is still being written, or isn't ours, says nothing. */
function parse(text: string): ObjectValue {
  try {
    const facts = parseJson(text);
    return isObject(facts) ? facts : {};
  } catch {
    return {};
  }
}

/** Whether the holder is a process of this machine that has ended. */
export function isDeadHere({ facts: { pid, machine, started } }: LockNote): boolean {
  return (
    isPid(pid) && typeof started === "string" && machine === thisProcess().machine && isDead({ pid, started })
  );
}

/**
 * Whether a holder that cannot be looked at gives no sign of life. Its clock may be wrong, so the age of its last sign is not
 * enough: none may have come while we watched, either. A live process of this machine may be silent as long as it likes: it
 * may be suspended, and go on.
 */
export function isSilent(
  { facts: { machine }, touched }: LockNote,
  watched: number,
  { silence, heartbeat }: LockPace,
): boolean {
  return (
    machine !== thisProcess().machine && Date.now() - touched > silence && watched > SIGNS_MISSED * heartbeat
  );
}

/**
 * Whether whoever began the note was killed before it said anything: writing it takes a few milliseconds. One that was only suspended
 * finds out before its first write that the lock is no longer its own.
 * @param watched milliseconds for which the note has been seen to stay as it is
 */
export function isUnwritten({ text }: LockNote, watched: number, { heartbeat }: LockPace): boolean {
  return text === "" && watched > heartbeat;
}

export function holderOf({ facts: { pid, host, since } }: LockNote): LockHolder {
  return {
    ...(isPid(pid) && { pid }),
    ...(typeof host === "string" && { host }),
    ...(typeof since === "string" && { since }),
  };
}

function isPid(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

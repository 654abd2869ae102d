/**
 * Marks values as `sensitive` (no output may show the value), `secret` (sensitive for good: the configuration cannot lift the mark) or
 * `ephemeral` (nothing may keep it). Marks follow a value wherever it flows: during evaluation any part of a value may be wrapped in a {@link Mark}.
 */
import { Unknown } from "./value";

/** A set of marks, as bits: {@link SENSITIVE}, {@link EPHEMERAL}, {@link SECRET}, {@link FROM_SNAPSHOT}. */
export type Marks = number;

export const NO_MARKS: Marks = 0;
export const SENSITIVE: Marks = 1;
export const EPHEMERAL: Marks = 2;
/** On tokens and other secrets of the service, in addition to {@link SENSITIVE}. */
export const SECRET: Marks = 4;
/** On values that a data source reads from a snapshot: the author of the expression may have no access to the snapshot, so no output shows them. */
export const FROM_SNAPSHOT: Marks = 8;

/** A value with marks on the whole of it. A mark never wraps another one directly. */
export class Mark {
  constructor(
    readonly value: Unwrapped,
    readonly marks: Marks,
  ) {}

  /** A marked value in JSON would be a leak. */
  toJSON(): never {
    throw new TypeError("a marked value cannot be written as JSON");
  }
}

/** A value any part of which may be marked. */
export type Marked =
  null | boolean | string | number | bigint | Unknown | Mark | readonly Marked[] | MarkedObject;

export interface MarkedObject {
  readonly [name: string]: Marked;
}

/** A value without marks on the whole; its parts may have some. */
type Unwrapped = Exclude<Marked, Mark>;

/** Adds marks to the whole of a value. */
export function mark(value: Marked, marks: Marks): Marked {
  if (marks === NO_MARKS) return value;
  if (value instanceof Mark) return new Mark(value.value, value.marks | marks);
  return new Mark(value, marks);
}

/** Takes some marks off the whole of a value. */
export function clearMark(value: Marked, marks: Marks): Marked {
  return value instanceof Mark ? mark(value.value, value.marks & ~marks) : value;
}

/** Removes the marks from the whole of a value, not from its parts. */
export function unwrap(value: Marked): Unwrapped {
  return value instanceof Mark ? value.value : value;
}

/** The marks on the whole of a value. */
export function marksOf(value: Marked): Marks {
  return value instanceof Mark ? value.marks : NO_MARKS;
}

/** The marks on the whole of a value and on all its parts. */
export function allMarksOf(value: Marked): Marks {
  if (value instanceof Mark) return value.marks | allMarksOf(value.value);
  if (isMarkedList(value))
    return value.reduce<Marks>((marks, element) => marks | allMarksOf(element), NO_MARKS);
  if (isMarkedObject(value)) {
    return Object.values(value).reduce<Marks>((marks, member) => marks | allMarksOf(member), NO_MARKS);
  }
  return NO_MARKS;
}

export function isMarkedList(value: Marked | undefined): value is readonly Marked[] {
  return Array.isArray(value);
}

export function isMarkedObject(value: Marked | undefined): value is MarkedObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown) &&
    !(value instanceof Mark)
  );
}

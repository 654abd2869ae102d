/** Sets the bounds that no honest configuration reaches. Beyond them the language reports an error, so that the process neither hangs nor dies. */
import { expressionFailed } from "../../problems";
import { isMarkedList, isUnknown, Mark, type Marked, type MarkedObject, onceForEach } from "../values";

/** Levels of brackets, calls and operators in one expression, and of lists and objects in decoded data. */
export const MAX_DEPTH = 200;

/**
 * Parts of one value when it is written out: lists, objects, their members, and each 64 characters of a text. Values refer to one another
 * without being copied, so that a small configuration can name a value that no walk through it would end.
 */
const MAX_SIZE = 4_000_000;

/** Bytes of one file that a function reads. */
export const MAX_FILE = 64 * 1024 * 1024;

/** Characters of one text that an expression makes. */
export const MAX_TEXT = 64 * 1024 * 1024;

/** Elements of one list that a function makes out of smaller ones. */
export const MAX_ELEMENTS = 1_000_000;

/** Work of one evaluation: rounds of its loops, calls, elements of the lists and sixteenths of the text that they make. */
export const MAX_WORK = 2_000_000;

/** Elements that `range` makes: Terraform's own limit. */
export const MAX_RANGE = 1024;

// The size of a value when it is written out. Expressions share values instead of copying them: sixty locals that each
// name the one before twice stay small in memory, but writing out the last one would never end.

interface Size {
  /** Lists, objects, and their members; each 64 characters of a text count as one more. */
  readonly parts: number;
  /** Levels of lists and objects. */
  readonly depth: number;
}

/**
 * The value itself, if a walk through it ends.
 * @throws expressionFailed if it is too large, or nested too deeply
 */
export function requireBounded(value: Marked): Marked {
  const { parts, depth } = writtenSize(value);
  if (parts > MAX_SIZE)
    throw expressionFailed.error(`the value has more than ${MAX_SIZE} parts when it is written out`);
  if (depth > 2 * MAX_DEPTH)
    throw expressionFailed.error(`the value is nested more than ${2 * MAX_DEPTH} levels deep`);
  return value;
}

const ONE: Size = { parts: 1, depth: 0 };

function writtenSize(value: Marked): Size {
  if (typeof value === "string") return value.length < 64 ? ONE : { parts: 1 + value.length / 64, depth: 0 };
  if (typeof value !== "object" || value === null || isUnknown(value)) return ONE;
  if (value instanceof Mark) return writtenSize(value.value);
  return sizeOfWhole(value);
}

/** Lists and objects never change once they are made. */
const sizeOfWhole = onceForEach((value: readonly Marked[] | MarkedObject): Size => {
  let parts = 1;
  let depth = 0;
  for (const part of isMarkedList(value) ? value : Object.values(value)) {
    const size = writtenSize(part);
    parts += size.parts;
    depth = Math.max(depth, size.depth);
  }
  return { parts, depth: depth + 1 };
});

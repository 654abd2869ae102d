/** Bounds that no honest configuration reaches: beyond them is an error instead of a process that hangs or dies. */

/** Levels of brackets, calls and operators in one expression, and of lists and objects in decoded data. */
export const MAX_DEPTH = 200;

/**
 * Parts of one value when it is written out: lists, objects, what is in them, and each 64 characters of a text. Values refer to one another
 * without being copied, so that a small configuration can name a value that no walk through it would end.
 */
export const MAX_SIZE = 4_000_000;

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

/** Bits of an integer: what Terraform's numbers hold exactly. */
export const MAX_BITS = 512;

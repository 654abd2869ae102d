/** Members of records, read with care. */
import { isInteger, type ObjectValue, type Value } from "../../values";

/** The value where it is text. */
export function text(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The record's sequence number (spec 2.1), where it shows one. */
export function sequenceOf(record: ObjectValue): number | bigint | undefined {
  const seq = record["seq"];
  return isInteger(seq) ? seq : undefined;
}

/** Whether an answer is a whole record, and not just what was sent: has all that tells it apart. */
export function isWhole(record: ObjectValue | undefined, members: readonly string[]): boolean {
  return record !== undefined && members.every((name) => Object.hasOwn(record, name));
}

import { type MsgpackWriter } from "./msgpack-writer";
import { type Recollection } from "./recollection";

/**
 * Writes a number so that Terraform, which counts in 512 bits, reads the number that is meant: whole ones as integers or
 * digits, fractions as decimal digits. As binary floating point 0.1 would be a little more than 0.1, and even a number that
 * is exact in it would not equal itself: Terraform compares digits, and writes fewer of them for a number of 53 bits.
 */
export function writeNumber(writer: MsgpackWriter, value: number | bigint, recollection: Recollection): void {
  if (typeof value === "bigint") return writeInteger(writer, value);
  if (Number.isSafeInteger(value)) return writer.integer(value === 0 ? 0 : value);
  if (!Number.isFinite(value)) return writer.float(value);
  if (Number.isInteger(value)) return writeInteger(writer, BigInt(value));
  writer.string(recollection.writeNumeral(value));
}

function writeInteger(writer: MsgpackWriter, value: bigint): void {
  if (BigInt.asIntN(64, value) === value) writer.integer(value);
  else writer.string(value.toString());
}

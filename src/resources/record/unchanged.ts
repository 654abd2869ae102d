/** A write goes only to the record that was planned for (design: Unchanged). */
import type { CommonRecord } from "../../api";
import { MovedOn } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection, Expectation } from "../family";
import type { RecordKind } from "./kind";
import { text } from "./members";

/**
 * @param expected by default uuid, key and account of `prior`
 * @throws MovedOn where the live record is another one, or has changed
 */
export function requireUnchanged<T extends CommonRecord>(
  { inventory, description }: RecordKind<T>,
  live: T,
  prior: ObjectValue,
  expected: Expectation | undefined,
): void {
  const { seq: _seq, ...identity } = inventory.expectation({ self: prior });
  const difference = differenceOf(inventory.expectation({ self: live }), expected ?? identity);
  if (difference !== undefined) throw new MovedOn(description.noun, identity.key ?? idIn(prior), difference);
}

/**
 * The live record of a known object, read by itself.
 * @throws MovedOn where it is gone
 */
export async function readKnown<T extends CommonRecord>(
  kind: RecordKind<T>,
  { client }: Connection,
  prior: ObjectValue,
): Promise<T> {
  const id = idIn(prior);
  const found = await kind.calls(client).find(id);
  if (found !== undefined) return found.record;
  const key = kind.inventory.expectation({ self: prior }).key ?? id;
  throw new MovedOn(kind.description.noun, key, "it is gone");
}

/** What is different, as a clause; undefined where nothing is. What one side does not know is not compared. */
export function differenceOf(live: Expectation, expected: Expectation): string | undefined {
  if (differ(live.uuid?.toLowerCase(), expected.uuid?.toLowerCase()))
    return `its uuid is ${live.uuid}, not ${expected.uuid}`;
  if (differ(live.key?.normalize("NFC"), expected.key?.normalize("NFC")))
    return `its name is ${JSON.stringify(live.key)} now`;
  if (differ(live.accountId, expected.accountId)) return `it belongs to the account ${live.accountId} now`;
  if (differ(live.seq, expected.seq)) return `its sequence number is ${live.seq}, not ${expected.seq}`;
  return undefined;
}

function differ<T>(live: T | undefined, expected: T | undefined): boolean {
  return live !== undefined && expected !== undefined && live !== expected;
}

/** Id of a known object. */
export function idIn(prior: ObjectValue): string {
  const id = text(prior["id"]) ?? text(prior["serial"]);
  if (id === undefined) throw new TypeError("the state of a known object has no id");
  return id;
}

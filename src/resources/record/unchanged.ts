/** A write goes only to the record that was planned for (design: Unchanged). */
import { MovedOn } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Expectation, Inventory } from "../family";
import { text } from "./members";

/**
 * Compares what is live with what was expected.
 * @throws MovedOn where it is another record, or has changed
 */
export function requireUnchanged(noun: string, key: string, live: Expectation, expected: Expectation): void {
  const difference = differenceOf(live, expected);
  if (difference !== undefined) throw new MovedOn(noun, key, difference);
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

/** What a state says of the record, with which its key is called otherwise for each kind. */
export function expectationOf(inventory: Inventory, prior: ObjectValue): Expectation {
  const { seq: _seq, ...expectation } = inventory.expectation({ self: prior });
  return expectation;
}

/** Id of a known object. */
export function idIn(prior: ObjectValue): string {
  const id = text(prior["id"]) ?? text(prior["serial"]);
  if (id === undefined) throw new TypeError("the state of a known object has no id");
  return id;
}

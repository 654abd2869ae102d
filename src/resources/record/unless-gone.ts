/** What the lists lack may be gone, or only not be listed (design: Whole lists). */
import type { CommonRecord } from "../../api";
import { AbsenceUnproven } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Snapshot } from "../directory";
import type { Connection } from "../family";
import type { RecordKind } from "./kind";
import { idIn } from "./unchanged";

/**
 * The record of a known object, read by itself.
 * @param doubtOf why absence from the lists proves nothing; undefined where it does
 * @returns undefined where it is proven to be gone
 * @throws AbsenceUnproven
 */
export async function unlessGone<T extends CommonRecord>(
  kind: RecordKind<T>,
  { client, directory }: Connection,
  prior: ObjectValue,
  doubtOf: (snapshot: Snapshot) => Promise<string | undefined> | string | undefined,
): Promise<T | undefined> {
  const { description, inventory } = kind;
  const id = idIn(prior);
  const found = await kind.calls(client).find(id);
  if (found !== undefined) return found.record;
  const snapshot = await directory.snapshot();
  const isListed = inventory.listed(id, snapshot) !== undefined;
  const reason = isListed ? "the list still has it" : await doubtOf(snapshot);
  if (reason === undefined) return undefined;
  const key = JSON.stringify(inventory.expectation({ self: prior }).key ?? null);
  throw new AbsenceUnproven(
    `${description.noun} ${key} (id ${id}) is not found, and that proves nothing: ${reason}`,
  );
}

import type { Outcome, Resource } from "../../../resources";

/** Sequence number of the record that an outcome is about, where it shows one. */
export function sequenceIn({ inventory }: Resource, { records }: Outcome): number | bigint | undefined {
  return records === undefined ? undefined : inventory?.expectation(records).seq;
}

/** Findings about records that are not the ones that they seem to be. */
import { problem, warning } from "./problem";

/** A warning: a known object is gone, and the service has given its id to another record. */
export const idGivenAgain = warning<{
  noun: string;
  key: string;
  id: string;
  /** Difference of the two records, as a clause. */
  difference: string;
}>({
  code: "TENANCY_ID_GIVEN_AGAIN",
  title: "An object was deleted outside, and another record has its id",
  summary: "an object was deleted outside, and another record has its id now",
  detail: ({ noun, key, id, difference }) =>
    `The ${noun} ${JSON.stringify(key)} had the id ${id}. The record that has it now is another one: ${difference}. Nothing was sent to it.`,
  advice: "If the service was restored from a backup, check what else it has lost.",
});

/** Two live records cannot be distinguished. */
export const twinRecords = problem<{ noun: string; key: string; ids: readonly string[] }>({
  code: "TENANCY_TWIN_RECORDS",
  title: "Two records cannot be distinguished",
  summary: ({ noun, key, ids }) =>
    `two records could be the ${noun} ${JSON.stringify(key)}: ${ids.join(" and ")}`,
  detail:
    "Their names differ only in their Unicode form, or their uuids only in the last byte. Nothing was sent to either.",
  advice: (_, say) =>
    `Delete the wrong one at the service, or leave it out of the run (${say.flag("exclude")}).`,
});

/** An account that holds storage, or users of others, is not deleted by the way. */
import { AccountNotEmpty, placeOf } from "../../errors";
import { deletions } from "./deletions";
import type { Guard } from "./guard";

export const nonempty: Guard = ({ changes, contents, permits }) => {
  if (permits.nonempty) return [];
  return contents.flatMap(({ provider, accountId, findings }) => {
    // Two services may give the same id.
    const change = deletions(changes).find(
      (one) => one.provider === provider && one.sighting?.id === accountId,
    );
    if (change === undefined || findings.length === 0 || change.before?.["allow_nonempty_delete"] === true)
      return [];
    return new AccountNotEmpty(change.title, findings, placeOf(change)).toDiagnostics();
  });
};

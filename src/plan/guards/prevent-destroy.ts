import { PreventDestroy, placeOf } from "../../errors";
import { deletions } from "./deletions";
import type { Guard } from "./guard";

/** What the configuration marks with `prevent_destroy` is neither deleted nor replaced. */
export const preventDestroy: Guard = ({ changes, preventDestroy: marked }) =>
  deletions(changes)
    .filter(({ address }) => marked.has(address))
    .flatMap((change) => new PreventDestroy(change.title, placeOf(change)).toDiagnostics());

import { PreventDestroy, placeOf } from "../../errors";
import type { Guard } from "./guard";

/** What the configuration marks with `prevent_destroy` is neither deleted nor replaced. */
export const preventDestroy: Guard = ({ changes, preventDestroy: marked }) =>
  changes.flatMap((change) =>
    (change.action === "delete" || change.action === "replace") && marked.has(change.address)
      ? new PreventDestroy(change.title, placeOf(change)).toDiagnostics()
      : [],
  );

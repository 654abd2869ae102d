/** Reads what our construct `Removed` writes into the stack's metadata. */
import { BrokenStack } from "../../errors";
import { isObject, type Value } from "../../values";
import type { Removed } from "../model";
import type { Reading } from "./reading";

export function readRemoved(reading: Reading, comment: Value | undefined): readonly Removed[] {
  const ours = isObject(comment) ? comment["tenancy"] : undefined;
  const entries = isObject(ours) ? ours["removed"] : undefined;
  return reading
    .anonymous({ address: "removed" })
    .objects(entries, [])
    .map((entry) => {
      const path = typeof entry["path"] === "string" ? entry["path"] : undefined;
      const reader = reading.anonymous({
        address: "removed",
        ...(path !== undefined && { constructPath: path }),
      });
      const text = (name: string): string | undefined => {
        const value = reader.text(entry[name], [name]);
        if (value !== undefined && /\$\{|%\{/.test(value)) {
          reader.report(new BrokenStack(`"${name}" of what is removed must be written out, not computed`), [
            name,
          ]);
        }
        return value;
      };
      const removed: Removed = {
        account: text("account"),
        login: text("login"),
        id: text("id"),
        serial: text("serial"),
        path,
        provider: text("provider"),
      };
      if ((removed.account === undefined) === (removed.login === undefined)) {
        reader.report(new BrokenStack("what is removed needs either an account or a login"));
      }
      reading.needProvider(`provider.${removed.provider ?? "tenancy"}`, reader.where);
      return removed;
    });
}

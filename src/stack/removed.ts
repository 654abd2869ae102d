import { isList, isObject, type Value } from "../values";
import type { Removed } from "./model";
import { textOf } from "./source";

/** Entries that `new Removed(…)` left in the stack's metadata, `"//".tenancy.removed`. */
export function removedOf(notes: Value | undefined): readonly Removed[] {
  const tenancy = isObject(notes) ? notes["tenancy"] : undefined;
  const entries = isObject(tenancy) ? tenancy["removed"] : undefined;
  return (isList(entries) ? entries : []).filter(isObject).map((entry) => ({
    account: textOf(entry, "account"),
    login: textOf(entry, "login"),
    id: textOf(entry, "id"),
    serial: textOf(entry, "serial"),
    path: textOf(entry, "path"),
    provider: textOf(entry, "provider"),
  }));
}

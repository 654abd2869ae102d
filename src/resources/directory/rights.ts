/** What the run's own credential may do, as far as that can be known. */
import { isObject, type ObjectValue } from "../../values";
import type { Right } from "../rights";
import type { Snapshot } from "./snapshot";

/** True or false where the service says so, undefined where it cannot be known. */
export function callerMay(snapshot: Snapshot, right: Right): boolean | undefined {
  const [group = "", name = ""] = right.split(".");
  for (const holder of [snapshot.caller, snapshot.callerProfile]) {
    const permissions = holder?.permissions as ObjectValue | null | undefined;
    if (!isObject(permissions)) continue;
    const inGroup = permissions[group];
    const rights = isObject(inGroup) ? inGroup["rights"] : undefined;
    const value = isObject(rights) ? rights[name] : undefined;
    if (typeof value === "boolean") return value;
  }
  return undefined;
}

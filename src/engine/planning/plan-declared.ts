import { planRecord, type PlanRecordOptions } from "./plan-record";
import { planToken, type PlanTokenOptions } from "./plan-token";
import type { Declared, PlannedObject } from "./planned-object";

/** Plans one declared object: a record of the service's lists, or a token of the store's. @throws TenancyError */
export function planDeclared(
  declared: Declared,
  options: PlanRecordOptions & PlanTokenOptions,
): PlannedObject {
  const { inventory } = declared.resource;
  return inventory === undefined ? planToken(declared, options) : planRecord(declared, inventory, options);
}

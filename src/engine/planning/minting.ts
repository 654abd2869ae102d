/** What keeps tokens from being minted, judged before anything is sent (design: Tokens). */
import { type Diagnostic, placeOf } from "../../errors";
import type { PlanOptions } from "../options";
import { absentStores } from "../store/doubt";
import { refusalToMint } from "../store/store-options";
import { mints } from "./plan-token";
import type { PlannedObject } from "./planned-object";

/** @param store description of the store, for messages */
export async function refusedMinting(
  objects: readonly PlannedObject[],
  store: string,
  options: PlanOptions,
): Promise<readonly Diagnostic[]> {
  const minted = objects.filter(({ change }) => mints(change));
  if (minted.length === 0) return [];
  return [
    ...(refusalToMint(options)?.toDiagnostics() ?? []),
    ...(options.initStore === true
      ? []
      : [...absentStores(minted, store).values()].flatMap((error) => error.toDiagnostics())),
    ...(await Promise.all(minted.map(foreseen))).flat(),
  ];
}

async function foreseen({ resource, target, config, block, instance }: PlannedObject) {
  const place = placeOf(block, instance.address);
  const diagnostics = (await resource.foresee?.(target.connection, config)) ?? [];
  return diagnostics.map((one): Diagnostic => ({ ...place, ...one }));
}

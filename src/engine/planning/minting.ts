/** What keeps tokens from being minted, judged before anything is sent (design: Tokens). */
import { AbsentStore, type Diagnostic, placeOf } from "../../errors";
import type { PlanOptions } from "../options";
import { refusalToMint } from "../store/store-options";
import { loginOf, mints } from "./plan-token";
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
    ...(options.initStore === true ? [] : absentStore(minted, store)),
    ...(await Promise.all(minted.map(foreseen))).flat(),
  ];
}

/** Tokens may exist already where their users do, and their store would know them. */
function absentStore(minted: readonly PlannedObject[], store: string): readonly Diagnostic[] {
  const doubtful = minted.filter((object) => {
    const login = loginOf(object);
    const { ledger, snapshot } = object.target;
    return !ledger.exists && login !== undefined && snapshot.profileWithLogin(login) !== undefined;
  });
  if (doubtful.length === 0) return [];
  return new AbsentStore(
    store,
    doubtful.map(({ change }) => change.title),
  ).toDiagnostics();
}

async function foreseen({ resource, target, config, block, instance }: PlannedObject) {
  const place = placeOf(block, instance.address);
  const diagnostics = (await resource.foresee?.(target.connection, config)) ?? [];
  return diagnostics.map((one): Diagnostic => ({ ...place, ...one }));
}

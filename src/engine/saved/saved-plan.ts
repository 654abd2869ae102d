/** A plan as a file: Terraform's JSON plan representation, and beside it what `apply FILE` holds a new plan to. */
import { PlanOutdated } from "../../errors";
import { jsonPlan } from "../../render/json";
import { stringifyJson } from "../../values";
import { argumentsOf } from "../inputs/variable-arguments";
import type { PlanOptions } from "../options";
import { planStack, type PlannedRun } from "../plan-stack";
import { differencesOf, differentArguments, promiseOf } from "./promise";
import { readSaved } from "./read-saved";

export function savedPlan(planned: PlannedRun): string {
  const json = jsonPlan(planned.plan);
  return `${stringifyJson({ ...json, tenancy: { ...json.tenancy, saved: promiseOf(planned) } }, 2)}\n`;
}

/**
 * Plans anew, with the flags and variables of the file.
 * @throws BrokenPlan, PlanOutdated
 */
export async function requireSame(text: string, outdir: string, options: PlanOptions): Promise<PlannedRun> {
  const saved = readSaved(text);
  const otherArguments = differentArguments(saved, options);
  if (otherArguments.length > 0) throw new PlanOutdated(otherArguments);
  const source = { name: saved.stack, outdir };
  // Files are given anew; what was given beside them won already.
  const variables = [...argumentsOf(options.variables), ...argumentsOf(saved.variables)];
  const planned = await planStack(source, { ...options, ...saved.flags, variables });
  const changed = differencesOf(saved, promiseOf(planned, saved.isKeyed));
  if (changed.length === 0) return planned;
  await planned.run.close();
  throw new PlanOutdated(changed);
}

/** One instance of a data source: its configuration, what the service answers, and what its conditions say of it. */
import { isError, placeOf, type Diagnostic } from "../../errors";
import type { Marked } from "../../expressions";
import type { Connection } from "../../resources";
import type { DataBlock } from "../../stack";
import { isWhollyKnown, type ObjectValue } from "../../values";
import type { Instance } from "../instances";
import type { Workspace } from "../workspace";
import { failedConditions } from "./conditions";
import { configurationOf } from "./configuration";
import { dataSourceOf } from "./families";
import { stateValue } from "./state-value";

export interface DataReading {
  /** What was read; undefined where something that it needs is unfit, or not known yet. */
  readonly read: { readonly state: ObjectValue; readonly value: Marked } | undefined;
  readonly findings: readonly Diagnostic[];
}

/**
 * @param connection undefined where it is too early to ask
 * @throws TenancyError where the service does not answer
 */
export async function readData(
  block: DataBlock,
  { address, surroundings }: Instance,
  workspace: Workspace,
  connection: Connection | undefined,
): Promise<DataReading> {
  const source = dataSourceOf(block.type);
  const { description } = source;
  const { preconditions, postconditions } = block.lifecycle;
  const place = placeOf(block, address);
  const scope = workspace.scope(surroundings);
  const { config, sensitive, diagnostics } = configurationOf(description, block.body.evaluate(scope));
  const findings = [
    ...failedConditions(preconditions, scope, place),
    ...diagnostics,
    ...source.check(config),
  ];
  if (connection === undefined || !isWhollyKnown(config) || findings.some(isError))
    return { read: undefined, findings };
  const state = await source.read(connection, config);
  const value = stateValue(state, { description, sensitive });
  const after = workspace.scope({ ...surroundings, self: value });
  return {
    read: { state, value },
    findings: [...findings, ...failedConditions(postconditions, after, place)],
  };
}

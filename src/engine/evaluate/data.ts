/** Evaluates one instance of a data source: its configuration, the service's answer, and its conditions. */
import { asWarning, type Finding, isError, notInSnapshot, whereaboutsOf } from "../../problems";
import type { DataSource } from "../../resources";
import type { Connection } from "../../service";
import type { DataBlock, EphemeralBlock } from "../../stack";
import {
  EPHEMERAL,
  FROM_SNAPSHOT,
  isWhollyKnown,
  mark,
  type Marked,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  textOf,
  UNKNOWN,
  Unknown,
  unmark,
} from "../../lib/values";
import { dataSourceOf, ephemeralOf } from "../families";
import type { Instance } from "../planned-object";
import type { ReadTarget } from "../target";
import { configurationOf } from "./configuration";
import { instancesOf, valueOfBlock } from "./instances";
import { failedConditions, stateValue, type Workspace } from "./workspace";
import { hiding } from "./secrets";
import type { StackEvaluation } from "./stack-evaluation";

/** Reads a data source, unless it has to wait for changes of this plan. */
export async function visitData(block: DataBlock, evaluation: StackEvaluation): Promise<void> {
  const { workspace } = evaluation.options;
  if (!evaluation.isSelected(block)) return evaluation.define(block, () => UNKNOWN);
  const target = await evaluation.targets.of(block.provider);
  const mustWait = block.dependencies.some((address) => evaluation.changing.has(address));
  const instances = instancesOf(block.address, block, workspace.scope());
  const values = await Promise.all(
    instances.map(async (instance) => ({
      key: instance.key,
      value: await readInstance(block, instance, mustWait ? undefined : target, evaluation),
    })),
  );
  evaluation.define(block, () => valueOfBlock(block, values));
}

async function readInstance(
  block: DataBlock,
  instance: Instance,
  target: ReadTarget | undefined,
  { options, findings, deferred, evaluated, keysOfUnknowns }: StackEvaluation,
): Promise<Marked> {
  const { address } = instance;
  const where = whereaboutsOf(block, address);
  try {
    const {
      read,
      key,
      findings: readFindings,
    } = await readData(block, instance, options.workspace, target?.connection);
    const isFit = findings.accept(readFindings, where);
    if (read === undefined) {
      if (!isFit) return UNKNOWN;
      deferred.add(block.address);
      const id = new Unknown({ notNull: true });
      if (key !== undefined) keysOfUnknowns.set(id, key);
      return unreadValue(dataSourceOf(block.type), UNKNOWN, id);
    }
    evaluated.push({
      address,
      mode: "data",
      type: block.type,
      values: read.state,
      sensitive: unmark(read.value).sensitive,
      constructPath: block.constructPath,
    });
    return options.isRecorded ? mark(read.value, FROM_SNAPSHOT) : read.value;
  } catch (error) {
    if (notInSnapshot.is(error)) {
      findings.accept(asWarning(error), where);
      deferred.add(block.address);
      return unreadValue(dataSourceOf(block.type), NOT_IN_SNAPSHOT);
    }
    findings.report(error, where);
    return UNKNOWN;
  }
}

/** A data source that is not read yet has its attributes all the same, so that a reference to nothing is found before anything is asked. */
function unreadValue(
  { description }: DataSource,
  placeholder: Unknown = UNKNOWN,
  id: Unknown = placeholder,
): Marked {
  const names = Object.keys(description.attributes);
  const state = Object.fromEntries(names.map((name) => [name, name === "id" ? id : placeholder]));
  return stateValue(state, { description, sensitive: [] });
}

/** Opens an ephemeral resource for this run. */
export async function visitEphemeral(block: EphemeralBlock, evaluation: StackEvaluation): Promise<void> {
  const { workspace } = evaluation.options;
  const target = evaluation.isSelected(block) ? await evaluation.targets.of(block.provider) : undefined;
  const instances = instancesOf(block.address, block, workspace.scope());
  const values = await Promise.all(
    instances.map(async (instance) => ({
      key: instance.key,
      value: mark(await openEphemeral(block, instance, target, evaluation), EPHEMERAL),
    })),
  );
  evaluation.define(block, () => valueOfBlock(block, values));
}

async function openEphemeral(
  block: EphemeralBlock,
  { address, surroundings }: Instance,
  target: ReadTarget | undefined,
  evaluation: StackEvaluation,
) {
  const { workspace } = evaluation.options;
  const findings = evaluation.findingsFor(block);
  const resource = ephemeralOf(block.type);
  const scope = workspace.scope(surroundings);
  const where = whereaboutsOf(block, address);
  try {
    findings.accept(failedConditions(block.lifecycle.preconditions, scope, where), where);
    const evaluated = configurationOf(resource.description, block.body.evaluate(scope), { isKept: false });
    const { config, sensitive, findings: configurationFindings } = evaluated;
    const isFit = findings.accept(configurationFindings, where);
    // A snapshot has no secrets.
    if (!isFit || target === undefined || target.takenAt !== undefined) return UNKNOWN;
    const surroundings = {
      environment: evaluation.options.environment,
      storedToken: (login: string, name: string) => target.part.tokens.get({ login, name })?.record,
    };
    const mayOpen = findings.accept(resource.check?.(config, surroundings) ?? [], where);
    const mustWait =
      resource.check !== undefined && block.dependencies.some((one) => evaluation.changing.has(one));
    if (!mayOpen || mustWait || !isWhollyKnown(config)) return UNKNOWN;
    return await hiding(config, sensitive, () => resource.open(target.connection, config, surroundings));
  } catch (error) {
    // A plan's session is for this run alone, and the apply opens its own.
    if (notInSnapshot.is(error)) return UNKNOWN;
    findings.report(error, where);
    return UNKNOWN;
  }
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
): Promise<{
  /** The value that was read; undefined if the configuration is invalid or not known yet. */
  readonly read: { readonly state: ObjectValue; readonly value: Marked } | undefined;
  /** Name or login of the object that is looked up, if it is known and not sensitive. */
  readonly key: string | undefined;
  readonly findings: readonly Finding[];
}> {
  const source = dataSourceOf(block.type);
  const { description } = source;
  const { preconditions, postconditions } = block.lifecycle;
  const where = whereaboutsOf(block, address);
  const scope = workspace.scope(surroundings);
  const {
    config,
    sensitive,
    findings: configurationFindings,
  } = configurationOf(description, block.body.evaluate(scope));
  const findings = [
    ...failedConditions(preconditions, scope, where),
    ...configurationFindings,
    ...source.check(config),
  ];
  const key = sensitive.length > 0 ? undefined : textOf(config["name"] ?? config["login"]);
  if (connection === undefined || !isWhollyKnown(config) || findings.some(isError))
    return { read: undefined, key, findings };
  const state = await hiding(config, sensitive, () => source.read(connection, config));
  const value = stateValue(state, { description, sensitive });
  const after = workspace.scope({ ...surroundings, self: value });
  return {
    read: { state, value },
    key,
    findings: [...findings, ...failedConditions(postconditions, after, where)],
  };
}

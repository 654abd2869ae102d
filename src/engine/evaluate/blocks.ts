/** Evaluates the blocks that are values: variables, locals, outputs, providers. */
import { convertOrFail, type Scope } from "../../lib/language";
import { v5FromText } from "../../ownership";
import { type Finding, ephemeralValue, whereaboutsOf, sensitiveOutput } from "../../problems";
import type {
  LocalBlock,
  OutputBlock,
  ProviderBlock,
  RemoteStateBlock,
  ValueBlock,
  VariableBlock,
} from "../../stack";
import { textsSetting } from "../../service";
import {
  allMarksOf,
  bare,
  EPHEMERAL,
  FROM_SNAPSHOT,
  formatPath,
  isKnownAfterApply,
  isList,
  isMarkedObject,
  isObject,
  isWhollyKnown,
  jsonType,
  mark,
  type Marked,
  SENSITIVE,
  SENSITIVE_TEXT,
  stringifyJson,
  type Type,
  typeOf,
  UNKNOWN,
  unmark,
  type Value,
} from "../../lib/values";
import { secretToCome, valueOfVariable } from "../load/stack";
import type { Instance } from "../planned-object";
import { instancesOf, valueOfBlock } from "./instances";
import { providerConfiguration, requireKnown, shownSecrets, withoutCredentialAttributes } from "./providers";
import { hiding } from "./secrets";
import type { StackEvaluation } from "./stack-evaluation";
import { failedConditions, type Workspace } from "./workspace";

export function visitVariable(block: VariableBlock, { options, findings }: StackEvaluation): void {
  const { workspace, variables } = options;
  const givenValue = variables.get(block.name);
  const lacks = givenValue === undefined && block.default === undefined;
  if (lacks && options.open === undefined) {
    workspace.define(block.address, () => UNKNOWN);
    return;
  }
  if (lacks && options.lacksSecrets && block.sensitive) {
    workspace.define(block.address, () => secretToCome(block));
    return;
  }
  const value = valueOfVariable(block, givenValue);
  workspace.define(block.address, () => value);
  const where = { address: block.address };
  findings.accept(failedConditions(block.validations, workspace.scope(), where), where);
}

export function visitLocal(block: LocalBlock, evaluation: StackEvaluation): void {
  const value = block.value.evaluate(evaluation.options.workspace.scope());
  evaluation.define(block, () => value);
}

export function visitOutput(block: OutputBlock, evaluation: StackEvaluation): void {
  const scope = evaluation.options.workspace.scope();
  const where = whereaboutsOf(block);
  const isFit = evaluation
    .findingsFor(block)
    .accept(failedConditions(block.preconditions, scope, where), where);
  if (!isFit) return;
  const value = block.value.evaluate(scope);
  requireShowable(block, value);
  const after = bare(value);
  evaluation.define(block, () => value);
  evaluation.outputs.push({
    name: block.name,
    action: isSettled(after) ? "none" : "update",
    after,
    type: jsonType(typeOf(after)),
    // An output over a data source would print the snapshot's data of all tenants.
    sensitive: block.sensitive || (allMarksOf(value) & FROM_SNAPSHOT) !== 0,
    description: block.description,
  });
}

/** @throws ephemeralValue, sensitiveOutput where the output may not have the value */
export function requireShowable(block: OutputBlock, value: Marked): void {
  const marks = allMarksOf(value);
  if ((marks & EPHEMERAL) !== 0) throw ephemeralValue.error(block.address, whereaboutsOf(block));
  if (!block.sensitive && (marks & SENSITIVE) !== 0) throw sensitiveOutput.error(block.name);
}

/** True if the apply will make no part of it known. A part that only a snapshot lacks is there already. */
function isSettled(value: Value): boolean {
  if (isList(value)) return value.every(isSettled);
  if (isObject(value)) return Object.values(value).every(isSettled);
  return !isKnownAfterApply(value);
}

/** The reading of the service's lists begins here. */
export function visitProvider(block: ProviderBlock, evaluation: StackEvaluation): void {
  const { options, findings, targets, secretNames } = evaluation;
  const { open, workspace } = options;
  targets.skip(block.name);
  const {
    config: whole,
    sensitive,
    findings: configurationFindings,
  } = providerConfiguration(block, workspace.scope());
  targets.extraRights.set(block.name, textsSetting(whole, "extra_rights"));
  const isCallerHidden = sensitive.some(([name]) => name === "username");
  secretNames.note(whole, sensitive, `provider.${block.name}`);
  if (
    !findings.accept([...configurationFindings, ...shownSecrets(sensitive)], whereaboutsOf(block)) ||
    open === undefined
  )
    return;
  const config = options.isRecorded ? withoutCredentialAttributes(whole) : whole;
  requireKnown(block, config);
  targets.begin(block.name, config, (provider) =>
    hiding(whole, sensitive, async () => {
      const target = await open(provider, config);
      return isCallerHidden ? { ...target, caller: SENSITIVE_TEXT } : target;
    }),
  );
}

/** The outputs of another stack of the app. */
export async function visitRemoteState(block: RemoteStateBlock, evaluation: StackEvaluation): Promise<void> {
  const { open, outputsOf } = evaluation.options;
  const isAsked = open !== undefined && evaluation.isSelected(block);
  const outputs = isAsked ? await outputsOf(block.stack) : UNKNOWN;
  evaluation.define(block, () => ({ outputs }));
}

/** `null_resource` and `terraform_data`. */
export async function visitValue(block: ValueBlock, evaluation: StackEvaluation): Promise<void> {
  const findings = evaluation.findingsFor(block);
  const instances: ValueInstance[] = [];
  for (const instance of valueInstances(block, evaluation.options.workspace)) {
    await evaluation.pause();
    instances.push(instance);
    const { address, value, findings: instanceFindings } = instance;
    const where = whereaboutsOf(block, address);
    findings.accept(instanceFindings, where);
    const { value: values, sensitive, ephemeral } = unmark(value);
    // The output repeats the input.
    for (const path of ephemeral.filter(([first]) => first !== "output"))
      findings.report(ephemeralValue.error(formatPath(path), { attribute: path }), where);
    evaluation.evaluated.push({
      address,
      mode: "managed",
      type: block.type,
      values,
      sensitive,
      constructPath: block.constructPath,
    });
  }
  evaluation.define(block, () => valueOfBlock(block, instances));
}

// `null_resource` and `terraform_data`: values that the embedded engine derives; they are never a change.

/** An instance of a value block. */
interface ValueInstance extends Instance {
  readonly value: Marked;
  /** Findings of its conditions. */
  readonly findings: readonly Finding[];
}

/** Evaluates on demand, one after the other. @throws invalidExpansion */
export function* valueInstances(block: ValueBlock, workspace: Workspace): Generator<ValueInstance> {
  const { preconditions, postconditions } = block.lifecycle;
  for (const instance of instancesOf(block.address, block, workspace.scope())) {
    const { address, surroundings } = instance;
    const where = whereaboutsOf(block, address);
    const scope = workspace.scope(surroundings);
    const value = evaluateValueBlock(block, address, scope);
    const after = workspace.scope({ ...surroundings, self: value });
    const findings = [
      ...failedConditions(preconditions, scope, where),
      ...failedConditions(postconditions, after, where),
    ];
    yield { ...instance, value, findings };
  }
}

/** The id follows from the address and the triggers, so that it is the same in every run until one of them changes. */
function evaluateValueBlock(block: ValueBlock, address: string, scope: Scope): Marked {
  const evaluated = block.body.evaluate(scope);
  const body = isMarkedObject(evaluated) ? evaluated : {};
  if (block.type === "null_resource") {
    const triggers = body["triggers"] ?? null;
    return {
      id: terraformDataId(address, triggers),
      triggers: convertOrFail(triggers, TRIGGERS, ["triggers"]),
    };
  }
  const input = body["input"] ?? null;
  const triggers = body["triggers_replace"] ?? null;
  return { id: terraformDataId(address, triggers), input, output: input, triggers_replace: triggers };
}

const TRIGGERS: Type = { kind: "map", element: "string" };

function terraformDataId(address: string, triggers: Marked): Marked {
  const value = bare(triggers);
  const id = isWhollyKnown(value) ? v5FromText(`${address} ${stringifyJson(value)}`) : UNKNOWN;
  // Who sees the id of a short secret can guess the secret.
  return mark(id, allMarksOf(triggers));
}

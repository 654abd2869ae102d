/** Plans each instance of a declared resource, once its references are planned. */
import { unmanagedObject, noSuchObject, whereaboutsOf, renamedOutside, type Location } from "../../problems";
import { unfitIgnored } from "../../schema";
import type { ResourceBlock } from "../../stack";
import { type Marked, UNKNOWN } from "../../lib/values";
import { locateDeclared, planRecord, type PlanRecordOptions } from "../diff/record";
import { planToken, type PlanTokenOptions } from "../tokens/plan";
import { resourceOf } from "../families";
import { noteSecrets } from "../hidden-secrets";
import type { DeclaredObject, Instance, PlannedObject, ConflictingObject, ReadTarget } from "../stages";
import { prepared } from "./configuration";
import { instancesOf, valueOfBlock } from "./instances";
import { failedConditions, stateValue } from "./workspace";
import {
  type Findings,
  foreseenKey,
  promisedValue,
  refuseTwice,
  type StackEvaluation,
} from "./stack-evaluation";

/** Returns a promise only if there is something to wait for, which is rare in a large stack. */
export function visitResource(block: ResourceBlock, walking: StackEvaluation): Promise<void> | undefined {
  const target = walking.targets.of(block.provider);
  if (target instanceof Promise) return target.then((opened) => visitInstances(block, walking, opened));
  return visitInstances(block, walking, target);
}

interface Visited {
  readonly key: Instance["key"];
  readonly value: () => Marked;
}

function visitInstances(
  block: ResourceBlock,
  walking: StackEvaluation,
  target: ReadTarget | undefined,
): Promise<void> | undefined {
  const { workspace } = walking.options;
  const findings = walking.findingsFor(block);
  try {
    const instances = instancesOf(block.address, block, workspace.scope());
    const visit = (instance: Instance) => visitInstance(block, instance, target, walking, findings);
    if (instances.length > 1)
      return visitEach(instances, visit, walking).then((visited) =>
        define(block, instances, visited, walking, findings),
      );
    define(block, instances, instances.map(visit), walking, findings);
  } catch (error) {
    findings.report(error, whereaboutsOf(block));
    noteUnread(block, walking, findings);
  }
  return undefined;
}

async function visitEach(
  instances: readonly Instance[],
  visit: (instance: Instance) => Visited | undefined,
  walking: StackEvaluation,
): Promise<readonly (Visited | undefined)[]> {
  const visited: (Visited | undefined)[] = [];
  for (const instance of instances) {
    visited.push(visit(instance));
    const pause = walking.pause();
    if (pause !== undefined) await pause;
  }
  return visited;
}

function define(
  block: ResourceBlock,
  instances: readonly Instance[],
  visited: readonly (Visited | undefined)[],
  walking: StackEvaluation,
  findings: Findings,
): void {
  const whole = visited.filter((one) => one !== undefined);
  // If a part of a block is missing, other blocks would look wrong although they are not.
  if (whole.length === instances.length) walking.define(block, () => valueOf(block, whole));
  else walking.define(block, () => UNKNOWN);
  noteUnread(block, walking, findings);
}

function noteUnread(block: ResourceBlock, walking: StackEvaluation, findings: Findings): void {
  if (!walking.isSelected(block) && findings.errors.length > 0) walking.unread.push(block.address);
}

function valueOf(block: ResourceBlock, visited: readonly Visited[]): Marked {
  return valueOfBlock(
    block,
    visited.map(({ key, value }) => ({ key, value: value() })),
  );
}

function visitInstance(
  block: ResourceBlock,
  instance: Instance,
  target: ReadTarget | undefined,
  walking: StackEvaluation,
  findings: Findings,
): Visited | undefined {
  const { workspace, destroy } = walking.options;
  const { postconditions } = block.lifecycle;
  const where = whereaboutsOf(block, instance.address);
  try {
    const declared = declare(block, instance, walking, findings, where);
    if (declared === undefined) return undefined;
    const value =
      target === undefined
        ? evaluateOffline(declared, walking, findings, where)
        : plan({ target, ...declared }, walking, findings, where);
    if (postconditions.length > 0 && !destroy) {
      const scope = workspace.scope({ ...instance.surroundings, self: value() });
      findings.accept(failedConditions(postconditions, scope, where), where);
    }
    return { key: instance.key, value };
  } catch (error) {
    findings.report(error, where);
    return undefined;
  }
}

/** The declaration, evaluated and checked; undefined where it is unfit. */
function declare(
  block: ResourceBlock,
  instance: Instance,
  { options, configurations, imports, secretNames }: StackEvaluation,
  findings: Findings,
  where: Location,
): Omit<DeclaredObject, "target"> | undefined {
  const resource = resourceOf(block.type);
  const scope = options.workspace.scope(instance.surroundings);
  const importId = imports?.idFor(instance.address);
  const failed = failedConditions(block.lifecycle.preconditions, scope, where);
  if (!findings.accept(failed, where)) return undefined;
  const configure = configurations.get(block) ?? prepared(resource.description, block.body);
  const { config, sensitive, findings: found } = configure(scope);
  secretNames.note(config, sensitive, instance.address);
  const { ignoreChanges } = block.lifecycle;
  const ignored = unfitIgnored(resource.description.attributes, ignoreChanges, config);
  const isFit = findings.accept([...found, ...ignored], where);
  if (!findings.accept(resource.check(config), where) || !isFit) return undefined;
  const { titleOf } = secretNames;
  return { block, instance, resource, config, sensitive, titleOf, importId };
}

/** Plans without a service, as if every object were new. */
function evaluateOffline(
  declared: Omit<DeclaredObject, "target">,
  walking: StackEvaluation,
  findings: Findings,
  where: Location,
): () => Marked {
  const key = foreseenKey(declared, walking, undefined);
  refuseTwice(key, declared.block.provider, declared, walking);
  const { config, instance, resource, titleOf } = declared;
  walking.foreseen.push({ type: resource.description.type, key, address: instance.address, config });
  const context = { asOf: undefined, titleOf, isForeseen: true };
  const { planned, findings: found } = resource.propose(config, null, context);
  findings.accept(found, where);
  return promisedValue(planned, key, declared, walking);
}

/** A record of the service's lists, or a token of the store's. @throws TenancyError */
function planDeclared(
  declared: DeclaredObject,
  options: PlanRecordOptions & PlanTokenOptions,
): PlannedObject {
  const { kind, inventory } = declared.resource;
  return kind === "token" ? planToken(declared, options) : planRecord(declared, inventory, options);
}

/** What is live in the place of a declared object that cannot be planned. */
function strayOf(declared: DeclaredObject): ConflictingObject | undefined {
  const { kind, inventory } = declared.resource;
  if (kind === "token") return undefined;
  const lookup = locateDeclared(declared, inventory);
  if (lookup.kind === "live" && lookup.claim === "unmanaged")
    return { ...declared, key: inventory.textOf(lookup.key), found: lookup.records, isRenamed: false };
  if (lookup.kind !== "refused" || lookup.key === undefined || lookup.found === undefined) return undefined;
  const isRenamed = renamedOutside.is(lookup.error);
  return { ...declared, key: inventory.textOf(lookup.key), found: lookup.found, isRenamed };
}

/** Whether a record only looks absent, so that its create is refused. */
function mayExist({ resource: { inventory }, lookup, target }: PlannedObject): boolean {
  return lookup !== undefined && inventory?.doubtOf(lookup, target.snapshot)?.blocksCreate === true;
}

function plan(
  declared: DeclaredObject,
  walking: StackEvaluation,
  findings: Findings,
  where: Location,
): () => Marked {
  const { plannedAt, resetPasswords, sendUnseen, destroy, rotation, reader } = walking.options;
  const options = {
    plannedAt,
    resetPasswords,
    sendUnseen,
    reader,
    destroy,
    foreseenKey: () => foreseenKey(declared, walking, declared.target.snapshot),
    isNewUser: (login: string) => !destroy && walking.newUsers.has(`${declared.target.origin} ${login}`),
    rotation,
  };
  const { block, resource, sensitive, target } = declared;
  noteSecrets(resource.description, declared.config, target.secrets);
  let object: PlannedObject;
  try {
    object = planDeclared(declared, options);
  } catch (error) {
    const { strays } = walking.options;
    const stray = strays === undefined ? undefined : strayOf(declared);
    if (stray !== undefined) {
      strays?.push(stray);
      const live = resource.inventory?.stateOf(stray.found, null) ?? {};
      return () => stateValue(live, { description: resource.description, sensitive });
    }
    if (strays !== undefined && noSuchObject.is(error) && declared.importId !== undefined)
      return plan({ ...declared, importId: undefined }, walking, findings, where);
    // What is declared in an account of others may be theirs too: all of it is reported at once.
    if (!unmanagedObject.is(error) || resource.container === undefined) throw error;
    findings.report(error, where);
    const { change } = planDeclared(declared, { ...options, toleratesUnmanaged: true });
    return () => stateValue(change.before ?? {}, { description: resource.description, sensitive });
  }
  const { change } = object;
  findings.accept(object.findings, where);
  refuseTwice(change.key, target.origin, declared, walking);
  walking.objects.push(object);
  if (change.action === "none")
    return () =>
      stateValue(change.after ?? {}, { description: resource.description, sensitive: object.sensitive });
  if (walking.isSelected(block)) {
    walking.changing.add(block.address);
    if (change.action === "create" && !mayExist(object))
      walking.newUsers.add(`${target.origin} ${change.key}`);
  }
  return promisedValue(change.after ?? {}, change.key, object, walking);
}

/** Plans each instance of a declared resource, once its references are planned. */
import { unmanagedObject, whereaboutsOf, renamedOutside, type Location } from "../../problems";
import { unfitIgnored } from "../../schema";
import { acceptingExtraRights } from "../../service";
import type { ResourceBlock } from "../../stack";
import { hasNoAccess } from "../../resources";
import { isUnknown, type Marked, normalForm, type ObjectValue, UNKNOWN } from "../../lib/values";
import { locateDeclared, planRecord, type PlanRecordOptions } from "../diff/record";
import { planToken, type PlanTokenOptions } from "../tokens/plan";
import { resourceOf } from "../families";
import { noteSecrets } from "../hidden-secrets";
import type { ConflictingObject, DeclaredObject, Instance, PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { prepared } from "./configuration";
import { instancesOf, valueOfBlock } from "./instances";
import { failedConditions, stateValue } from "./workspace";
import {
  type Findings,
  foreseenKey,
  referencedValue,
  refuseTwice,
  type StackEvaluation,
} from "./stack-evaluation";

/** Returns a promise only if there is something to wait for, which is rare in a large stack. */
export function visitResource(block: ResourceBlock, evaluation: StackEvaluation): Promise<void> | undefined {
  const target = evaluation.targets.of(block.provider);
  if (target instanceof Promise)
    return target.then((openTarget) => planInstances(block, evaluation, openTarget));
  return planInstances(block, evaluation, target);
}

/** An instance, and the value of a reference to it. */
interface ReferencedInstance {
  readonly key: Instance["key"];
  readonly value: () => Marked;
}

function planInstances(
  block: ResourceBlock,
  evaluation: StackEvaluation,
  target: ReadTarget | undefined,
): Promise<void> | undefined {
  const findings = evaluation.findingsFor(block);
  const define = (instances: readonly (ReferencedInstance | undefined)[]): void => {
    const fit = instances.filter((one) => one !== undefined);
    // If an instance is wrong, references to its block are unknown. Otherwise correct blocks that refer to it would be reported, too.
    if (fit.length < instances.length) evaluation.define(block, () => UNKNOWN);
    else
      evaluation.define(block, () =>
        valueOfBlock(
          block,
          fit.map(({ key, value }) => ({ key, value: value() })),
        ),
      );
    noteUnevaluated(block, evaluation, findings);
  };
  try {
    const instances = instancesOf(block.address, block, evaluation.options.workspace.scope());
    if (instances.length > 1)
      return planEach(
        instances,
        (one) => planObject(block, one, target, evaluation, findings),
        evaluation,
      ).then(define);
    define(instances.map((one) => planObject(block, one, target, evaluation, findings)));
  } catch (error) {
    findings.report(error, whereaboutsOf(block));
    noteUnevaluated(block, evaluation, findings);
  }
  return undefined;
}

async function planEach(
  instances: readonly Instance[],
  plan: (instance: Instance) => ReferencedInstance | undefined,
  evaluation: StackEvaluation,
): Promise<readonly (ReferencedInstance | undefined)[]> {
  const plans: (ReferencedInstance | undefined)[] = [];
  for (const instance of instances) {
    plans.push(plan(instance));
    const pause = evaluation.pause();
    if (pause !== undefined) await pause;
  }
  return plans;
}

function noteUnevaluated(block: ResourceBlock, evaluation: StackEvaluation, findings: Findings): void {
  if (!evaluation.isSelected(block) && findings.errors.length > 0) evaluation.unread.push(block.address);
}

/**
 * Plans one declared object, from its configuration to its change. Undefined where the object is wrong: `findings` say why.
 * @param target undefined if no service is asked, or if the service could not be read: its own error is reported
 */
function planObject(
  block: ResourceBlock,
  instance: Instance,
  target: ReadTarget | undefined,
  evaluation: StackEvaluation,
  findings: Findings,
): ReferencedInstance | undefined {
  const { options, secretNames } = evaluation;
  const { workspace, destroy } = options;
  const { preconditions, postconditions, ignoreChanges } = block.lifecycle;
  const resource = resourceOf(block.type);
  const where = whereaboutsOf(block, instance.address);
  try {
    // The preconditions are checked. Then the configuration is evaluated and checked without the service: types and lengths, `ignore_changes`, the rules of the family.
    const scope = workspace.scope(instance.surroundings);
    const importId = evaluation.imports?.idFor(instance.address);
    if (!findings.accept(failedConditions(preconditions, scope, where), where)) return undefined;
    const configure = evaluation.configurations.get(block) ?? prepared(resource.description, block.body);
    const { config, sensitive, findings: ofConfiguration } = configure(scope);
    secretNames.note(config, sensitive, instance.address);
    const extraRights = evaluation.targets.extraRights.get(block.provider);
    const ofIgnored = unfitIgnored(resource.description.attributes, ignoreChanges, config, extraRights);
    const isFit = findings.accept(
      [...acceptingExtraRights(ofConfiguration, extraRights), ...ofIgnored],
      where,
    );
    if (!findings.accept(resource.check(config), where) || !isFit) return undefined;

    // The live record, or the token in the state, is looked up and compared. Without a service every object counts as new.
    const { titleOf } = secretNames;
    const declaredObject = { block, instance, resource, config, sensitive, titleOf, importId };
    const value =
      target === undefined
        ? planOffline(declaredObject, evaluation, findings, where)
        : planOnline({ target, ...declaredObject }, evaluation, findings, where);

    if (postconditions.length > 0 && !destroy) {
      const after = workspace.scope({ ...instance.surroundings, self: value() });
      findings.accept(failedConditions(postconditions, after, where), where);
    }
    return { key: instance.key, value };
  } catch (error) {
    findings.report(error, where);
    return undefined;
  }
}

/** @returns the value of a reference to the object */
function planOffline(
  declaredObject: Omit<DeclaredObject, "target">,
  evaluation: StackEvaluation,
  findings: Findings,
  where: Location,
): () => Marked {
  const key = foreseenKey(declaredObject, evaluation, undefined);
  refuseTwice(key, declaredObject.block.provider, declaredObject, evaluation);
  const { block, config, instance, resource, titleOf } = declaredObject;
  const { type } = resource.description;
  const { provider } = block;
  evaluation.offlineObjects.push({ type, provider, key, address: instance.address, config, titleOf });
  const proposal = resource.propose(config, null, { asOf: undefined, titleOf, isForeseen: true });
  findings.accept(proposal.findings, where);
  return referencedValue(proposal.planned, key, declaredObject, evaluation);
}

/** @returns the value of a reference to the object */
function planOnline(
  declaredObject: DeclaredObject,
  evaluation: StackEvaluation,
  findings: Findings,
  where: Location,
): () => Marked {
  const { plannedAt, resetPasswords, recovers, destroy, rotation, reader, strays } = evaluation.options;
  const { block, resource, sensitive, target } = declaredObject;
  const { description } = resource;
  noteSecrets(declaredObject);
  const options = {
    plannedAt,
    resetPasswords,
    recovers,
    toleratesAbsent: strays !== undefined,
    reader,
    destroy,
    foreseenKey: () => foreseenKey(declaredObject, evaluation, target.snapshot),
    isNewUser: (login: string) => !destroy && evaluation.usersToCreate.has(`${target.origin} ${login}`),
    isWithoutAccess: (login: string) =>
      !destroy &&
      hasNoAccess(target.snapshot.profileWithLogin(login), plannedUser(login, target.origin, evaluation)),
    rotation,
  };
  let object: PlannedObject;
  try {
    object = planChange(declaredObject, options);
  } catch (error) {
    // Only a look for drift gives `strays`. It reports the record in the object's place, and goes on.
    const conflict = strays === undefined ? undefined : conflictWith(declaredObject);
    if (conflict !== undefined) {
      strays?.push(conflict);
      // References mean the object under the name that is declared.
      const live = resource.inventory?.stateOf(conflict.found, null) ?? {};
      const names = {
        username: declaredObject.config["username"],
        name: declaredObject.config["name"],
        login: conflict.key,
      };
      const state = Object.fromEntries(
        Object.entries(live).map(([name, value]) => [name, names[name as keyof typeof names] ?? value]),
      );
      return () => stateValue(state, { description, sensitive });
    }
    // If an account is unmanaged, its users may be unmanaged, too. Planning goes on, so that one run reports all of them.
    if (!unmanagedObject.is(error) || resource.container === undefined) throw error;
    findings.report(error, where);
    const { change } = planChange(declaredObject, { ...options, toleratesUnmanaged: true });
    return () => stateValue(change.before ?? {}, { description, sensitive });
  }

  const { change } = object;
  findings.accept(object.findings, where);
  refuseTwice(change.key, target.origin, declaredObject, evaluation);
  if (object.isWaiting === true && change.before === null) {
    // It is as if it were not declared: nothing is in the state either.
    const values = Object.entries(change.after ?? {}).map(([name, value]) => [
      name,
      isUnknown(value) ? null : value,
    ]);
    const state = Object.fromEntries(values) as ObjectValue;
    return () => stateValue(state, { description, sensitive: object.sensitive });
  }
  evaluation.objects.push(object);
  if (change.action === "none")
    return () => stateValue(change.after ?? {}, { description, sensitive: object.sensitive });
  if (evaluation.isSelected(block)) {
    evaluation.changing.add(block.address);
    if (change.action === "create" && !mayExistUnseen(object))
      evaluation.usersToCreate.add(`${target.origin} ${change.key}`);
  }
  return referencedValue(change.after ?? {}, change.key, object, evaluation);
}

/** The user with a login, or the account whose primary user has it, as the plan leaves it; undefined where the run does not change it. */
function plannedUser(login: string, origin: string, evaluation: StackEvaluation): ObjectValue | undefined {
  const user = evaluation.objects.find(
    ({ resource, target, block, change }) =>
      Object.hasOwn(resource.description.attributes, "access_api") &&
      target.origin === origin &&
      normalForm(change.key) === normalForm(login) &&
      evaluation.isSelected(block),
  );
  return user?.change.after ?? undefined;
}

/** @throws TenancyError */
function planChange(
  declaredObject: DeclaredObject,
  options: PlanRecordOptions & PlanTokenOptions,
): PlannedObject {
  const { kind, inventory } = declaredObject.resource;
  return kind === "token"
    ? planToken(declaredObject, options)
    : planRecord(declaredObject, inventory, options);
}

/** The live record that keeps a declared object from being planned. */
function conflictWith(declaredObject: DeclaredObject): ConflictingObject | undefined {
  const { kind, inventory } = declaredObject.resource;
  if (kind === "token") return undefined;
  const lookup = locateDeclared(declaredObject, inventory);
  if (lookup.kind === "live" && lookup.claim === "unmanaged")
    return { ...declaredObject, key: inventory.textOf(lookup.key), found: lookup.records, isRenamed: false };
  if (lookup.kind !== "refused" || lookup.key === undefined || lookup.found === undefined) return undefined;
  const isRenamed = renamedOutside.is(lookup.error);
  return { ...declaredObject, key: inventory.textOf(lookup.key), found: lookup.found, isRenamed };
}

/** True if a record only looks absent, so that its create is refused. */
function mayExistUnseen({ resource: { inventory }, lookup, target }: PlannedObject): boolean {
  return lookup !== undefined && inventory?.unprovenAbsenceOf(lookup, target.snapshot)?.blocksCreate === true;
}

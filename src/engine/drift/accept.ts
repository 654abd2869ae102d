/** Accepts privileges that nobody declares (`tenancy drift --accept`): from now on the store remembers them as they are live. */
import {
  acceptanceNeeds,
  type Approval,
  type ApprovalNeeds,
  type ChangedPrivilege,
  type Drift,
  driftOfPrivileges,
  withAccepted,
} from "../../plan";
import { acceptsNothing } from "../../problems";
import { demandApproval, requiredApproval } from "../approval";
import { providerConfigurations } from "../evaluate/providers";
import { evaluate, type Evaluated } from "../evaluate/stack";
import { load } from "../load/stack";
import { changedPrivilegesOf, privilegesOf } from "../memory/privileges";
import type { ApplyOptions, StackSource } from "../options";
import type { PlannedObject } from "../planned-object";
import { Run } from "../run";
import { refuseSharedOwner } from "../shared-owner";
import { lockOptionsOf } from "../store";
import { namedTarget, writeTargetFor } from "../target";
import { possiblyIssuedTokens } from "../tokens/possibly-issued";
import { type DriftOptions, expressionOf, namesOfDrift } from "./drift";

/** Options of an acceptance. */
export interface AcceptOptions
  extends Omit<DriftOptions, "ignore" | "mayLackStore">, Pick<ApplyOptions, "requireApproval" | "approvals"> {
  /**
   * Asked for what has no approval yet, while the store is not locked.
   * @returns all approvals; undefined where the answer was no
   * @default nobody is asked
   */
  readonly ask?: (needs: readonly ApprovalNeeds[]) => Promise<readonly Approval[] | undefined>;
}

/** An object with the privileges of it that are accepted. */
interface Acceptance {
  readonly object: PlannedObject;
  readonly change: PlannedObject["change"];
  readonly privileges: readonly ChangedPrivilege[];
}

/**
 * Remembers privileges as they are live. Sends nothing but GET and log-in, and writes the credential store.
 * @param names of privileges as drift has them, such as `jane@acme.level`; `*` stands for any characters
 * @returns the accepted privileges; undefined where the answer of `ask` was no
 * @throws TENANCY_ACCEPTS_NOTHING where a name matches nothing, ApprovalNeeded, and as a plan does; nothing was written then
 */
export async function acceptPrivileges(
  source: StackSource,
  names: readonly string[],
  options: AcceptOptions,
): Promise<readonly Drift[] | undefined> {
  // A person may think for an hour. So the question is asked without the lock, and under the lock everything is looked at again.
  const { ask } = options;
  let { approvals } = options;
  if (ask !== undefined) {
    const needs = await withAcceptances({ source, names, options }, ({ needs }) => Promise.resolve(needs));
    approvals = await ask(needs);
    if (approvals === undefined) return undefined;
  }
  return withAcceptances(
    { source, names, options, isLocked: true },
    async ({ run, evaluated, needs, acceptances }) => {
      const level = requiredApproval(options.requireApproval, options.environment);
      demandApproval(source.name, () => needs, level, { ...(approvals !== undefined && { approvals }) });
      await run.store.lock(lockOptionsOf(options));
      const writeTargets = await run.writeTargets();
      for (const { object, privileges } of acceptances) {
        const { ledger, target } = writeTargetFor(writeTargets, object.change.provider);
        if (!ledger.exists) ledger.make(possiblyIssuedTokens(target, evaluated.evaluation));
        const { live = {}, memory = {} } = privilegesOf(object) ?? {};
        if (object.remembered === undefined) continue;
        const draft = ledger.memory.draft(object.remembered);
        const paths = privileges.map(({ path }) => path);
        draft.notePrivileges(withAccepted(memory, live, paths));
        draft.keep();
      }
      await run.store.saveLast();
      return acceptances.flatMap(({ change, privileges }) => driftOfPrivileges(change, privileges));
    },
  );
}

/** Looks at the stack, and hands on the privileges that the names match. @throws acceptsNothing */
async function withAcceptances<T>(
  {
    source,
    names,
    options,
    isLocked = false,
  }: {
    readonly source: StackSource;
    readonly names: readonly string[];
    readonly options: AcceptOptions;
    readonly isLocked?: boolean;
  },
  work: (look: {
    readonly run: Run;
    readonly evaluated: Evaluated;
    readonly acceptances: readonly Acceptance[];
    readonly needs: readonly ApprovalNeeds[];
  }) => Promise<T>,
): Promise<T> {
  const run = new Run(options, source.name);
  try {
    const loaded = await load(source, options);
    if (isLocked) await run.reserveStore((await providerConfigurations(loaded.stack, options)).values());
    const evaluated = await evaluate(loaded, { run, plannedAt: new Date(), strays: [] });
    await refuseSharedOwner(evaluated);
    const { objects, targets } = evaluated.evaluation;
    const acceptances = matchingPrivileges(objects, names);
    const needs = acceptanceNeeds({ stack: source.name, targets: targets.map(namedTarget) }, acceptances);
    return await work({ run, evaluated, acceptances, needs });
  } finally {
    await run.close();
  }
}

/** @throws acceptsNothing */
function matchingPrivileges(
  objects: readonly PlannedObject[],
  names: readonly string[],
): readonly Acceptance[] {
  const expressions = names.map((name) => ({ name, expression: expressionOf(name) }));
  const unmatched = new Set(names);
  const acceptable: string[] = [];
  const acceptances = objects.flatMap((object): readonly Acceptance[] => {
    const { change } = object;
    const privileges = changedPrivilegesOf(object).filter(({ path }) => {
      const privilegeNames = namesOfDrift({ address: change.address, title: change.title, path });
      acceptable.push(`${change.title}.${path.join(".")}`);
      const matches = expressions.filter(({ expression }) =>
        privilegeNames.some((one) => expression.test(one)),
      );
      for (const { name } of matches) unmatched.delete(name);
      return matches.length > 0;
    });
    return privileges.length === 0 ? [] : [{ object, change, privileges }];
  });
  for (const name of unmatched) throw acceptsNothing.error({ name, acceptable });
  return acceptances;
}

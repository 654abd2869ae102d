/** Accepts undeclared privileges (`tenancy drift --accept`): from then on the state remembers their live values. */
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
import { changedPrivilegesOf, privilegesOf } from "../entries/privileges";
import type { ApplyOptions, StackSource } from "../options";
import type { PlannedObject } from "../planned-object";
import { Run } from "../run";
import { lockOptionsOf } from "../state";
import { namedTarget, writeTargetFor } from "../target";
import { possiblyIssuedTokens } from "../tokens/possibly-issued";
import { type DriftOptions, expressionOf, namesOfDrift } from "./drift";

/** Options of an acceptance. */
export interface AcceptOptions
  extends Omit<DriftOptions, "ignore" | "mayLackState">, Pick<ApplyOptions, "requireApproval" | "approvals"> {
  /**
   * Asks for missing approvals, while the state is not locked.
   * @returns all approvals; undefined if the answer was no
   * @default no question
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
 * Remembers the live values of privileges. Sends only GET requests and the login, and writes the state.
 * @param names names of privileges as in drift, such as `jane@acme.level`; `*` matches any characters
 * @returns the accepted privileges; undefined if the answer of `ask` was no
 * @throws TENANCY_UNKNOWN_NAME if a name matches nothing, ApprovalNeeded, and the errors of a plan; nothing was written then
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
      await run.state.lock(lockOptionsOf(options));
      const writeTargets = await run.writeTargets();
      for (const { object, privileges } of acceptances) {
        const { part, target } = writeTargetFor(writeTargets, object.change.provider);
        if (!part.exists) part.make(possiblyIssuedTokens(target, evaluated.evaluation));
        const { live = {}, lastPrivileges = {} } = privilegesOf(object) ?? {};
        if (object.remembered === undefined) continue;
        const draft = part.objects.draft(object.remembered);
        const paths = privileges.map(({ path }) => path);
        draft.notePrivileges(withAccepted(lastPrivileges, live, paths));
        draft.keep();
      }
      await run.state.saveLast();
      return acceptances.flatMap(({ change, privileges }) => driftOfPrivileges(change, privileges));
    },
  );
}

/** Reads the stack, and passes on the matching privileges. @throws acceptsNothing */
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
    if (isLocked) await run.reserveState(await providerConfigurations(loaded.stack, options));
    const evaluated = await evaluate(loaded, { run, plannedAt: new Date(), strays: [] });
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

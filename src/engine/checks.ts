/** Checks the whole plan, before anything is written. `checkPlan` lists the checks in their order. */
import { type AccountContents, type Change, judge } from "../plan";
import {
  absentState,
  type Finding,
  isError,
  notVerified,
  stateElsewhere,
  tokenCreationImpossible,
  tokenWaits,
  whereaboutsOf,
} from "../problems";
import { callerMay } from "../service";
import { isKnownText, isUnknown, normalForm, type ObjectValue, textOf } from "../lib/values";
import type { Prune } from "./change";
import { checkClosedState } from "./closed-state";
import type { PlannedDeletes } from "./deletes";
import { warnUnknownUsage } from "./diff/contents";
import { warnChangedSecrets, warnTemporaryPasswords } from "./diff/passwords";
import { warnChangedPrivileges } from "./entries/privileges";
import { checkSuspensions, warnRecordedActivations, warnSuspendedTenants } from "./suspension";
import { createsToken, loginOf } from "./tokens/identity";
import { checkTokenUsers, warnEndedTokensOfOthers, warnUnrevocable } from "./tokens/user";
import type { Evaluated } from "./evaluate/stack";
import type { PlannedObject } from "./planned-object";
import { absentStates } from "./tokens/possibly-issued";
import type { Run } from "./run";
import { refusalToCreateTokens } from "./state";
import { withStoredOwnTokens } from "./survey";
import type { ReadTarget } from "./target";

/** The parts of a plan that are checked and then shown. */
export interface PlanParts {
  /** Declared objects that the run carries out. */
  readonly objects: readonly PlannedObject[];
  readonly deletes: PlannedDeletes;
  /** Of the objects and of the deletes. */
  readonly changes: readonly Change[];
  /** Of the accounts that are deleted. */
  readonly contents: readonly AccountContents[];
  readonly plannedAt: Date;
  /** Why ended access stays, in a run that only removes ended access. */
  readonly unended?: readonly Finding[];
}

/** The results of a check. */
interface CheckResult {
  /** They stop the plan. */
  readonly refusals: readonly Finding[];
  /** They stop the apply alone: the plan is shown to a caller who cannot see everything, too, and the apply may have another one. */
  readonly notVerified: readonly Finding[];
}

/** The results of all checks, without secrets. */
export interface PlanFindings extends CheckResult {
  readonly warnings: readonly Finding[];
}

/**
 * All checks of the whole plan, in order. Three other steps of `planStack` refuse a plan: `refuseSharedOwner` before any request,
 * `evaluate` for errors of single blocks and objects, and `refuseUnmatchedNames` once the plan is assembled.
 */
export async function checkPlan(
  evaluated: Evaluated,
  { objects, deletes, changes, contents, plannedAt }: PlanParts,
  run: Run,
): Promise<PlanFindings> {
  const { evaluation, options, source } = evaluated;
  const { prunes } = deletes;
  const tokenCreation = await checkTokenCreation(objects, evaluated, run);
  const guards = runGuards(evaluated, changes, contents, plannedAt);
  const notVerifiedFindings = [
    ...checkClosedState(evaluation.objects, prunes, run),
    ...tokenCreation.notVerified,
    ...guards.notVerified,
  ].map(evaluation.hide);
  const findings = [
    ...run.warnings(),
    ...warnTemporaryPasswords(evaluation.targets, objects),
    ...(await warnChangedSecrets(objects)),
    // Warnings alone: an error has ended the run.
    ...evaluation.findings,
    ...deletes.findings,
    ...checkUnreadBlocks(evaluated, prunes),
    ...(options.destroy === true ? [] : checkTokenUsers(evaluation.objects, prunes)),
    ...checkSuspensions(objects),
    ...warnRecordedActivations(objects),
    ...warnChangedPrivileges(objects, source.name),
    ...warnSuspendedTenants(objects, prunes),
    ...warnEndedTokensOfOthers(evaluation.targets, prunes),
    ...warnUnrevocable(objects, prunes),
    ...warnUnknownUsage(changes, contents),
    ...guards.refusals,
  ].map(evaluation.hide);
  return {
    refusals: [...tokenCreation.refusals.map(evaluation.hide), ...findings.filter(isError)],
    notVerified: notVerifiedFindings,
    warnings: [
      ...notVerifiedFindings.map((one) => ({ ...one, severity: "warning" as const })),
      ...findings.filter((one) => !isError(one)),
    ],
  };
}

/** The checks of a run that only removes ended access: it reads nothing else of the declarations. */
export function checkEnded(evaluated: Evaluated, { changes, plannedAt }: PlanParts, run: Run): PlanFindings {
  const { evaluation } = evaluated;
  const guards = runGuards(evaluated, changes, [], plannedAt);
  const findings = [...run.warnings(), ...evaluation.findings, ...guards.refusals].map(evaluation.hide);
  return {
    refusals: findings.filter(isError),
    notVerified: [...checkClosedState(evaluation.objects, [], run), ...guards.notVerified].map(
      evaluation.hide,
    ),
    warnings: findings.filter((one) => !isError(one)),
  };
}

/**
 * The tokens of a plan can be created: the state exists and can keep them, and the service lets their users create them.
 * @param objects the objects of the apply; they may include the change of a token's user
 */
export async function checkTokenCreation(
  objects: readonly PlannedObject[],
  { evaluation: result, options }: Evaluated,
  run: Run,
): Promise<CheckResult> {
  const newTokens = objects.filter(({ change }) => createsToken(change));
  if (newTokens.length === 0) return { refusals: [], notVerified: [] };

  // Where a snapshot is read, the state of the apply is not at hand.
  const refusal = options.fromSnapshot === undefined ? refusalToCreateTokens(options) : undefined;
  const findings: Finding[] = [...(refusal?.toFindings() ?? [])];
  if (options.initState !== true && refusal === undefined)
    for (const error of absentStates(newTokens, run.stateDescription).values())
      findings.push(...error.toFindings());
  // The missing state may be this one, for another stack or address.
  const isStateMissed = findings.some(({ code }) => code === absentState.code);
  const elsewhere = isStateMissed ? result.findings.filter(({ code }) => code === stateElsewhere.code) : [];

  const users = plannedUsers(objects);
  for (const token of newTokens) {
    const { resource, target, block, instance } = token;
    const tokenFindings = await resource.checkBeforeCreate?.(
      target.connection,
      withForeseenLogin(token),
      undefined,
      (login) => {
        const user = users.get(userKey(target.origin, login));
        const userId = textOf(target.snapshot.profileWithLogin(login)?.id);
        const isNoted =
          userId !== undefined && target.part.temporaryPasswords.get({ user_id: userId }) !== undefined;
        return isNoted && (user?.["password_wo"] ?? null) === null ? { ...user, password_set: false } : user;
      },
    );
    const where = whereaboutsOf(block, instance.address);
    // Other tokens of users without access wait. An explicit rotation is refused instead.
    const refuseWaiting = (one: Finding) =>
      one.code !== tokenWaits.code
        ? one
        : tokenCreationImpossible.at(
            { login: loginOf(token), why: "the user has no API access", instead: ["API access"] },
            { attribute: ["login"] },
          );
    findings.push(...(tokenFindings ?? []).map((one): Finding => ({ ...where, ...refuseWaiting(one) })));
  }

  // A caller who may only read creates nothing: the caller of the apply does.
  const rights = ["realm.manage_accounts", "user.manage_users"] as const;
  const lacksAll = ({ snapshot }: ReadTarget) =>
    rights.every((right) => callerMay(snapshot, right) === false);
  const isReader = result.targets.every(lacksAll);
  const isLeftToApply = ({ code }: Finding) => isReader && code === tokenCreationImpossible.code;
  return {
    refusals: [...findings.filter((one) => !isLeftToApply(one)), ...elsewhere],
    notVerified: findings.filter(isLeftToApply),
  };
}

/** The users of a plan as it leaves them, each with the password that it sends. A password of an earlier token creation counts as none. */
function plannedUsers(objects: readonly PlannedObject[]): ReadonlyMap<string, ObjectValue> {
  return new Map(
    objects
      .filter(({ resource }) => Object.hasOwn(resource.description.attributes, "access_api"))
      .map(({ target, change, config, recorded }) => {
        const isOnlyRecorded = recorded.some(([name = ""]) => String(name).startsWith("password_wo"));
        const password = isOnlyRecorded ? null : (config["password_wo"] ?? null);
        return [userKey(target.origin, change.key), { ...change.after, password_wo: password }];
      }),
  );
}

function userKey(origin: string, login: string): string {
  return `${origin} ${normalForm(login)}`;
}

/** The login of a user whom the run makes is known by the token's planned key alone. */
function withForeseenLogin({ config, change }: PlannedObject): ObjectValue {
  const { login, name } = config;
  if (!isUnknown(login ?? null) || typeof name !== "string" || !isKnownText(change.key)) return config;
  return { ...config, login: change.key.slice(0, -`/${name}`.length) };
}

/** A partial run may leave out blocks that it cannot evaluate, but then it cannot determine undeclared objects. */
export function checkUnreadBlocks(
  { evaluation: result }: Evaluated,
  prunes: readonly Prune[],
): readonly Finding[] {
  const { unread: unreadBlocks } = result;
  if (unreadBlocks.length === 0) return [];
  const undeclaredObjects = prunes.filter(
    ({ change }) => change.reason !== "removed" && change.reason !== "destroy",
  );
  return undeclaredObjects.map(({ change: { address, key } }) =>
    notVerified.at(
      `cannot tell whether "${key}" is declared, because ${unreadBlocks.join(", ")} cannot be evaluated`,
      { address },
    ),
  );
}

/** The guards of src/plan/guards.ts, with their facts of the services. */
export function runGuards(
  { evaluation: result, selection, options }: Evaluated,
  changes: readonly Change[],
  contents: readonly AccountContents[],
  plannedAt: Date,
): CheckResult {
  const findings = judge({
    changes,
    services: withStoredOwnTokens(result.targets),
    permits: options,
    destroy: options.destroy ?? false,
    asOf: plannedAt,
    declaresNothing: result.objects.length === 0 && !selection.isPartial,
    contents,
    preventDestroy: new Set(
      result.objects
        .filter(({ block }) => block.lifecycle.preventDestroy)
        .map(({ change }) => change.address),
    ),
  });
  const isAbsence = ({ code }: Finding) => code === notVerified.code;
  return {
    refusals: findings.filter((one) => !isAbsence(one)),
    notVerified: findings.filter(isAbsence),
  };
}

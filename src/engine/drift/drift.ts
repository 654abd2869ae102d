/** Looks for drift: reads the service and the state, writes to neither, and says of each difference who made it. */
import { setTimeout as pause } from "node:timers/promises";
import { type Drift, type DriftReport, driftStatusOf, type TokenCounts } from "../../plan";
import {
  cancelled,
  type Finding,
  ignoresNothing,
  stateElsewhere,
  stateUnsettled,
  worded,
  wordsFor,
} from "../../problems";
import { dayOf, endOf, endOfLife, retentionOf, rotationDay } from "../../resources";
import { formatPath } from "../../lib/values";
import { resendReplacedPasswords } from "../diff/passwords";
import { tokenKey } from "../tokens/identity";
import { unmanagedUsers } from "../diff/plan-remarks";
import { evaluate } from "../evaluate/stack";
import { load } from "../load/stack";
import { endingObjects, type EndingObject } from "../ended";
import { hidingInDrift } from "../hidden-secrets";
import type { DeclaredElsewhere } from "../change";
import { declaredInOtherStacks } from "../other-stacks";
import type { PlanOptions, StackSource } from "../options";
import { checkClosedState } from "../closed-state";
import { Run } from "../run";
import { refuseSharedOwner } from "../shared-owner";
import type { PlannedObject, ConflictingObject } from "../planned-object";
import { namedTarget } from "../target";
import {
  driftOfEnded,
  driftOfGone,
  driftOfObject,
  driftOfReleased,
  driftOfRemoved,
  driftOfStray,
  driftOfUndeclared,
  driftOfUnmanaged,
  SeenRecords,
} from "./differences";

/** Options of a look for drift. */
export interface DriftOptions extends Omit<
  PlanOptions,
  "only" | "exclude" | "destroy" | "noPrune" | "verifyTokens" | "resetPasswords" | "live"
> {
  /**
   * Differences that do not count: `ADDRESS` or `ADDRESS.ATTRIBUTE`, a login or an account's name in place of the address, with `*` for any
   * characters. The reason of a pattern is shown next to the ignored difference. A pattern without a reason warns if it matches nothing.
   * @default none
   */
  readonly ignore?: readonly (string | { readonly pattern: string; readonly reason: string })[];
}

/** Number of attempts if another run replaces the state meanwhile. */
const ATTEMPTS = 4;
const PAUSE_MS = 250;

/** @throws `TENANCY_STATE_LOCKED`, and as a plan does */
export async function lookForDrift(source: StackSource, options: DriftOptions): Promise<DriftReport> {
  for (let attempt = 1; ; attempt++) {
    const run = new Run({ ...options, verifyTokens: true }, source.name);
    try {
      const report = await lookOnce(source, options, run);
      if (!(await run.state.isReplaced())) return report;
      if (attempt === ATTEMPTS)
        throw stateUnsettled.error({ state: run.state.description, attempts: ATTEMPTS });
    } finally {
      await run.close();
    }
    options.onProgress?.("another run has written the state meanwhile; looking again");
    const { signal } = options;
    await pause(PAUSE_MS * attempt, undefined, signal === undefined ? {} : { signal }).catch(() => {
      throw cancelled.error("drift");
    });
  }
}

/** One look at a stack and its services. */
async function lookOnce(source: StackSource, options: DriftOptions, run: Run): Promise<DriftReport> {
  const checkedAt = new Date();
  const strays: ConflictingObject[] = [];
  const { ignore = [], ...planning } = options;
  const loaded = await load(source, planning);
  await refuseSharedOwner(loaded);
  const evaluated = await evaluate(loaded, { run, plannedAt: checkedAt, strays });
  const { evaluation: result, stack } = evaluated;
  const healed = resendReplacedPasswords(result.objects, {
    plannedAt: checkedAt,
    resetPasswords: false,
    destroy: false,
  });
  const seenRecords = new SeenRecords(result.targets);
  const ends = endingObjects(result, checkedAt);
  const known = [
    ...driftOfEnded(ends),
    ...result.objects.flatMap((object, index) => driftOfObject(seenRecords, object, healed[index])),
    ...strays.flatMap((stray) => driftOfStray(seenRecords, stray)),
    ...driftOfRemoved(seenRecords, stack.removals),
    ...driftOfReleased(seenRecords, stack.releases),
    ...result.targets.flatMap((target) => [
      ...driftOfUndeclared(seenRecords, target),
      ...driftOfGone(seenRecords, target),
    ]),
  ];
  const users = unmanagedUsers(result.objects, seenRecords.live);
  // Other stacks are evaluated only where there is such a user: one of them may declare the user.
  const declaredElsewhere: DeclaredElsewhere =
    users.length === 0
      ? () => undefined
      : (await declaredInOtherStacks(evaluated, run, checkedAt)).declaredElsewhere;
  const rows = [...known, ...driftOfUnmanaged(users, seenRecords, declaredElsewhere)].map((row) =>
    hidingInDrift(row, run.secrets),
  );
  const { drift: countedDrift, ignored: ignoredDrift, unmatched } = ignoring(rows, ignore);
  const elsewhere = result.findings.filter(({ code }) => code === stateElsewhere.code);
  const warnings: readonly Finding[] = [
    ...checkClosedState(result.objects, [], run).map((one) => ({ ...one, severity: "warning" as const })),
    ...unmatched,
    ...run.warnings(),
    ...elsewhere,
  ];
  return {
    stack: source.name,
    targets: result.targets.map(namedTarget),
    status: driftStatusOf(countedDrift),
    drift: countedDrift,
    ignored: ignoredDrift,
    unmanagedUsers: users.filter(
      ({ origin, key, id }) => declaredElsewhere({ origin }, { key, id })?.isCertain !== true,
    ),
    unremembered: seenRecords.unremembered,
    tokens: tokensIn(seenRecords, result.objects, checkedAt),
    ...countedDays(rows, result.objects, ends.endings, checkedAt),
    warnings: worded(warnings, wordsFor(options.reader)),
    checkedAt: checkedAt.toISOString(),
  };
}

/** The ends of declared access, and the rotations of tokens by age. Ignored ones count, too. */
function countedDays(
  rows: readonly Drift[],
  objects: readonly PlannedObject[],
  endings: readonly Pick<EndingObject, "days">[],
  now: Date,
): Pick<DriftReport, "ends" | "rotations"> {
  const today = Date.parse(dayOf(now));
  const nextInDays = (days: readonly string[]) => {
    const counts = days.map((day) => Math.round((Date.parse(day) - today) / 86_400_000));
    const coming = counts.filter((count) => count >= 0);
    return coming.length === 0 ? null : Math.min(...coming);
  };
  const ends = endings.flatMap(({ days }) => Object.values(days));
  const rotations = objects.flatMap(({ resource, config, change }) =>
    resource.kind === "token" && change.before !== null ? (rotationDay(config, change.before) ?? []) : [],
  );
  return {
    ends: { overdue: rows.filter(({ kind }) => kind === "ended").length, nextInDays: nextInDays(ends) },
    rotations: { due: rows.filter(({ kind }) => kind === "due").length, nextInDays: nextInDays(rotations) },
  };
}

function tokensIn(seenRecords: SeenRecords, objects: readonly PlannedObject[], now: Date): TokenCounts {
  const tokens = objects.filter(({ resource }) => resource.kind === "token");
  const configs = new Map(tokens.map(({ change, config }) => [change.key, config]));
  const counts = { checked: 0, refused: 0, expiring: 0 };
  for (const target of seenRecords.targets) {
    for (const entry of target.part.tokens.list()) {
      counts.checked++;
      if (target.refused.has(entry.record.serial)) counts.refused++;
      const { forMs } = retentionOf(configs.get(tokenKey(entry)) ?? {});
      const ends = [...entry.previous.map((one) => endOf({ ...one }, forMs)), endOfLife(entry.record)];
      counts.expiring += ends.filter(
        (end) => end !== undefined && end.getTime() - now.getTime() < SOON_ENDING_MS,
      ).length;
    }
  }
  return counts;
}

/** A token that ends so soon is counted by the metrics: seven days. */
const SOON_ENDING_MS = 7 * 86_400_000;

// `--ignore ADDRESS[.ATTRIBUTE]`: differences that are not to count.

/** @param patterns addresses, logins or accounts' names, an attribute after each or none; `*` matches any characters */
function ignoring(
  rows: readonly Drift[],
  patterns: NonNullable<DriftOptions["ignore"]>,
): {
  readonly drift: readonly Drift[];
  readonly ignored: readonly Drift[];
  /** Patterns that match nothing. */
  readonly unmatched: readonly Finding[];
} {
  const rules = patterns.map((one) => {
    const { pattern, reason } = typeof one === "string" ? { pattern: one, reason: undefined } : one;
    return { pattern, reason, expression: expressionOf(pattern), used: false };
  });
  const drift: Drift[] = [];
  const ignoredDrift: Drift[] = [];
  for (const row of rows) {
    const names = namesOfDrift(row);
    const matching = rules.filter(({ expression }) => names.some((name) => expression.test(name)));
    for (const rule of matching) rule.used = true;
    const remarks = [row.remark, ...matching.map(({ reason }) => reason)].filter((one) => one !== undefined);
    if (matching.length === 0) drift.push(row);
    else
      ignoredDrift.push({ ...row, remark: remarks.length === 0 ? undefined : remarks.join("; ignored: ") });
  }
  const unmatched = rules
    .filter(({ used: isUsed, reason }) => !isUsed && reason === undefined)
    .map(({ pattern }) => ignoresNothing.at(pattern));
  return { drift, ignored: ignoredDrift, unmatched };
}

/** The object, the attribute, and all containers of the attribute: `permissions` means each right. */
export function namesOfDrift({
  address,
  title,
  path,
}: Pick<Drift, "address" | "title" | "path">): readonly string[] {
  const attributes = path.flatMap((_step, index) => {
    const part = path.slice(0, index + 1);
    return [formatPath(part), part.join(".")];
  });
  return [address, title].flatMap((object) => [object, ...attributes.map((name) => `${object}.${name}`)]);
}

export function expressionOf(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

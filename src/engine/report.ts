/** Reports the access of all users at the services of a project, or of the environment: read once, evaluated in `plan/report`. */
import type { StatePart } from "../state";
import {
  answerQuestion,
  type Report,
  REPORT_FORMAT,
  REPORT_VERSION,
  reportedService,
  type ReportFacts,
  whyIncomplete,
} from "../plan";
import { notInSnapshot, usage as usageError, ways } from "../problems";
import { parseDuration, DAY_MS } from "../schema";
import { normalForm, type ObjectValue } from "../lib/values";
import { type ProjectDeclarations, declaredIn, endsByUuid } from "./declared";
import { listedFamilies } from "./families";
import { byOrigin, type Live, openLive, usageOf } from "./live";
import type { PlanOptions, StackSource } from "./options";
import type { ReadTarget } from "./target";
import { rotationDayOf } from "./tokens/entry";

/** Options of an access review. */
export interface ReportOptions extends PlanOptions {
  /** Only users who can use this right: `vss.format_disks`; also `access.web`, `access.api`, `account_admin`, `destructive`, `privileged`. @default all */
  readonly whoCan?: string;
  /** Only the user with this login. @default all */
  readonly user?: string;
  /** Only the account of this name. @default all */
  readonly account?: string;
  /** An earlier report: the user or account that is asked for may be gone since. @default it has to be live */
  readonly earlier?: Report;
  /** Read usage counters, one request for each account, to find quotas that are nearly used up. @default false */
  readonly usage?: boolean;
  /** From which age on a token is a finding: `90d`. @default 90d */
  readonly maxTokenAge?: string;
}

const MAX_TOKEN_AGE = "90d";
/**
 * The effective access of all users. Sends only GET requests and the login.
 * @param stacks the stacks of a project; none: the service of the environment, or, with a snapshot and without `TENANCY_BASE_URL`, every service in it
 * @throws TENANCY_UNKNOWN_NAME, TENANCY_USAGE; InvalidConfiguration, TENANCY_INCOMPLETE_PROVIDER, and the errors of services, snapshot and state
 */
export async function report(stacks: readonly StackSource[], options: ReportOptions = {}): Promise<Report> {
  const maxTokenAgeDays = daysOf(options.maxTokenAge ?? MAX_TOKEN_AGE);
  const now = new Date();
  const live = await openLive(stacks, options, { all: true });
  try {
    const declarations = stacks.length === 0 ? undefined : await declaredIn(stacks, options, live, now);
    const services = [];
    for (const targets of byOrigin(live.targets)) {
      const facts = await reportFacts(targets, live, declarations, options);
      services.push(reportedService(facts, { now, maxTokenAgeDays }));
    }
    const whole: Report = {
      format: REPORT_FORMAT,
      version: REPORT_VERSION,
      made_at: now.toISOString(),
      taken_at: live.takenAt ?? null,
      project: stacks.length > 0,
      usage: options.usage === true,
      max_token_age_days: maxTokenAgeDays,
      question: { who_can: null, user: null, account: null },
      notes: declarations?.notes ?? [],
      services,
    };
    const { whoCan = null, user = null, account = null, earlier } = options;
    return answerQuestion(whole, { who_can: whoCan, user, account }, earlier);
  } finally {
    await live.close();
  }
}

function daysOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw usageError.error({
      problem: `--max-token-age ${text} is no duration`,
      advice: 'Write it as "90d".',
    });
  return milliseconds / DAY_MS;
}

/** @param declarations undefined outside of a project */
async function reportFacts(
  targets: readonly [ReadTarget, ...ReadTarget[]],
  live: Live,
  declarations: ProjectDeclarations | undefined,
  options: ReportOptions,
): Promise<ReportFacts> {
  const widest = widestOf(targets);
  const { origin, caller, snapshot } = widest;
  const snapshotFacts = declarations === undefined ? await factsOfSnapshot(live, origin) : undefined;
  const stacks = targets.flatMap(({ part: { name } }) => (name.stack === "" ? [] : [name.stack]));
  const stacksById = new Map<string, string>(snapshotFacts?.managed);
  const tokens = new Map<string, ReportFacts["tokens"][number]>(
    snapshotFacts?.tokens.map((token) => [token.serial, token]),
  );
  for (const target of targets) {
    for (const { resource } of listedFamilies())
      for (const { records } of target.managed(resource)) {
        const { id } = records.self;
        if (typeof id === "string") stacksById.set(id, target.part.name.stack);
      }
    for (const token of reportedTokens(target.part)) tokens.set(token.serial, token);
  }
  return {
    origin,
    caller,
    stacks: targets.some(({ part }) => part.isClosed)
      ? []
      : [...new Set([...stacks, ...(snapshotFacts?.stacks ?? [])])],
    snapshot,
    stacksById,
    declarationsById: declarations && howByIds(declarations, origin),
    wholly: declarations?.notes.length === 0,
    tokens: [...tokens.values()],
    endsByUuid: new Map([...(snapshotFacts?.ends ?? []), ...endsByUuid(targets, declarations)]),
    usage: options.usage === true ? await askedUsage(widest, options) : undefined,
  };
}

/** The target whose credential sees most, where several credentials are used at one service. */
function widestOf(targets: readonly [ReadTarget, ...ReadTarget[]]): ReadTarget {
  const width = ({ snapshot }: ReadTarget) =>
    whyIncomplete(snapshot) === null ? Infinity : snapshot.accounts.length + snapshot.profiles.length;
  return targets.reduce((best, one) => (width(one) > width(best) ? one : best));
}

function howByIds(
  { records }: ProjectDeclarations,
  origin: string,
): NonNullable<ReportFacts["declarationsById"]> {
  return new Map([...(records.get(origin) ?? [])].map(([id, { how }]) => [id, how]));
}

/** Outside of a project a snapshot says by itself whose each record is, and which tokens there are. */
async function factsOfSnapshot({ run }: Live, origin: string) {
  const file = await run.snapshot();
  if (file === undefined) return undefined;
  const service = file.service(origin);
  const idsAndStacks = service.managed.flatMap(({ stack, ids }) =>
    ids.map((id): [string, string] => [id, stack]),
  );
  const tokens: ReportFacts["tokens"][number][] = [];
  const parts: StatePart[] = [];
  for (const { stack, provider } of service.managed) {
    const part = file.partOf({ origin, stack, provider }, service);
    tokens.push(...reportedTokens(part));
    parts.push(part);
  }
  const ends = endsByUuid(
    parts.map((part) => ({ origin, part })),
    undefined,
  );
  return {
    stacks: service.managed.map(({ stack }) => stack),
    managed: new Map(idsAndStacks),
    tokens,
    ends,
  };
}

function reportedTokens(part: StatePart): ReportFacts["tokens"] {
  const exposures = new Map(part.exposed().map((token) => [token.serial, token.exposed_at]));
  const exposureOf = (serial: string) => exposures.get(serial) ?? null;
  return part.tokens.list().flatMap((entry) => {
    const { login, name, record, previous } = entry;
    const creationTime = record["created_at"];
    const createdAt = typeof creationTime === "string" ? creationTime : null;
    const rotatesOn = rotationDayOf(entry) ?? null;
    return [
      {
        ...{ login, name, serial: record.serial, created_at: createdAt, rotates_on: rotatesOn },
        exposed_at: exposureOf(record.serial),
        state: "current" as const,
      },
      ...previous.map(({ serial, created_at }) => ({
        login,
        name,
        serial,
        created_at,
        rotates_on: null,
        exposed_at: exposureOf(serial),
        state: "replaced" as const,
      })),
    ];
  });
}

/** The counters of each account that was asked for. */
async function askedUsage(
  target: ReadTarget,
  options: ReportOptions,
): Promise<ReadonlyMap<string, ObjectValue>> {
  try {
    return await usageOf(
      target,
      options,
      ({ name }) => options.account === undefined || normalForm(name ?? "") === normalForm(options.account),
    );
  } catch (error) {
    if (!notInSnapshot.is(error)) throw error;
    throw usageError.error({
      problem: "--usage needs usage counters, and the snapshot has none",
      advice: (say) =>
        ways(
          say.command("take one with `tenancy snapshot --usage`") ?? `take one with ${say.flag("usage")}`,
          `leave out ${say.flag("usage")}`,
        ),
    });
  }
}

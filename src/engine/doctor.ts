/** Checks everything that a run depends on, and changes nothing. */
import type { Credentials } from "../api";
import { type BranchStatus, type StatePart, openState, type PartName, partName } from "../state";
import {
  type Finding,
  openIntent,
  nothingManaged,
  stateElsewhere,
  TenancyError,
  worded,
  wordsFor,
} from "../problems";
import { listersOfFamilies } from "../resources";
import {
  connect,
  credentialsOf,
  listDirectory,
  type ServiceSettings,
  serviceSettingsOf,
  passwordUsername,
} from "../service";
import { type Environment, counted, type ObjectValue } from "../lib/values";
import { type Check, checkFailed, healthChecks, passed, serviceChecks, checkWarning } from "./doctor-service";
import { unknownTokens } from "./tokens/intents";
import { absentStates } from "./tokens/possibly-issued";
import { configurationsIn } from "./evaluate/providers";
import { evaluateStack } from "./evaluate/stack";
import type { PlanOptions, StackSource } from "./options";
import { Run } from "./run";
import { refusalToCreateTokens, stateOptionsOf } from "./state";

/** The checks of one provider configuration. */
export interface Examination {
  /** `tenancy` or `tenancy.alias`; `environment` where there is no stack. */
  readonly provider: string;
  /** In the order in which they were made. */
  readonly checks: readonly Check[];
}

/**
 * Sends only GET requests and the login.
 * @param source the stack whose providers are used; undefined: the environment alone
 */
export async function doctor(
  source: StackSource | undefined,
  options: PlanOptions = {},
): Promise<readonly Examination[]> {
  const configurations = await configurationsIn(source, options);
  const examinations: Examination[] = [];
  let stateSearch: Promise<readonly MissedState[]> | undefined;
  for (const [provider, config] of configurations) {
    options.onProgress?.(`checking ${provider}`);
    // Only the stack and the service show the missing contents of the state. They are read once, and only if the state may be lost.
    const lacks = async () => {
      stateSearch ??= source === undefined ? Promise.resolve([]) : missedStates(source, options);
      return (await stateSearch).filter((one) => one.provider === provider).map(({ check }) => check);
    };
    const checks =
      config instanceof TenancyError
        ? [checkFailed("configuration", config)]
        : await examine({ provider, config, stack: source?.name }, options, lacks);
    examinations.push({ provider, checks });
  }
  return examinations;
}

async function examine(
  {
    provider,
    config,
    stack,
  }: { readonly provider: string; readonly config: ObjectValue; readonly stack: string | undefined },
  options: PlanOptions,
  lacks: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    const settings = serviceSettingsOf(config, options.environment ?? {});
    const { origin, owner } = settings;
    const part = partName(origin, stack ?? "", provider);
    const ofService = await examineService(settings, config, options);
    const isReachable = ofService[0]?.outcome !== "failed";
    return [...ofService, ...(await stateChecks(part, owner, options, isReachable ? lacks : async () => []))];
  } catch (error) {
    return [checkFailed("configuration", error)];
  }
}

/** The health check needs no credentials. If there are none, these are never sent. */
const NO_CREDENTIALS: Credentials = { kind: "token", token: "none" };

async function examineService(
  settings: ServiceSettings,
  config: ObjectValue,
  { environment = {}, signal }: PlanOptions,
): Promise<readonly Check[]> {
  const credentials = credentialsOrError(config, environment, settings.origin);
  const known = {
    ...settings,
    credentials: credentials instanceof TenancyError ? NO_CREDENTIALS : credentials,
    // The user waits for the checks, and can repeat them.
    retryTimeoutMs: 0,
  };
  const { client, ...connection } = await connect(known, {
    directory: (one) =>
      listDirectory(one.readOnly(), { caller: passwordUsername(known), listers: listersOfFamilies() }),
    ...(signal !== undefined && { signal }),
  });
  try {
    const reading = { ...connection, client: client.readOnly() };
    return credentials instanceof TenancyError
      ? await healthChecks(reading, known, credentials)
      : await serviceChecks(reading, known);
  } finally {
    await client.close();
  }
}

function credentialsOrError(
  config: ObjectValue,
  environment: Environment,
  origin: string,
): Credentials | TenancyError {
  try {
    return credentialsOf(config, environment, origin);
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}

// Checks of the state: that it can be read and written, and that it has no entry of unfinished work.

/** @param lacks finds the contents that a possibly lost state lacks */
async function stateChecks(
  name: PartName,
  owner: string | undefined,
  options: PlanOptions,
  lacks: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    const stateOptions = stateOptionsOf(options, name.stack || undefined);
    const state = openState(stateOptions);
    if (state.keepsNothing)
      return [
        passed("state", "none: runs keep nothing"),
        owner === undefined
          ? checkWarning("owner", "not set", "Set owner in the provider, or TENANCY_OWNER, or name a state.")
          : passed("owner", owner),
        ...tokenCreation(options),
      ];
    const part = await state.part(name);
    const encrypted = stateOptions.key === undefined ? "plain" : "encrypted";
    const encryption = stateOptions.helper === undefined ? `, ${encrypted}` : "";
    const lacking = part.exists && part.possiblyIssued.list().length === 0 ? [] : await lacks();
    const isLost = lacking.some(({ outcome }) => outcome === "failed");
    return [
      ...(isLost
        ? []
        : [
            part.exists
              ? passed(
                  "state",
                  `${state.description}${encryption}: ${counted(part.tokens.list().length, "token")}`,
                )
              : passed(
                  "state",
                  part.isStateThere
                    ? `${state.description}${encryption}: nothing for this stack yet`
                    : `${state.description}: not there yet; the first apply makes it`,
                ),
          ]),
      ...lacking,
      ...unsettledChecks(part),
      ...historyChecks(stateOptions.git === undefined ? undefined : await state.branchStatus(), options),
      ...tokenCreation(options),
    ];
  } catch (error) {
    return [checkFailed("state", error)];
  }
}

/** Every clone that plans fetches all versions. */
const LARGE_HISTORY = 500 * 2 ** 20;

export function historyChecks(
  status: Pick<BranchStatus, "historySize"> | undefined,
  { reader }: Pick<PlanOptions, "reader">,
): readonly Check[] {
  const size = status?.historySize ?? 0;
  if (size <= LARGE_HISTORY) return [];
  const advice = "Copy the state to a new branch, and name that branch in cdktf.json";
  const say = wordsFor(reader);
  const command = say.command("tenancy state copy FROM TO");
  return [
    checkWarning(
      "state",
      `the versions of its branch take ${Math.round(size / 2 ** 20)} MB in each clone`,
      command === undefined ? `${advice}.` : `${advice}: ${command}`,
    ),
  ];
}

/** Something that the state of a provider configuration should hold, and does not. */
interface MissedState {
  readonly provider: string;
  readonly check: Check;
}

/** The findings of a plan about a lost state. Other checks report a stack or service that cannot be read. */
async function missedStates(source: StackSource, options: PlanOptions): Promise<readonly MissedState[]> {
  const run = new Run(options, source.name);
  try {
    const { evaluation: result } = await evaluateStack(source, options, { run, plannedAt: new Date() });
    const absent = absentStates(result.objects, run.stateDescription);
    return [
      ...[...absent].map(([{ provider }, error]) => ({ provider, check: checkFailed("state", error) })),
      ...elsewhere(result.findings),
    ];
  } catch (error) {
    if (error instanceof TenancyError) return elsewhere(error.toFindings());
    throw error;
  } finally {
    await run.close();
  }
}

function elsewhere(findings: readonly Finding[]): readonly MissedState[] {
  return worded(findings)
    .filter(({ code }) => code === stateElsewhere.code || code === nothingManaged.code)
    .map(({ address = "", summary, advice = "" }) => ({
      provider: address.slice("provider.".length),
      check: checkWarning("state", summary, advice),
    }));
}

function unsettledChecks({ intents, failedRevocations }: StatePart): readonly Check[] {
  return [
    ...unknownTokens(intents.list()).map((creations) => {
      const { message, advice = "" } = openIntent.error(creations);
      return checkWarning("state", message, advice);
    }),
    ...failedRevocations
      .list()
      .map(({ login, name, serial }) =>
        checkWarning(
          "state",
          `the token ${serial} of ${login}/${name} is not revoked yet`,
          "Apply again to revoke it.",
        ),
      ),
  ];
}

function tokenCreation(options: PlanOptions): readonly Check[] {
  const refusal = refusalToCreateTokens(options);
  if (refusal === undefined) return [];
  return [
    checkWarning(
      "token creation",
      refusal.message,
      refusal.advice ?? "Keep the state in a place that outlives the job.",
    ),
  ];
}

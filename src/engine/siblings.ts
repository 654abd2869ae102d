/**
 * Keeps the stacks of an app from deleting what another one declares. Where two stacks have one owner at one address, the
 * configuration tells enough. Whether two addresses are one service, only the services can tell: so the other stack's service is asked, but only
 * where the plan does not keep something that the other stack declares.
 */
import { type Owners, ownersAt } from "../ownership";
import type { Change, Retained } from "../plan";
import {
  cancelled,
  type Finding,
  isError,
  sharedOwner,
  otherStackNotVerified,
  TenancyError,
  twoAddresses,
} from "../problems";
import { serviceAndOwnersOf } from "../service";
import type { ManifestEntry, Stack } from "../stack";
import { type Environment, type ObjectValue, textOf, UNKNOWN_TEXT } from "../lib/values";
import { commonOwner, commonRecords, declaringIn } from "./addresses";
import { providerConfigurations } from "./evaluate/providers";
import { type Evaluated, evaluateStack } from "./evaluate/stack";
import { keyPattern, resourceOf } from "./families";
import { type Loaded, loadSibling } from "./load/stack";
import type { PlanOptions } from "./options";
import { Run } from "./run";
import type { OfflineObject, Prune, ReadTarget } from "./stages";

// One owner, present or previous, belongs to one stack for each service: two stacks would delete each other's records (design: Ownership).

/** Stands for the service that the environment will name: the same one for all stacks. */
const NAMED_LATER = "https://service.invalid";

/** @throws sharedOwner */
export async function refuseSharedOwner(loaded: Loaded): Promise<void> {
  const { options } = loaded;
  const others = loaded.siblings.filter(({ name }) => name !== loaded.entry.name);
  if (others.length === 0) return;
  const mine = await identitiesOf(loaded.stack, options);
  for (const entry of others) {
    const sibling = await readable(entry, loaded);
    const theirs = sibling === undefined ? [] : await identitiesOf(sibling, options);
    if (mine.some((one) => theirs.includes(one)))
      throw sharedOwner.error({ stack: loaded.entry.name, other: entry.name });
  }
}

/** A stack that cannot be read is reported when it is planned itself. */
async function readable(entry: ManifestEntry, { siblings }: Loaded): Promise<Stack | undefined> {
  try {
    return await loadSibling(entry, siblings);
  } catch (error) {
    if (error instanceof TenancyError) return undefined;
    throw error;
  }
}

/** Service and owners of each provider configuration, as far as variables and environment tell. */
async function identitiesOf(stack: Stack, options: PlanOptions): Promise<readonly string[]> {
  const configurations = await providerConfigurations(stack, options);
  const { TENANCY_BASE_URL, TENANCY_OWNER } = options.environment ?? {};
  const known = { TENANCY_OWNER, TENANCY_BASE_URL: TENANCY_BASE_URL || NAMED_LATER };
  return [...configurations.values()].flatMap((config) => {
    const named = config instanceof TenancyError ? undefined : namedBy(config, known);
    return named === undefined ? [] : ownersAt(named.origin, named.owners);
  });
}

/** Which service a provider configuration names, and for whom. Undefined where that is not known, or wrong: it is told when its stack is planned itself. */
function namedBy(
  config: ObjectValue,
  environment: Environment,
): { readonly origin: string; readonly owners: Owners } | undefined {
  try {
    const { origin, owners } = serviceAndOwnersOf(config, environment);
    return owners && { origin, owners };
  } catch (error) {
    if (error instanceof TenancyError) return undefined;
    throw error;
  }
}

// Two addresses that may be one service.

/** An object of ours that the plan deletes, or lists as retained. */
interface Unkept {
  readonly origin: string;
  readonly type: string;
  readonly key: string;
}

interface Going {
  readonly prunes: readonly Prune[];
  readonly retained: readonly Retained[];
  /** Records of others that go with an account of ours: the other stack may have imported them. */
  readonly deletedWithAccount: readonly Change[];
}

/** A provider configuration of another stack whose owner, at another address, is one of ours. */
interface Meeting {
  readonly target: ReadTarget;
  readonly provider: string;
  readonly config: ObjectValue;
  readonly origin: string;
  readonly owner: string;
}

/** @param going what the plan does not keep */
export async function siblingAddresses(
  evaluated: Evaluated,
  run: Run,
  going: Going,
): Promise<readonly Finding[]> {
  const unkept = unkeptBy(going, evaluated.walked.targets);
  if (unkept.length === 0) return [];
  const { source, siblings, walked } = evaluated;
  // The other stack is read as a whole: what narrows this run down, or goes further, is not for it.
  const {
    only: _only,
    exclude: _exclude,
    destroy: _destroy,
    verifyTokens: _verify,
    ...options
  } = evaluated.options;
  const findings: Finding[] = [];
  for (const entry of siblings.filter(({ name }) => name !== source.name)) {
    const sibling = await readable(entry, evaluated);
    const meetings = sibling === undefined ? [] : await meetingsOf(sibling, walked.targets, options);
    if (meetings.length === 0) continue;
    const declares = await declarationsOf(entry, evaluated, options);
    for (const meeting of meetings) {
      const here = unkept.filter(({ origin }) => origin === meeting.target.origin);
      const lost = here.filter(declares);
      if (lost.length === 0) continue;
      const found = await judged(meeting, entry.name, lost, { evaluated, run, options });
      if (found !== undefined) findings.push(found);
    }
  }
  return findings;
}

/** Tokens are not among these: those of another address stand in a part of the store of their own. */
function unkeptBy(
  { prunes, retained, deletedWithAccount }: Going,
  targets: readonly ReadTarget[],
): readonly Unkept[] {
  const pruned = prunes.filter(({ resource }) => resource.kind === "record");
  const deleted = [...pruned.map(({ change }) => change), ...deletedWithAccount];
  const originOf = new Map(targets.map(({ provider, origin }) => [provider, origin]));
  return [
    ...deleted.map(({ provider, description: { type }, key }) => ({
      origin: originOf.get(provider),
      type,
      key,
    })),
    ...retained,
  ].flatMap(({ origin, type, key }) => (origin === undefined ? [] : [{ origin, type, key }]));
}

/** The first for each pair of addresses. */
async function meetingsOf(
  sibling: Stack,
  targets: readonly ReadTarget[],
  options: PlanOptions,
): Promise<readonly Meeting[]> {
  const declaring = declaringIn(sibling);
  const meetings = new Map<string, Meeting>();
  for (const [provider, config] of await providerConfigurations(sibling, options)) {
    if (!declaring.has(provider) || config instanceof TenancyError) continue;
    const named = namedBy(config, options.environment ?? {});
    if (named === undefined) continue;
    for (const target of targets) {
      const owner = commonOwner(target.owners, named.owners);
      const pair = `${target.origin} ${named.origin}`;
      if (owner === undefined || target.origin === named.origin || meetings.has(pair)) continue;
      meetings.set(pair, { target, provider, config, origin: named.origin, owner });
    }
  }
  return [...meetings.values()];
}

/** Whether the stack declares, or may declare, an object. Nobody is asked. */
async function declarationsOf(
  { name }: ManifestEntry,
  { source }: Evaluated,
  options: PlanOptions,
): Promise<(object: Pick<OfflineObject, "type" | "key">) => boolean> {
  const { walked } = await evaluateStack({ name, outdir: source.outdir }, options, {
    run: undefined,
    plannedAt: new Date(),
    tolerant: true,
  });
  // What cannot be evaluated may be anything.
  if (walked.findings.some(isError)) return () => true;
  const declared = walked.offlineObjects.map((one) => ({ type: one.type, pattern: patternOf(one) }));
  return ({ type, key }) => declared.some((one) => one.type === type && one.pattern.test(key));
}

/** What the key can be. If an account is declared by its id, only the service knows its name. */
function patternOf({ type, key, config }: OfflineObject): RegExp {
  const { kind, inventory, description } = resourceOf(type);
  const isId = (name: string) =>
    typeof config[name] === "string" && description.attributes[name]?.refersTo !== undefined;
  if (kind === "token" || !Object.keys(config).some(isId)) return keyPattern(key);
  return keyPattern(
    inventory.foreseen((name) => (isId(name) ? UNKNOWN_TEXT : (textOf(config[name]) ?? UNKNOWN_TEXT))),
  );
}

/** What the service of the other stack says, or why it cannot be asked. */
async function judged(
  { target, provider, config, origin, owner }: Meeting,
  other: string,
  lost: readonly Unkept[],
  { evaluated, run, options }: { evaluated: Evaluated; run: Run; options: PlanOptions },
): Promise<Finding | undefined> {
  const both = {
    first: { name: evaluated.source.name, origin: target.origin },
    second: { name: other, origin },
    owner,
  };
  const where = { address: `provider.${target.provider}` };
  const declares = lost.map(({ type, key }) => `${resourceOf(type).description.noun} ${JSON.stringify(key)}`);
  try {
    const there = await new Run(options, run).open(provider, config);
    const common = commonRecords(target, there);
    if (common?.isOurs === true)
      return twoAddresses.at({ of: "stacks", ...both, common: common.name, isCertain: true }, where);
    // Two complete lists without a record in common are those of two services.
    if (common === undefined && there.incomplete === undefined) return undefined;
    const why =
      common === undefined
        ? `the lists of the service of "${other}" may be incomplete (${there.incomplete})`
        : `both show the ${common.name}, which is not managed, and no managed object`;
    return otherStackNotVerified.at({ ...both, declares, why }, where);
  } catch (error) {
    if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
    const why = `the service of "${other}" could not be asked (${error.message})`;
    return otherStackNotVerified.at({ ...both, declares, why }, where);
  }
}

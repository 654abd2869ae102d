/** Takes a snapshot of services: their lists, the stack of each record, and the public part of the state. */
import { type DeclaredValues, type KnownVersion, partKey, type PublishedState } from "../../state";
import { type Extent, type PublishedRecord, publisherOf } from "../../resources";
import { allAttributes } from "../../schema";
import {
  formatPath,
  isObject,
  isWhollyKnown,
  type KnownSecrets,
  normalForm,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Path,
  SENSITIVE_TEXT,
  startsWith,
  UNKNOWN_TEXT,
  type Value,
  valueAt,
  withValueAt,
} from "../../lib/values";
import { evaluateStack } from "../evaluate/stack";
import { listedFamilies } from "../families";
import { byOrigin, type Live, openLive, usageOf } from "../live";
import type { PlanOptions, StackSource } from "../options";
import { type NotedDeclarations, Run } from "../run";
import type { PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { demandFitKey, snapshotKeyOf, snapshotText, type TakenPart, type TakenService } from "./file";

/** Options of a snapshot. */
export interface SnapshotOptions extends PlanOptions {
  /** Include contacts, addresses, sessions and extensible metadata of all records, not only of managed ones. @default false */
  readonly full?: boolean;
  /** Take the usage counters of every account: one request each. @default false */
  readonly usage?: boolean;
  /** Encrypts the snapshot; one that `tenancy key new` printed. @default `TENANCY_SNAPSHOT_KEY` of the environment; without it, not encrypted */
  readonly snapshotKey?: string;
}

/**
 * The text of a snapshot's file. Sends only GET requests and the login.
 * @param stacks the stacks of a project; none: the service of the environment
 * @throws TENANCY_SNAPSHOT_KEY before anything is sent; InvalidConfiguration, TENANCY_INCOMPLETE_PROVIDER, and the errors of services and state
 */
export async function takeSnapshot(
  stacks: readonly StackSource[],
  options: SnapshotOptions = {},
): Promise<string> {
  const key = options.snapshotKey ?? snapshotKeyOf(options.environment ?? {});
  demandFitKey(key);
  const { fromSnapshot: _live, ...asking } = options;
  const takenAt = new Date();
  const live = await openLive(stacks, asking);
  try {
    const objects = await declaredObjects(stacks, asking, live, takenAt);
    const services: TakenService[] = [];
    for (const targets of byOrigin(live.targets)) services.push(await taken(targets, objects, live, asking));
    return await snapshotText(
      { taken_at: takenAt.toISOString(), full: options.full === true, services },
      key,
    );
  } finally {
    await live.close();
  }
}

/** Live objects that the stacks declare, as far as the stacks can be evaluated. A plan reports their mistakes. */
async function declaredObjects(
  stacks: readonly StackSource[],
  options: PlanOptions,
  { run }: Live,
  plannedAt: Date,
): Promise<readonly PlannedObject[]> {
  const objects: PlannedObject[] = [];
  for (const stack of stacks) {
    const evaluation = {
      run: new Run(options, stack.name, run),
      plannedAt,
      tolerates: "everything",
    } as const;
    const { evaluation: result } = await evaluateStack(stack, options, evaluation);
    objects.push(...result.objects);
  }
  return objects;
}

/** One service, as the first of its provider configurations sees it. */
async function taken(
  targets: readonly [ReadTarget, ...ReadTarget[]],
  declaredObjects: readonly PlannedObject[],
  { states, run }: Live,
  options: SnapshotOptions,
): Promise<TakenService> {
  const [first] = targets;
  const { origin, snapshot } = first;
  const objects = declaredObjects.filter(({ target }) => target.origin === origin);
  const idsOfManaged = managedIds(targets, objects);
  const extentOf = ({ id }: ObjectValue): Extent =>
    options.full === true ? "full" : typeof id === "string" && idsOfManaged.has(id) ? "managed" : "public";
  const published = (type: string, records: readonly ObjectValue[]): readonly PublishedRecord[] => {
    const publish = publisherOf(type);
    return records.map((record) => publish(withoutRunSecrets(record, first), extentOf(record)));
  };
  // The plan may be of an app that makes one of these stacks alone.
  const notedDeclarations = await run.notedDeclarations(origin, () => true);
  const publishedStates: PublishedState[] = [];
  const ownParts = targets.map(({ part }) => part.name).filter(({ stack }) => stack !== "");
  for (const state of states) {
    // A provider configuration may have left its stack: the plan then moves its entries.
    const beside = (await state.parts(origin)).filter(({ stack }) =>
      ownParts.some((own) => own.stack === stack),
    );
    const parts = new Map([...ownParts, ...beside].map((one) => [partKey(one), one])).values();
    publishedStates.push(await state.published([...parts], declaredValues(objects, first.secrets)));
  }
  return {
    origin,
    caller: callerOf(first),
    accounts: published("tenancy_account", snapshot.accounts),
    profiles: published("tenancy_user_profile", snapshot.profiles),
    others: Object.fromEntries(
      listedFamilies()
        .filter(({ resource }) => !LISTED_BY_NAME.has(resource.description.name))
        .map(({ resource: { description } }) => [
          description.name,
          published(description.type, snapshot.listOf(description.name).records),
        ]),
    ),
    usage: options.usage === true ? await publishedUsage(first, options) : null,
    managed: targets.filter(({ part }) => part.name.stack !== "").map(takenPart),
    state: {
      exists: publishedStates.some(({ exists }) => exists),
      ...(publishedStates.some(({ none }) => none) && { none: true }),
      parts: publishedStates.flatMap(({ parts }) => parts),
      stacks: publishedStacks(notedDeclarations, first.secrets),
      unopened: [...notedDeclarations.unopened.keys()],
      versions: Object.assign({}, ...publishedStates.map(({ versions }) => versions)) as Record<
        string,
        KnownVersion
      >,
    },
    unlisted: [...new Set(targets.flatMap(({ unlisted }) => [...unlisted]))],
  };
}

/** An object with a name that may not be shown is known by the rest of its name alone: it may be any object of such a name. */
function publishedStacks(
  { names: stacks }: NotedDeclarations,
  secrets: KnownSecrets,
): NonNullable<PublishedState["stacks"]> {
  const published = (names: readonly string[]) => {
    const [title = ""] = names;
    if (title.includes(SENSITIVE_TEXT)) return [title.replaceAll(SENSITIVE_TEXT, UNKNOWN_TEXT)];
    const secretPlaces = secrets.pathsIn([...names]).map(([index]) => index);
    return names.filter((_name, index) => !secretPlaces.includes(index));
  };
  return Object.fromEntries([...stacks].map(([stack, objects]) => [stack, objects.map(published)]));
}

/** Members that a plan finds a record by, and shows, and rights: a scope without one of its texts would be wider. */
const KEPT_WHOLE: readonly unknown[] = [
  ...["id", "uuid", "serial", "account_id", "name", "username", "login"],
  "permissions",
];

/** A person may have written a secret of the run into any text of a record. */
function withoutRunSecrets(record: ObjectValue, { secrets }: ReadTarget): ObjectValue {
  return secrets
    .pathsIn(record)
    .filter(([name]) => name !== undefined && !KEPT_WHOLE.includes(name))
    .reduce<ObjectValue>((rest, path) => withValueAt(rest, path, NOT_IN_SNAPSHOT) as ObjectValue, record);
}

function callerOf(target: ReadTarget): TakenService["caller"] {
  const { caller, snapshot, connection, ownToken } = target;
  const { record } = publisherOf("tenancy_caller")(withoutRunSecrets(snapshot.caller, target), "public");
  const permissions = record["permissions"] ?? snapshot.callerProfile?.["permissions"] ?? null;
  return {
    name: caller,
    username: connection.username ?? null,
    rights: isObject(permissions) ? rightsInRecord(permissions) : null,
    record,
    own_token: ownToken ?? null,
  };
}

function rightsInRecord(permissions: ObjectValue): readonly string[] {
  return Object.entries(permissions).flatMap(([group, content]) => {
    const rights = isObject(content) ? content["rights"] : undefined;
    return isObject(rights)
      ? Object.entries(rights).flatMap(([right, isGranted]) =>
          isGranted === true ? [`${group}.${right}`] : [],
        )
      : [];
  });
}

/** Ids of the records that a stack manages, declared or not. */
function managedIds(targets: readonly ReadTarget[], objects: readonly PlannedObject[]): ReadonlySet<string> {
  const declaredRecords = objects.flatMap(({ lookup }) =>
    lookup?.kind === "live" ? [lookup.records.self] : [],
  );
  const managedRecords = targets.flatMap((target) =>
    listedFamilies().flatMap(({ resource }) => target.managed(resource).map(({ records }) => records.self)),
  );
  return new Set(
    [...declaredRecords, ...managedRecords].flatMap(({ id }) => (typeof id === "string" ? [id] : [])),
  );
}

/** The records that the state knows for a provider configuration. */
function takenPart(target: ReadTarget): TakenPart {
  const ids = listedFamilies()
    .flatMap(({ resource }) => target.managed(resource))
    .flatMap(({ records: { self } }) => (typeof self["id"] === "string" ? [self["id"]] : []));
  const { stack, provider } = target.part.name;
  return { stack, provider, ids: [...new Set(ids)] };
}

/** Families whose lists have members of their own in the file. */
const LISTED_BY_NAME: ReadonlySet<string> = new Set(["account", "user_profile"]);

async function publishedUsage(
  target: ReadTarget,
  options: PlanOptions,
): Promise<Readonly<Record<string, ObjectValue>>> {
  const publish = publisherOf("tenancy_account_usage");
  const counters = await usageOf(target, options);
  return Object.fromEntries([...counters].map(([id, usage]) => [id, publish(usage, "public").record]));
}

/** Values that the declarations show not to be sensitive, as they are evaluated, and that repeat no secret of the run. */
function declaredValues(objects: readonly PlannedObject[], secrets: KnownSecrets): DeclaredValues {
  const rememberedObjects = new Map(
    objects.flatMap((object) =>
      object.remembered === undefined ? [] : [[normalForm(object.remembered.key), object] as const],
    ),
  );
  return {
    hasPlainKeepers: ({ login, name }) => {
      const token = objects.find(({ change, resource }) => {
        return resource.kind === "token" && change.key === `${login}/${name}`;
      });
      return (
        token !== undefined &&
        !isSensitive(token, ["keepers"]) &&
        secrets.pathsIn(token.config["keepers"] ?? null).length === 0
      );
    },
    valueOf: (key, text) => {
      const object = rememberedObjects.get(normalForm(key));
      if (object === undefined) return undefined;
      const namedAttribute = allAttributes(object.resource.description.attributes).find(
        ({ path }) => formatPath(path) === text,
      );
      if (
        namedAttribute === undefined ||
        namedAttribute.attribute.sensitive ||
        isSensitive(object, namedAttribute.path)
      )
        return undefined;
      const value: Value = valueAt(object.config, namedAttribute.path);
      return isWhollyKnown(value) && secrets.pathsIn(value).length === 0 ? value : undefined;
    },
  };
}

function isSensitive({ sensitive }: PlannedObject, path: Path): boolean {
  return sensitive.some((hiddenPath) => startsWith(path, hiddenPath) || startsWith(hiddenPath, path));
}

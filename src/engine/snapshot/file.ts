/** The file of a snapshot: its format, its checksum, its encryption and its age. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  isStateKey,
  type KnownVersion,
  type StatePart,
  partOfPublished,
  type MovesFrom,
  type PartName,
  type PublishedState,
  Sealer,
} from "../../state";
import {
  brokenSnapshot,
  fileUnusable,
  snapshotKeyUnfit,
  snapshotLacks,
  snapshotOutdated,
  usage,
} from "../../problems";
import { parseDuration } from "../../schema";
import type { PublishedRecord } from "../../resources";
import {
  type Environment,
  durationText,
  isObject,
  Misshapen,
  type ObjectValue,
  parseJson,
  shapes,
  stringifyJson,
  type Value,
} from "../../lib/values";

const SNAPSHOT_FORMAT = "tenancy-snapshot";
const SNAPSHOT_VERSION = 3;

/** One service as it was. */
export interface TakenService {
  readonly origin: string;
  readonly caller: {
    /** The caller's name for people. */
    readonly name: string;
    /** Login of the password that it was taken with; null with a token. */
    readonly username: string | null;
    /** The rights that the service shows for the caller; null where it shows none. */
    readonly rights: readonly string[] | null;
    /** As the service describes the credential. */
    readonly record: ObjectValue;
    /** Serial of the state's token that it was taken with, if it is one. */
    readonly own_token: string | null;
  };
  readonly accounts: readonly PublishedRecord[];
  readonly profiles: readonly PublishedRecord[];
  /** Lists of other families, by their names. */
  readonly others: Readonly<Record<string, readonly PublishedRecord[]>>;
  /** Counters by the id of the account; null where they were not asked for. */
  readonly usage: Readonly<Record<string, ObjectValue>> | null;
  readonly managed: readonly TakenPart[];
  readonly state: PublishedState;
  /** Serials of tokens whose user no list shows, and who may be live all the same. */
  readonly unlisted: readonly string[];
}

/** The ids of the records that the state knows for one provider configuration of a stack. */
export interface TakenPart {
  readonly stack: string;
  readonly provider: string;
  readonly ids: readonly string[];
}

interface SnapshotDocument {
  readonly taken_at: string;
  /** True if every value was taken that is no secret. */
  readonly full: boolean;
  readonly services: readonly TakenService[];
}

/** The member that holds the checksum of all others. */
const CHECKSUM = "checksum";

/**
 * The text of a snapshot's file.
 * @param key encrypts it; undefined leaves it plain
 * @throws snapshotKeyUnfit where Tenancy did not make the key
 */
export async function snapshotText(document: SnapshotDocument, key: string | undefined): Promise<string> {
  demandFitKey(key);
  const members = {
    format: SNAPSHOT_FORMAT,
    version: SNAPSHOT_VERSION,
    ...document,
  } as unknown as ObjectValue;
  const text = `${stringifyJson({ ...members, [CHECKSUM]: checksumOf(members) }, 1)}\n`;
  return key === undefined ? text : new Sealer(key).seal(text);
}

/** @throws snapshotKeyUnfit */
export function demandFitKey(key: string | undefined): void {
  if (key !== undefined && !isStateKey(key))
    throw snapshotKeyUnfit.error({ file: undefined, fault: "foreign" });
}

/** Its input has no secret. The checksum detects an accident, not an attack, which would need a key. */
function checksumOf(members: ObjectValue): string {
  return `sha256:${createHash("sha256").update(stringifyJson(members)).digest("hex")}`;
}

// Reading.

/** The snapshot to read, and its maximum age. */
export interface LiveOptions {
  /** Path of the file that `tenancy snapshot` wrote. */
  readonly file: string;
  /** Key that it was encrypted with. @default `TENANCY_SNAPSHOT_KEY` of the environment; without it, only plain ones are read */
  readonly key?: string;
  /** Highest age of the snapshot: `30m`, `48h`, `7d`. @default 48h */
  readonly maxAge?: string;
}

const DEFAULT_MAX_AGE = "48h";

/** Clocks of two machines may differ by so much. */
const SKEW_MS = 5 * 60_000;

/** A snapshot that was read, and is whole and not too old. */
export class SnapshotFile {
  constructor(
    readonly path: string,
    private readonly document: SnapshotDocument,
  ) {}

  get takenAt(): string {
    return this.document.taken_at;
  }

  get services(): readonly TakenService[] {
    return this.document.services;
  }

  /** @throws snapshotLacks */
  service(origin: string): TakenService {
    const service = this.services.find((one) => one.origin === origin);
    if (service !== undefined) return service;
    const origins = this.services.map((one) => one.origin);
    throw snapshotLacks.error({ file: this.path, origin, available: origins });
  }

  /** The version that the snapshot has seen of a state on a branch. */
  knownVersion(state: string): KnownVersion | undefined {
    return this.services
      .flatMap((service) => service.state.versions?.[state] ?? [])
      .map(({ sequence, digest }) => ({ sequence: Number(sequence), digest }))
      .reduce<KnownVersion | undefined>(
        (newest, one) => (newest === undefined || one.sequence > newest.sequence ? one : newest),
        undefined,
      );
  }

  /** The part of one provider configuration. @throws brokenSnapshot, snapshotLacks */
  partOf(part: PartName, { state, managed }: TakenService, isMoved?: MovesFrom): StatePart {
    const { origin, stack } = part;
    const available = [...new Set(managed.map((one) => one.stack))];
    if (stack !== "" && !available.includes(stack))
      throw snapshotLacks.error({ file: this.path, origin, stack, available });
    try {
      return partOfPublished(state, part, isMoved);
    } catch (error) {
      if (!(error instanceof Misshapen)) throw error;
      throw brokenSnapshot.error({ file: this.path, problem: error.message });
    }
  }
}

/** The key of the environment. An empty variable counts as not set. */
export function snapshotKeyOf(environment: Environment): string | undefined {
  return environment["TENANCY_SNAPSHOT_KEY"] || undefined;
}

/** @throws fileUnusable, brokenSnapshot, snapshotKeyUnfit, snapshotOutdated, usage */
export async function readSnapshot(
  { file, key: userKey, maxAge = DEFAULT_MAX_AGE }: LiveOptions,
  environment: Environment,
  now: Date,
): Promise<SnapshotFile> {
  const key = userKey ?? snapshotKeyOf(environment);
  const most = parseDuration(maxAge);
  if (most === undefined)
    throw usage.error({
      problem: `--max-age ${maxAge} is no duration`,
      advice: 'Write it as "30m", "48h" or "7d".',
    });
  const text = await readFile(file, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    const problem = code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`;
    throw fileUnusable.error({
      file,
      problem,
      advice: (say) =>
        `Name a file that ${say.command("`tenancy snapshot --out FILE`") ?? "`takeSnapshot`"} wrote.`,
    });
  });
  const document = await opened(text, file, key);
  demandFresh(document.taken_at, file, most, now);
  return new SnapshotFile(file, document);
}

/** The records of one service, as its answers showed them, without omitted members. */
export interface RecordedService {
  /** Scheme, host and port. */
  readonly origin: string;
  /** As the API shows them. */
  readonly accounts: readonly ObjectValue[];
  /** As the API shows them. */
  readonly profiles: readonly ObjectValue[];
  /** Counters by the id of the account, where they were taken. */
  readonly usage?: Readonly<Record<string, ObjectValue>>;
}

/**
 * The records of a snapshot, to fill another service with them.
 * @throws TENANCY_FILE_UNUSABLE, TENANCY_SNAPSHOT_UNFIT, TENANCY_SNAPSHOT_KEY, TENANCY_USAGE
 */
export async function snapshotRecords(
  live: LiveOptions,
  { environment = {} }: { readonly environment?: Readonly<Record<string, string | undefined>> } = {},
): Promise<readonly RecordedService[]> {
  const { services } = await readSnapshot(live, environment, new Date());
  return services.map(({ origin, accounts, profiles, usage }) => ({
    origin,
    accounts: accounts.map(({ record }) => record),
    profiles: profiles.map(({ record }) => record),
    ...(usage !== null && { usage }),
  }));
}

function demandFresh(takenAt: string, file: string, most: number, now: Date): void {
  const age = now.getTime() - Date.parse(takenAt);
  if (Number.isNaN(age)) throw brokenSnapshot.error({ file, problem: "taken_at is no time" });
  if (age < -SKEW_MS)
    throw snapshotOutdated.error({ file, takenAt, age: undefined, most: durationText(most) });
  if (age > most)
    throw snapshotOutdated.error({ file, takenAt, age: durationText(age), most: durationText(most) });
}

async function opened(content: string, file: string, key: string | undefined): Promise<SnapshotDocument> {
  if (!Sealer.isSealed(content)) {
    const header = snapshotHeader(content, file);
    if (key !== undefined) throw snapshotKeyUnfit.error({ file, fault: "plain" });
    return snapshotDocument(header, file);
  }
  if (key === undefined) throw snapshotKeyUnfit.error({ file, fault: "missing" });
  demandFitKey(key);
  const text = await new Sealer(key).open(content).catch((error: unknown) => {
    throw error instanceof Misshapen ? brokenSnapshot.error({ file, problem: error.message }) : error;
  });
  if (text === undefined) throw snapshotKeyUnfit.error({ file, fault: "wrong" });
  return snapshotDocument(snapshotHeader(text, file), file);
}

/** The members of any snapshot that this release knows. */
function snapshotHeader(text: string, file: string): ObjectValue {
  let value: Value;
  try {
    value = parseJson(text);
  } catch {
    throw brokenSnapshot.error({
      file,
      problem: text.trim() === "" ? "it is empty" : "it is not JSON, or was cut off",
    });
  }
  if (!isObject(value) || value["format"] !== SNAPSHOT_FORMAT)
    throw brokenSnapshot.error({ file, problem: "it is no snapshot of Tenancy" });
  if (value["version"] !== SNAPSHOT_VERSION) {
    const version = typeof value["version"] === "number" ? String(value["version"]) : "none";
    throw brokenSnapshot.error({
      file,
      problem: `its format has the version ${version}, and this release reads ${SNAPSHOT_VERSION}`,
    });
  }
  return value;
}

/** @throws brokenSnapshot */
function snapshotDocument(header: ObjectValue, file: string): SnapshotDocument {
  const { [CHECKSUM]: checksum, ...members } = header;
  if (checksum !== checksumOf(members))
    throw brokenSnapshot.error({ file, problem: "it was altered after it was written, or damaged" });
  const { format: _format, version: _version, ...document } = members;
  try {
    documentShape(document, "");
  } catch (error) {
    throw error instanceof Misshapen ? brokenSnapshot.error({ file, problem: error.message }) : error;
  }
  return document as unknown as SnapshotDocument;
}

const { text, integer, anyObject, listOf, mapOf, nullable, objectOf, optional } = shapes;

const recordsShape = listOf(objectOf({ record: anyObject, left_out: listOf(text) }));

/** Members that are read without a look at them later have the expected types. */
const documentShape = objectOf({
  taken_at: text,
  services: listOf(
    objectOf({
      origin: text,
      caller: objectOf({ name: text, record: anyObject }),
      accounts: recordsShape,
      profiles: recordsShape,
      others: mapOf(recordsShape),
      usage: nullable(mapOf(anyObject)),
      managed: listOf(objectOf({ stack: text, provider: text, ids: listOf(text) })),
      state: objectOf({
        parts: listOf(anyObject),
        stacks: optional(mapOf(listOf(listOf(text)))),
        none: optional(shapes.flag),
        unopened: optional(listOf(text)),
        versions: optional(mapOf(objectOf({ sequence: integer, digest: text }))),
      }),
      unlisted: listOf(text),
    }),
  ),
});

/** Answers questions about the service's records from its lists. */
import type { AccountRecord, Client, CommonRecord, Endpoint, ProfileRecord } from "../api";
import { ApiError } from "../problems";
import { incompleteness } from "./list-completeness";
import { Snapshot } from "./snapshot";

/**
 * Reads of accounts and user profiles. The embedded engine answers all of them from two lists. Under Terraform the first ten are single
 * reads. Then all waiting reads share lists, which are dropped after a write.
 */
export interface Directory {
  /** Both lists; fetched once, and again after {@link invalidate}. */
  snapshot(): Promise<Snapshot>;
  /**
   * Both lists as they were before the first create, even after writes. Later objects are this run's own, and the service answers other
   * clients' objects with a duplicate: so a run of any size reads the lists once.
   */
  beforeCreates(): Promise<Snapshot>;
  /** Both lists as they are now, read with another client: with one that goes on although the run was stopped. */
  readWith(client: Client): Promise<Snapshot>;
  /** One account by id or serial, as fresh as the engine wants it; undefined if the service says 404 or 410. */
  account(idOrSerial: string): Promise<AccountRecord | undefined>;
  /** One user profile by id or serial; undefined if the service says 404 or 410. */
  profile(idOrSerial: string): Promise<ProfileRecord | undefined>;
  /** One record of any family that has a list, by id or serial; undefined if the service says 404 or 410. */
  record<T extends CommonRecord>(
    family: string,
    idOrSerial: string,
    endpoint: Endpoint<T>,
  ): Promise<T | undefined>;
  /** To be called after each write: earlier readings are no longer true. */
  invalidate(): void;
}

// Lists: all are read at once when the first one is needed.

/** Reads the records of one family. */
export interface Lister {
  /** Members of a record that its answers show. A list whose elements lack one of them may have summaries as its elements. */
  readonly members: readonly string[];
  list(client: Client): Promise<readonly CommonRecord[]>;
  /** One record by id or serial, in a request of its own; undefined if the service says 404 or 410. */
  find(client: Client, idOrSerial: string): Promise<CommonRecord | undefined>;
}

/** By the families' names. The lists of accounts and user profiles are read in any case. */
export type Listers = ReadonlyMap<string, Lister>;

interface DirectoryOptions {
  /** Login of the run's own password; undefined with a token. */
  readonly caller?: string | undefined;
  readonly listers: Listers;
}

/**
 * A directory for the embedded engine: the log-in, `GET /status/authorization`, two lists and one for each further family, for a plan of
 * any size. Single records are always read again.
 */
export function listDirectory(client: Client, { caller, listers }: DirectoryOptions): Directory {
  let reading: Promise<Snapshot> | undefined;

  /** Another run may write between the answers to the lists. Lists that lack the same record twice really lack it. */
  async function readWith(client: Client): Promise<Snapshot> {
    for (let before: string | undefined; ;) {
      const lists = await readOnce(client);
      const missing = incompleteness(lists);
      if (missing === undefined || missing === before) return lists;
      before = missing;
    }
  }

  async function readOnce(client: Client): Promise<Snapshot> {
    const summaries = new Set<string>();
    const listOf = async <T extends CommonRecord>(name: string, list: Promise<readonly T[]>) =>
      completedList(await list, { client, caller, lister: listers.get(name), summaries });
    // The log-in comes with the first request; the others wait for it.
    const [record, accounts, profiles, further] = await Promise.all([
      client.caller(),
      listOf("account", client.accounts.list()),
      listOf("user_profile", client.profiles.list()),
      Promise.all(
        [...listers]
          .filter(([name]) => name !== "account" && name !== "user_profile")
          .map(
            async ([name, lister]) =>
              [name, await listOf(name, lister.list(client)).catch(refusalOfList)] as const,
          ),
      ),
    ]);
    return new Snapshot({
      caller: record,
      accounts,
      profiles,
      others: new Map(further),
      callerProfile: caller,
      summaries,
    });
  }

  function snapshot() {
    if (reading === undefined) {
      const mine = readWith(client);
      reading = mine;
      mine.catch(() => {
        if (reading === mine) reading = undefined;
      });
    }
    return reading;
  }

  return {
    snapshot,
    beforeCreates: first(snapshot),
    readWith,
    ...recordsBy(client, (_family, idOrSerial, endpoint) => endpoint.find(idOrSerial)),
    invalidate() {
      reading = undefined;
    },
  };
}

/** Elements of one list that are read one by one, where the list has summaries. */
const MOST_COMPLETED = 2_000;

/**
 * The list with the members that only single reads show. The specification does not show the elements of a list, so they may be summaries. One element
 * is read to learn it, then the others at once: first the caller's own, then others, up to {@link MOST_COMPLETED}.
 * @param context `summaries` takes the ids of elements that stay summaries
 */
async function completedList<T extends CommonRecord>(
  list: readonly T[],
  context: {
    readonly client: Client;
    readonly caller: string | undefined;
    readonly lister: Lister | undefined;
    readonly summaries: Set<string>;
  },
): Promise<readonly T[]> {
  const { client, caller, lister, summaries } = context;
  if (lister === undefined) return list;
  const isCaller = ({ login, name }: CommonRecord) => caller !== undefined && [login, name].includes(caller);
  const candidates = list
    .filter((element) => lister.members.some((member) => !Object.hasOwn(element, member)))
    .sort((a, b) => Number(isCaller(b)) - Number(isCaller(a)));
  const [example] = candidates;
  if (example === undefined) return list;
  const complete = async (element: T): Promise<readonly [T, T]> => {
    const record = await lister.find(client, referenceIn(element)).catch(refusalOfList);
    if (!(record instanceof ApiError)) return [element, { ...element, ...(record as T | undefined) }];
    summaries.add(referenceIn(element));
    return [element, element];
  };
  const [, whole] = await complete(example);
  // Without an answer it is not known whether there is more to read.
  summaries.delete(referenceIn(example));
  const hiddenMembers = lister.members.filter(
    (member) => whole[member] !== undefined && !Object.hasOwn(example, member),
  );
  const elements = candidates.filter((element) =>
    hiddenMembers.some((member) => !Object.hasOwn(element, member)),
  );
  for (const element of elements.slice(MOST_COMPLETED)) summaries.add(referenceIn(element));
  const wholeByElement = new Map([
    [example, whole],
    ...(await Promise.all(elements.slice(1, MOST_COMPLETED).map(complete))),
  ]);
  return list.map((element) => wholeByElement.get(element) ?? element);
}

function referenceIn({ id, serial }: CommonRecord): string {
  return id ?? serial ?? "";
}

/** A caller who may not see a list or a record, or whose service lacks it, can work without it as long as no object of the family is needed. */
function refusalOfList(error: unknown): ApiError {
  if (error instanceof ApiError && REFUSED.has(error.request.status ?? 0)) return error;
  throw error;
}

/** Forbidden; not there, or no longer there; no list. A temporary failure, such as a service that is down, is no refusal. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 405, 410]);

/** The first reading, however often it is asked for; a reading that failed does not count. */
function first(read: () => Promise<Snapshot>): () => Promise<Snapshot> {
  let reading: Promise<Snapshot> | undefined;
  return () => {
    if (reading === undefined) {
      reading = read();
      reading.catch(() => (reading = undefined));
    }
    return reading;
  };
}

/** Reads single records, all in the same way. */
function recordsBy(
  client: Client,
  record: Directory["record"],
): Pick<Directory, "account" | "profile" | "record"> {
  return {
    account: (idOrSerial) => record("account", idOrSerial, client.accounts),
    profile: (idOrSerial) => record("user_profile", idOrSerial, client.profiles),
    record,
  };
}

// A refresh with the fewest requests: single reads for a few objects, two lists for many.

/** Number of objects that are read one by one. The number of objects is not known in advance, so a large refresh reads these, too. */
const SINGLE_READS = 10;

/** A directory for an engine that asks for objects one by one, many at a time, without saying how many will come. */
export function coalescingDirectory(client: Client, options: DirectoryOptions): Directory {
  const lists = listDirectory(client, options);
  let singles = new Map<string, Promise<CommonRecord | undefined>>();
  let areListsRead = false;

  function snapshot() {
    areListsRead = true;
    return lists.snapshot();
  }

  /** Each object is read once. An object that was not found is looked for again. */
  function single<T extends CommonRecord>(
    key: string,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = singles.get(key) as Promise<T | undefined> | undefined;
    if (known !== undefined) return known;
    const reading = read();
    const mine = singles;
    mine.set(key, reading);
    const forget = () => mine.delete(key);
    reading.then((record) => record ?? forget(), forget);
    return reading;
  }

  return {
    snapshot,
    beforeCreates: first(snapshot),
    readWith: (other) => lists.readWith(other),
    ...recordsBy(
      client,
      async <T extends CommonRecord>(family: string, id: string, endpoint: Endpoint<T>) => {
        const key = `${family} ${id}`;
        const isSingle = singles.has(key) || (singles.size < SINGLE_READS && !areListsRead);
        if (isSingle) return single(key, () => lists.record(family, id, endpoint));
        const newest = await snapshot();
        const record = newest.listOf(family).findById(id) as T | undefined;
        return record !== undefined && newest.summaries.has(referenceIn(record))
          ? single(key, () => lists.record(family, id, endpoint))
          : record;
      },
    ),
    invalidate() {
      lists.invalidate();
      singles = new Map();
      areListsRead = false;
    },
  };
}

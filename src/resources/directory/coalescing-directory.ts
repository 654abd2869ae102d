/** Single reads for a few objects, two lists for many: what costs a refresh the fewest requests. */
import type { Client, CommonRecord } from "../../api";
import type { Directory } from "./directory";
import { listDirectory, type DirectoryOptions } from "./list-directory";

/** Objects that are read one by one. Their number is not known beforehand, so a large refresh reads them, too. */
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

  /** Each object is read once; what was not found is looked for again. */
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

  function read<T extends CommonRecord>(
    key: string,
    one: () => Promise<T | undefined>,
    fromLists: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const isSingle = singles.has(key) || (singles.size < SINGLE_READS && !areListsRead);
    return isSingle ? single(key, one) : fromLists();
  }

  return {
    snapshot,
    account: (idOrSerial) =>
      read(
        `account ${idOrSerial}`,
        () => lists.account(idOrSerial),
        async () => (await snapshot()).account(idOrSerial),
      ),
    profile: (idOrSerial) =>
      read(
        `profile ${idOrSerial}`,
        () => lists.profile(idOrSerial),
        async () => (await snapshot()).profile(idOrSerial),
      ),
    invalidate() {
      lists.invalidate();
      singles = new Map();
      areListsRead = false;
    },
  };
}

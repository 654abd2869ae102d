/** Answers from lists, read at once when first asked for. */
import type { Client, CommonRecord } from "../../api";
import type { Directory } from "./directory";
import { Snapshot } from "./snapshot";

/** How families other than accounts and user profiles read their lists, by their names. */
export type Listers = ReadonlyMap<string, (client: Client) => Promise<readonly CommonRecord[]>>;

export interface DirectoryOptions {
  /** Login of the run's own password; undefined with a token. */
  readonly caller?: string | undefined;
  readonly listers: Listers;
}

/**
 * A directory for the embedded engine: the log-in, `GET /status/authorization`, two lists and one for each further family, whatever the
 * size of the plan. Single records are always read afresh.
 */
export function listDirectory(client: Client, { caller, listers }: DirectoryOptions): Directory {
  let reading: Promise<Snapshot> | undefined;

  async function read(): Promise<Snapshot> {
    // The log-in comes with the first request; the others wait for it.
    const [record, accounts, profiles, others] = await Promise.all([
      client.caller(),
      client.accounts.list(),
      client.profiles.list(),
      Promise.all([...listers].map(async ([name, list]) => [name, await list(client)] as const)),
    ]);
    return new Snapshot({
      caller: record,
      accounts,
      profiles,
      others: new Map(others),
      callerProfile: caller,
    });
  }

  return {
    snapshot() {
      if (reading === undefined) {
        const mine = read();
        reading = mine;
        mine.catch(() => {
          if (reading === mine) reading = undefined;
        });
      }
      return reading;
    },
    account: async (idOrSerial) => (await client.accounts.find(idOrSerial))?.record,
    profile: async (idOrSerial) => (await client.profiles.find(idOrSerial))?.record,
    invalidate() {
      reading = undefined;
    },
  };
}

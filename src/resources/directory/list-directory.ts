/** Answers from two lists, read at once when first asked for. */
import type { Client } from "../../api";
import type { Directory } from "./directory";
import { Snapshot } from "./snapshot";

/**
 * A directory for the embedded engine: the log-in, `GET /status/authorization` and two lists, whatever the size of the plan. Single
 * records are always read afresh.
 * @param caller login of the run's own password; undefined with a token
 */
export function listDirectory(client: Client, caller?: string): Directory {
  let reading: Promise<Snapshot> | undefined;

  async function read(): Promise<Snapshot> {
    // The log-in comes with the first request; the others wait for it.
    const [record, accounts, profiles] = await Promise.all([
      client.caller(),
      client.accounts.list(),
      client.profiles.list(),
    ]);
    return new Snapshot({ caller: record, accounts, profiles, callerProfile: caller });
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

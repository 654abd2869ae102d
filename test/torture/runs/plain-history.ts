/** The plainest history, from which those that are written by hand differ: a tenant with a user and a token of the user. */
import { SERVICE } from "./eventful-apply";
import type { Edit } from "../model/declaration";
import { NO_FLAGS, type History, type Step } from "../model/history";

export const CSI = { account: "acme", user: "csi" } as const;

export const PLAIN_STEP: Step = {
  address: "127.0.0.1",
  reader: undefined,
  edits: [],
  rivals: [],
  wipesState: false,
  verb: "apply",
  between: [],
  approval: undefined,
  flags: NO_FLAGS,
  faults: [],
  parallelism: 1,
};

/** @param token the token that the first step declares */
export function plainHistory(token: Edit): History {
  return {
    service: SERVICE,
    caller: "system",
    uuids: "none",
    hasSibling: false,
    aliases: 0,
    isKilledFirst: false,
    start: [token],
    steps: [PLAIN_STEP],
  };
}

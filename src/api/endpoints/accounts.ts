/** Accounts (spec 4.3). */
import type { Channel } from "../channel";
import type { AccountRecord, UsageRecord } from "../records";
import { recordOf } from "../shape";
import { Family } from "./family";

export class Accounts extends Family<AccountRecord> {
  constructor(channel: Channel) {
    super(channel, "/api/account", "account");
  }

  /** Counters of what the account holds. @throws NotFound, Gone */
  async usage(idOrSerial: string): Promise<UsageRecord> {
    return recordOf(await this.channel.send({ method: "GET", path: `${this.pathOf(idOrSerial)}/usage` }));
  }
}

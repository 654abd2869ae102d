/** User profiles (spec 4.4). */
import type { Channel } from "../channel";
import type { ProfileRecord } from "../records";
import { Family } from "./family";
import { remove, type Removal } from "./removal";

export class Profiles extends Family<ProfileRecord> {
  constructor(channel: Channel) {
    super(channel, "/api/user-profile", "user profile");
  }

  /** @param accountId goes along as `account_id`, where given: a service may check it */
  override async delete(idOrSerial: string, { accountId }: { accountId?: string } = {}): Promise<Removal> {
    const query =
      accountId === undefined ? "" : `?${new URLSearchParams({ account_id: accountId }).toString()}`;
    return remove(this.channel, this.pathOf(idOrSerial) + query);
  }
}

/** User profiles (spec 4.4). */
import { isAscii } from "node:buffer";
import type { Channel } from "../channel";
import { MAX_LIST_BYTES } from "../limits";
import type { ProfileRecord } from "../records";
import { listOf } from "../shape";
import { Family } from "./family";
import { remove, type Removal } from "./removal";

export class Profiles extends Family<ProfileRecord> {
  constructor(channel: Channel) {
    super(channel, "/api/user-profile", "user profile");
  }

  /**
   * The profile with this login. The service may ignore the filter, so it is applied here as well; and it may hold the login in another
   * normal form than the one that is asked for, so all are looked through where it finds none.
   */
  async withLogin(login: string): Promise<ProfileRecord | undefined> {
    const query = new URLSearchParams({ login }).toString();
    const reply = await this.channel.send({
      method: "GET",
      path: `${this.path}?${query}`,
      maxBytes: MAX_LIST_BYTES,
    });
    const wanted = login.normalize("NFC");
    const isWanted = (record: ProfileRecord) => record.login?.normalize("NFC") === wanted;
    // Plain ASCII has one form alone.
    const others = () => (isAscii(Buffer.from(login)) ? [] : this.list());
    return listOf<ProfileRecord>(reply).find(isWanted) ?? (await others()).find(isWanted);
  }

  /** @param accountId goes along as `account_id`, where given: a service may check it */
  override async delete(idOrSerial: string, { accountId }: { accountId?: string } = {}): Promise<Removal> {
    const query =
      accountId === undefined ? "" : `?${new URLSearchParams({ account_id: accountId }).toString()}`;
    return remove(this.channel, this.pathOf(idOrSerial) + query);
  }
}

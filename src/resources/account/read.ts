/** Reading an account that is known, with its primary user profile. */
import type { ObjectValue } from "../../values";
import { doubtOfAccount, type Snapshot } from "../directory";
import type { Connection, Outcome } from "../family";
import { text } from "../record/members";
import { idIn } from "../record/unchanged";
import { unlessGone } from "../record/unless-gone";
import { accountState } from "./inventory";
import { kind } from "./kind";

export async function readAccount(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const { directory } = connection;
  const self = (await directory.account(idIn(prior))) ?? (await unlessGone(kind, connection, prior, doubtOf));
  if (self === undefined) return undefined;
  const profile = text(self.admin_profile_id);
  const primary = profile === undefined ? undefined : await directory.profile(profile);
  const records = { self, primary };
  return { state: accountState(records, prior), records, diagnostics: [] };
}

function doubtOf(snapshot: Snapshot): string | undefined {
  return doubtOfAccount(snapshot)?.reason;
}

/** Reading a user profile that is known. */
import type { ObjectValue } from "../../values";
import { doubtOfAccount, doubtOfProfile, type Snapshot } from "../directory";
import type { Connection, Outcome } from "../family";
import { text } from "../record/members";
import { idIn } from "../record/unchanged";
import { unlessGone } from "../record/unless-gone";
import { profileState } from "./inventory";
import { kind } from "./kind";

export async function readProfile(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const self =
    (await connection.directory.profile(idIn(prior))) ??
    (await unlessGone(kind, connection, prior, (snapshot) => doubtOf(connection, snapshot, prior)));
  if (self === undefined) return undefined;
  const records = { self };
  return { state: profileState(records, prior), records, diagnostics: [] };
}

/** A profile is absent where its account is listed, or is proven to be gone itself. */
async function doubtOf(
  { client }: Connection,
  snapshot: Snapshot,
  prior: ObjectValue,
): Promise<string | undefined> {
  const id = text(prior["account_id"]);
  const account = id === undefined ? undefined : snapshot.account(id);
  if (account !== undefined) return doubtOfProfile(undefined, snapshot)?.reason;
  const isGone = id !== undefined && (await client.accounts.find(id)) === undefined;
  return isGone ? doubtOfAccount(snapshot)?.reason : `its account ${id ?? ""} is not listed`;
}

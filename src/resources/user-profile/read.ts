/** Reading a user profile that is known. */
import type { ProfileRecord } from "../../api";
import { AbsenceUnproven } from "../../errors";
import type { ObjectValue } from "../../values";
import { doubtOfAccount, doubtOfProfile, type Snapshot } from "../directory";
import type { Connection, Outcome } from "../family";
import { text } from "../record/members";
import { idIn } from "../record/unchanged";
import { profileState } from "./inventory";

export async function readProfile(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const self =
    (await connection.directory.profile(idIn(prior))) ?? (await profileUnlessGone(connection, prior));
  if (self === undefined) return undefined;
  const records = { self };
  return { state: profileState(records, prior), records, diagnostics: [] };
}

/**
 * @returns undefined where the profile is proven to be gone
 * @throws AbsenceUnproven
 */
async function profileUnlessGone(
  connection: Connection,
  prior: ObjectValue,
): Promise<ProfileRecord | undefined> {
  const id = idIn(prior);
  const found = await connection.client.profiles.find(id);
  if (found !== undefined) return found.record;
  const snapshot = await connection.directory.snapshot();
  const reason =
    snapshot.profile(id) === undefined ? await doubtOf(connection, snapshot, prior) : "the list still has it";
  if (reason === undefined) return undefined;
  const login = JSON.stringify(prior["login"] ?? null);
  throw new AbsenceUnproven(
    `user profile ${login} (id ${id}) is not found, and that proves nothing: ${reason}`,
  );
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

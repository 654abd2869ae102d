/** Deleting a user profile. */
import { PrimaryProfile, type Diagnostic } from "../../errors";
import { isPrimary } from "../directory";
import type { Connection, DeleteRequest } from "../family";
import { text } from "../record/members";
import { idIn, requireUnchanged } from "../record/unchanged";
import { kind } from "./kind";

export async function deleteProfile(
  { client, directory }: Connection,
  { prior, expected }: DeleteRequest,
): Promise<readonly Diagnostic[]> {
  const id = idIn(prior);
  const record = (await client.profiles.find(id))?.record;
  if (record === undefined) return [];
  const login = text(record.login) ?? id;
  requireUnchanged(kind, record, prior, expected);
  const accountId = text(record.account_id);
  const account = accountId === undefined ? undefined : await directory.account(accountId);
  if (isPrimary(record, account)) throw new PrimaryProfile(login);
  try {
    await client.profiles.delete(id, accountId === undefined ? {} : { accountId });
  } finally {
    directory.invalidate();
  }
  return [];
}

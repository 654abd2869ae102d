/** Reading an account that is known, with its primary user profile. */
import { AbsenceUnproven } from "../../errors";
import type { ObjectValue } from "../../values";
import { doubtOfAccount } from "../directory";
import type { Connection, Outcome } from "../family";
import { text } from "../record/members";
import { idIn } from "../record/unchanged";
import { accountState } from "./inventory";

export async function readAccount(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const { directory } = connection;
  const self = (await directory.account(idIn(prior))) ?? (await accountUnlessGone(connection, prior));
  if (self === undefined) return undefined;
  const profile = text(self.admin_profile_id);
  const primary = profile === undefined ? undefined : await directory.profile(profile);
  const records = { self, primary };
  return { state: accountState(records, prior), records, diagnostics: [] };
}

/**
 * @returns undefined where the account is proven to be gone
 * @throws AbsenceUnproven
 */
async function accountUnlessGone(connection: Connection, prior: ObjectValue) {
  const id = idIn(prior);
  const found = await connection.client.accounts.find(id);
  if (found !== undefined) return found.record;
  const snapshot = await connection.directory.snapshot();
  const listed = snapshot.account(id);
  const reason = listed === undefined ? doubtOfAccount(snapshot)?.reason : "the list still has it";
  if (reason === undefined) return undefined;
  throw new AbsenceUnproven(`account ${nameIn(prior)} is not found, and that proves nothing: ${reason}`);
}

function nameIn(prior: ObjectValue): string {
  return `${JSON.stringify(prior["name"] ?? null)} (id ${idIn(prior)})`;
}

/** Deleting an account, which destroys the tenant's storage: only when that was allowed, and only when it is empty. */
import type { AccountRecord } from "../../api";
import { AccountDeletionRefused, AccountNotEmpty, type Diagnostic } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection, DeleteRequest } from "../family";
import { text } from "../record/members";
import { idIn, requireUnchanged } from "../record/unchanged";
import { strangersIn } from "../strangers";
import { contentsOf } from "./emptiness";
import { kind } from "./kind";

export async function deleteAccount(
  connection: Connection,
  request: DeleteRequest,
): Promise<readonly Diagnostic[]> {
  const { client, directory } = connection;
  const { prior, expected } = request;
  const id = idIn(prior);
  const record = (await client.accounts.find(id))?.record;
  if (record === undefined) return [];
  const name = text(record.name) ?? id;
  requireUnchanged(kind, record, prior, expected);
  requireAllowed(request, name);
  if (!mayHoldSomething(request)) await requireEmpty(connection, record, name);
  try {
    await client.accounts.delete(id);
  } finally {
    directory.invalidate();
  }
  return [];
}

/**
 * Judged at plan. Without an owner nothing is said of the users in it, because then all look like anybody's, those too that the same plan
 * deletes.
 */
export async function mayDeleteAccount(
  connection: Connection,
  request: DeleteRequest,
): Promise<readonly Diagnostic[]> {
  const { prior } = request;
  const name = text(prior["name"]) ?? idIn(prior);
  if (!isAllowed(request)) return new AccountDeletionRefused(name).toDiagnostics();
  if (mayHoldSomething(request)) return [];
  const { directory, owners } = connection;
  const record = await directory.account(idIn(prior));
  if (record === undefined) return [];
  const { profiles } = await directory.snapshot();
  const contents = await contentsOf(connection, record, profiles);
  const strangers = owners === undefined ? [] : strangersIn(contents, request.going);
  const findings = [...contents.storage, ...strangers];
  return findings.length === 0 ? [] : new AccountNotEmpty(name, findings).toDiagnostics();
}

function requireAllowed(request: DeleteRequest, name: string): void {
  if (!isAllowed(request)) throw new AccountDeletionRefused(name);
}

async function requireEmpty(connection: Connection, record: AccountRecord, name: string): Promise<void> {
  const profiles = await connection.client.profiles.list();
  const contents = await contentsOf(connection, record, profiles);
  const findings = [...contents.storage, ...strangersIn(contents)];
  if (findings.length > 0) throw new AccountNotEmpty(name, findings);
}

function isAllowed({ allowed, prior }: DeleteRequest): boolean {
  return allowed ?? flag(prior, "deletion_protection") === false;
}

function mayHoldSomething({ allowNonempty, prior }: DeleteRequest): boolean {
  return allowNonempty ?? flag(prior, "allow_nonempty_delete") === true;
}

function flag(prior: ObjectValue, name: string): boolean | undefined {
  const value = prior[name];
  return typeof value === "boolean" ? value : undefined;
}

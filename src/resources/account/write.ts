/** Plans, creates, updates and deletes accounts. */
import type { AccountRecord } from "../../api";
import {
  accountDeletionRefused,
  accountNotEmpty,
  type Diagnostic,
  movedOn,
  templateRecorded,
  TenancyError,
} from "../../problems";
import { createBody } from "../../schema";
import type { Connection } from "../../service";
import type { ObjectValue } from "../../values";
import type {
  CreateRequest,
  DeleteRequest,
  Outcome,
  Proposal,
  ProposeContext,
  Records,
  UpdateRequest,
} from "../family";
import {
  type Asked,
  askedByChanges,
  atAttributes,
  bodyOf,
  chosenUuid,
  createRecord,
  dispatchOf,
  filled,
  idIn,
  idOf,
  isEmpty,
  isWhole,
  outcomeOfCreate,
  outcomeOfUpdate,
  proposeRecord,
  readKnown,
  requireUnchanged,
  settled,
  text,
  type Written,
} from "../record";
import { strangersIn } from "../strangers";
import { kind as profileKind } from "../user-profile";
import { account } from "./description";
import { accountState, contentsOf, inventory, keyOf, kind } from "./inventory";

/** What is planned for an account. */
export function proposeAccount(
  config: ObjectValue,
  prior: ObjectValue | null,
  context: Partial<ProposeContext> = {},
): Proposal {
  const proposal = proposeRecord(account.attributes, config, prior, context, {
    who: ({ name }, live) => text(live?.["name"]) ?? text(name) ?? "",
  });
  const recorded =
    proposal.action === "update" && proposal.changes.some(({ path }) => path[0] === "template");
  if (!recorded) return proposal;
  return { ...proposal, diagnostics: [...proposal.diagnostics, templateRecorded.at()] };
}

/** Creating an account, and with it its primary user profile (spec 4.3). */
export async function createAccount(connection: Connection, request: CreateRequest): Promise<Outcome> {
  const { config } = request;
  const { attributes } = account;
  const { owners } = connection;
  const planned = filled(attributes, request.planned, proposeAccount(config, null).planned);
  const name = text(config["name"]) ?? "";
  const key = keyOf(name);
  const uuid = text(config["uuid"]);
  const primary = { kind: "primary", names: [name] };
  const body = createBody(attributes, planned, config);
  const made = await createRecord(kind, connection, {
    text: name,
    uuid,
    locate: (snapshot) => inventory.locate(config, snapshot, owners),
    doubt: (snapshot) => inventory.doubt(key, snapshot),
    body: (generation) => ({
      ...body,
      uuid: chosenUuid(uuid, key, owners, generation),
      user_uuid: chosenUuid(text(config["user_uuid"]), primary, owners, generation),
    }),
  });
  // The answer to the POST serves for the first look, where it is the whole record.
  let answer = isWhole(made.record, kind.members) ? made.record : undefined;
  const look = async () => {
    const self = answer;
    answer = undefined;
    return lookAt(connection, made.record, self);
  };
  const written = {
    noun: account.noun,
    text: name,
    attributes,
    planned,
    config,
    first: undefined,
    look,
    deny: async ({ primary }: Records, rights: ObjectValue) =>
      primary && connection.client.profiles.update(idOf(primary), rights),
    stateOf: accountState,
  };
  return outcomeOfCreate(written, made);
}

/**
 * Both records of an account, as they are now.
 * @param read its own record, where that was read already
 */
async function lookAt({ client }: Connection, known: AccountRecord, read?: AccountRecord): Promise<Records> {
  const self = read ?? (await client.accounts.get(idOf(known))).record;
  const profile = text(self.admin_profile_id) ?? text(known.admin_profile_id);
  const primary = profile === undefined ? undefined : (await client.profiles.find(profile))?.record;
  return { self, primary };
}

/** Changing an account in place: a PATCH of the account, and one of its primary user profile (design: What is managed). */
export async function updateAccount(connection: Connection, request: UpdateRequest): Promise<Outcome> {
  const { attributes } = account;
  const { prior, config } = request;
  const planned = filled(attributes, request.planned, proposeAccount(config, prior).planned);
  const dispatch = dispatchOf(attributes, planned, request);
  const bodies = {
    self: bodyOf(attributes, dispatch, config, "self"),
    primary: bodyOf(attributes, dispatch, config, "primary"),
  };
  if (isEmpty(bodies.self) && isEmpty(bodies.primary))
    return { state: settled(attributes, planned, prior), diagnostics: [] };
  const known = await unchanged(connection, request);
  try {
    return await write(connection, prior, planned, bodies, known, askedByChanges(dispatch.changes));
  } finally {
    connection.directory.invalidate();
  }
}

interface Bodies {
  readonly self: ObjectValue;
  readonly primary: ObjectValue;
}

/** What is needed to write to both records. */
interface Known {
  readonly id: string;
  readonly name: string;
  readonly primaryId: string | undefined;
}

async function write(
  connection: Connection,
  prior: ObjectValue,
  planned: ObjectValue,
  bodies: Bodies,
  { id, name, primaryId }: Known,
  asked: readonly Asked[],
): Promise<Outcome> {
  const { attributes } = account;
  const { client } = connection;
  const look = () => lookAt(connection, { id });
  const written = { noun: account.noun, text: name, attributes, planned, look, stateOf: accountState };
  const patched: Patched = {};
  if (!isEmpty(bodies.self))
    patched.self = (await atAttributes(attributes, () => client.accounts.update(id, bodies.self))).record;
  try {
    if (!isEmpty(bodies.primary)) {
      if (primaryId === undefined)
        throw movedOn.error({ noun: account.noun, key: name, what: "it has no primary user profile" });
      const patch = () => client.profiles.update(primaryId, bodies.primary);
      patched.primary = (await atAttributes(attributes, patch)).record;
    }
  } catch (error) {
    if (isEmpty(bodies.self) || !(error instanceof TenancyError)) throw error;
    return inPart(written, prior, asked, error);
  }
  return outcomeOfUpdate({ ...written, first: wholeOf(bodies, patched) }, prior, asked);
}

interface Patched {
  self?: ObjectValue | undefined;
  primary?: ObjectValue | undefined;
}

/** The records of the answers. If a record was not written to, prior is enough. */
function wholeOf(bodies: Bodies, { self, primary }: Patched): Records | undefined {
  const isShown = isEmpty(bodies.self) || isWhole(self, kind.members);
  const isPrimaryShown = isEmpty(bodies.primary) || isWhole(primary, profileKind.members);
  return isShown && isPrimaryShown ? { self: self ?? {}, primary } : undefined;
}

/** The account is changed, its primary user profile isn't: the state says what is live. */
async function inPart(
  written: Omit<Written, "first">,
  prior: ObjectValue,
  asked: readonly Asked[],
  error: TenancyError,
): Promise<Outcome> {
  const own = asked.filter(({ path }) => account.attributes[path[0] ?? ""]?.of === "self");
  const planned: Record<string, ObjectValue[string]> = { ...written.planned };
  for (const [name, { of }] of Object.entries(account.attributes))
    if (of === "primary") planned[name] = prior[name] ?? null;
  const outcome = await outcomeOfUpdate({ ...written, planned, first: undefined }, prior, own);
  return { ...outcome, diagnostics: [...error.toDiagnostics(), ...outcome.diagnostics] };
}

async function unchanged(connection: Connection, { prior, expected }: UpdateRequest): Promise<Known> {
  const id = idIn(prior);
  const name = text(prior["name"]) ?? id;
  if (expected === "judged") return { id, name, primaryId: text(prior["admin_profile_id"]) };
  const live = await readKnown(kind, connection, prior);
  requireUnchanged(kind, live, prior, expected);
  return { id, name, primaryId: text(live.admin_profile_id) };
}

/** Deleting an account, which destroys the tenant's storage: only when that was allowed, and only when it is empty. */
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
 * Judged at plan. Without an owner, users in the account are not reported, because none of them is known to be ours, also those that the
 * same plan deletes.
 */
export async function mayDeleteAccount(
  connection: Connection,
  request: DeleteRequest,
): Promise<readonly Diagnostic[]> {
  const { prior } = request;
  const name = text(prior["name"]) ?? idIn(prior);
  if (!isAllowed(request)) return [accountDeletionRefused.at(name)];
  if (mayHoldSomething(request)) return [];
  const { directory, owners } = connection;
  const record = await directory.account(idIn(prior));
  if (record === undefined) return [];
  const { profiles } = await directory.snapshot();
  const contents = await contentsOf(connection, record, profiles);
  const strangers = owners === undefined ? [] : strangersIn(contents, request.going);
  const findings = [...contents.storage, ...strangers];
  return findings.length === 0 ? [] : [accountNotEmpty.at({ name, findings })];
}

function requireAllowed(request: DeleteRequest, name: string): void {
  if (!isAllowed(request)) throw accountDeletionRefused.error(name);
}

async function requireEmpty(connection: Connection, record: AccountRecord, name: string): Promise<void> {
  const profiles = await connection.client.profiles.list();
  const contents = await contentsOf(connection, record, profiles);
  const findings = [...contents.storage, ...strangersIn(contents)];
  if (findings.length > 0) throw accountNotEmpty.error({ name, findings });
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

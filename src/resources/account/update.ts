/** Changing an account in place: a PATCH of the account, and one of its primary user profile (design: What is managed). */
import { MovedOn, TenancyError } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection, Outcome, Records, UpdateRequest } from "../family";
import { askedByChanges, type Asked } from "../record/compare";
import { filled, settled } from "../record/fill";
import { isWhole, text } from "../record/members";
import { outcomeOfUpdate, type Written } from "../record/outcome";
import { atAttributes } from "../record/refusals";
import { idIn, readKnown, requireUnchanged } from "../record/unchanged";
import { bodyOf, dispatchOf, isEmpty } from "../record/update";
import { kind as profileKind } from "../user-profile/kind";
import { lookAt } from "./create";
import { account } from "./description";
import { accountState } from "./inventory";
import { kind } from "./kind";
import { proposeAccount } from "./propose";

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
      if (primaryId === undefined) throw new MovedOn(account.noun, name, "it has no primary user profile");
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

/** What the answers showed; of a record that was not written to, prior knows enough. */
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

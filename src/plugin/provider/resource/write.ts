/** Creating, changing and deleting an object, as it was planned. */
import { MovedOn } from "../../../errors";
import type { Connection, Outcome, TokenKeeper, UpdateRequest } from "../../../resources";
import { diff } from "../../../schema";
import type { ObjectValue } from "../../../values";
import type {
  Call,
  CreateRequest,
  Findings,
  Schema,
  UpdateRequest as UpdateCall,
  WriteResult,
} from "../../runtime";
import { conformed } from "../configuration";
import { toTerraform } from "../findings";
import { heldOf, notesOf, type Notes } from "../notes";
import type { Bound } from ".";
import { notesOnDeclared } from "./declared";
import { sequenceIn } from "./sequence";

export async function createObject(
  bound: Bound,
  { planned, config: raw }: CreateRequest<Schema>,
  call: Call,
): Promise<WriteResult<Schema>> {
  const { resource, service } = bound;
  const config = conformed(resource, raw);
  const connection = service.writing();
  const outcome = await resource.create(connection, { planned, config, keeper: keeperFor(call) });
  if (call.isLost) await resource.takeBack?.(connection, null, outcome.state);
  return written(bound, config, outcome, {});
}

export async function updateObject(
  bound: Bound,
  { prior, planned, config: raw, private: held }: UpdateCall<Schema>,
  call: Call,
): Promise<WriteResult<Schema>> {
  const { resource, service } = bound;
  const { seq, imported = false, notedAt, granted } = notesOf(held);
  const request = {
    prior,
    planned,
    config: conformed(resource, raw),
    asOf: notedAt,
    granted,
    recordVersions: imported,
    keeper: keeperFor(call),
  };
  const connection = service.writing();
  const outcome = await updateUnlessMoved(bound, connection, request, seq);
  if (call.isLost) await resource.takeBack?.(connection, prior, outcome.state);
  return written(bound, request.config, outcome, { seq, notedAt, granted });
}

/**
 * Terraform keeps tokens in its state, once it has the answer. A token that nobody will receive is revoked before those that it replaces are.
 */
function keeperFor(call: Call): TokenKeeper {
  const unlessLost = () => (call.isLost ? Promise.reject(new Error("Terraform is gone")) : Promise.resolve());
  const intent = { keep: unlessLost, drop: () => Promise.resolve() };
  return { intend: () => unlessLost().then(() => intent) };
}

export async function deleteObject({ resource, service }: Bound, prior: ObjectValue): Promise<Findings> {
  return { diagnostics: toTerraform(await resource.delete(service.writing(), { prior })) };
}

/** A record that was written to since it was read is read again; the plan still holds where it would be the same. */
async function updateUnlessMoved(
  { resource }: Bound,
  connection: Connection,
  request: UpdateRequest,
  seq: Notes["seq"],
): Promise<Outcome> {
  const { inventory } = resource;
  if (inventory === undefined || seq === undefined) return resource.update(connection, request);
  const { prior } = request;
  const identity = inventory.expectation({ self: prior });
  try {
    return await resource.update(connection, { ...request, expected: { ...identity, seq } });
  } catch (error) {
    if (!(error instanceof MovedOn)) throw error;
    connection.directory.invalidate();
    const now = await resource.read(connection, prior);
    if (now === undefined || diff(resource.description.attributes, prior, now.state).length > 0) throw error;
    const expected = { ...identity, seq: sequenceIn(resource, now) };
    return resource.update(connection, { ...request, expected });
  }
}

function written(
  { resource }: Bound,
  config: ObjectValue,
  outcome: Outcome,
  notes: Notes,
): WriteResult<Schema> {
  const { state, diagnostics } = outcome;
  const seq = outcome.records === undefined ? notes.seq : sequenceIn(resource, outcome);
  const { granted = notes.granted, ...declared } = notesOnDeclared(resource, config, outcome);
  return {
    state,
    private: heldOf({ ...notes, seq, ...declared, granted }),
    diagnostics: toTerraform(diagnostics),
  };
}

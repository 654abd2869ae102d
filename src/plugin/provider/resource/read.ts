/** Refreshing an object. */
import type { ReadRequest, ReadResult, Schema } from "../../runtime";
import { toTerraform } from "../findings";
import { heldOf, notesOf } from "../notes";
import type { Bound } from ".";
import { grantedOf, withDeclaredRights } from "./declared";
import { sequenceIn } from "./sequence";

export async function readObject(
  { resource, service }: Bound,
  { state: prior, private: held }: ReadRequest<Schema>,
): Promise<ReadResult<Schema>> {
  const { connection } = service;
  if (connection === undefined) return { diagnostics: toTerraform(service.trusted()) };
  const notes = notesOf(held);
  const outcome = await resource.read(connection, withDeclaredRights(prior, notes));
  if (outcome === undefined) return { state: null };
  const { state, diagnostics } = outcome;
  const notedAt = resource.ages?.(state) === true ? connection.now() : undefined;
  return {
    state,
    private: heldOf({
      ...notes,
      seq: sequenceIn(resource, outcome),
      notedAt,
      granted: grantedOf(resource.description.attributes, outcome) ?? notes.granted,
    }),
    diagnostics: toTerraform(diagnostics),
  };
}

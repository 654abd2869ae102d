/** Refreshing an object. */
import type { ReadRequest, ReadResult, Schema } from "../../runtime";
import { toTerraform } from "../findings";
import { heldOf, notesOf } from "../notes";
import type { Bound } from ".";
import { sequenceIn } from "./sequence";

export async function readObject(
  { resource, service }: Bound,
  { state: prior, private: held }: ReadRequest<Schema>,
): Promise<ReadResult<Schema>> {
  const { connection } = service;
  if (connection === undefined) return { diagnostics: toTerraform(service.trusted()) };
  const outcome = await resource.read(connection, prior);
  if (outcome === undefined) return { state: null };
  const { state, diagnostics } = outcome;
  const notedAt = resource.ages?.(state) === true ? connection.now() : undefined;
  return {
    state,
    private: heldOf({ ...notesOf(held), seq: sequenceIn(resource, outcome), notedAt }),
    diagnostics: toTerraform(diagnostics),
  };
}

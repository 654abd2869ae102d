/** Planning: the resource proposes, and its guards may refuse. */
import type { Diagnostic } from "../../../errors";
import type { Connection, DeleteRequest } from "../../../resources";
import type { ObjectValue } from "../../../values";
import type { Findings, PlanRequest, PlanResult, Schema } from "../../runtime";
import { conformed } from "../configuration";
import { toTerraform } from "../findings";
import { heldOf, notesOf } from "../notes";
import type { Bound } from ".";
import { standingOf } from "./standing";

/**
 * Core validates a configuration right before it has it planned, so that is not done again. A replacement comes in two
 * calls: one with the object as it is, and one for a new object, with the private state of the first.
 */
export async function planObject(
  bound: Bound,
  { prior, config: raw, private: held }: PlanRequest<Schema>,
): Promise<PlanResult<Schema>> {
  const { resource } = bound;
  const { standing, ...notes } = notesOf(held);
  const config = conformed(resource, raw);
  const proposal = resource.propose(config, prior, { asOf: notes.notedAt });
  const objections = prior === null ? await objectionsToNew(bound, config, standing) : [];
  return {
    planned: proposal.planned,
    requiresReplace: proposal.replacedBy,
    private: heldOf(prior === null ? {} : { ...notes, standing: standingOf(resource.description, prior) }),
    diagnostics: toTerraform([...proposal.diagnostics, ...objections]),
  };
}

export async function planDelete({ resource, service }: Bound, prior: ObjectValue): Promise<Findings> {
  const { connection } = service;
  if (connection === undefined) return { diagnostics: toTerraform(service.trusted()) };
  return { diagnostics: toTerraform(await objectionsToDelete(resource, connection, { prior })) };
}

/** @param standing what is deleted to make place for it, where this is a replacement */
async function objectionsToNew(
  { resource, service }: Bound,
  config: ObjectValue,
  standing: ObjectValue | undefined,
): Promise<readonly Diagnostic[]> {
  const { connection, hasWritten } = service;
  if (connection === undefined) return [];
  return [
    ...(standing === undefined ? [] : await objectionsToDelete(resource, connection, { prior: standing })),
    // Once something was written, only the create itself sees things as they are.
    ...(hasWritten ? [] : ((await resource.foresee?.(connection, config, standing)) ?? [])),
  ];
}

async function objectionsToDelete(
  resource: Bound["resource"],
  connection: Connection,
  request: DeleteRequest,
): Promise<readonly Diagnostic[]> {
  return (await resource.mayDelete?.(connection, request)) ?? [];
}

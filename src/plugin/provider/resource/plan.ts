/** Planning: the resource proposes, and the guards may refuse. */
import type { Diagnostic } from "../../../errors";
import type { Connection } from "../../../resources";
import { isUnknown, type ObjectValue } from "../../../values";
import type { Findings, PlanRequest, PlanResult, Schema } from "../../runtime";
import { conformed } from "../configuration";
import { toTerraform } from "../findings";
import { heldOf, notesOf } from "../notes";
import type { Bound } from ".";
import { noLongerDeclared } from "./declared";
import { objectionsToDelete, objectionsToHarm, objectionsToRenaming } from "./guards";
import { refusedPassword } from "./refused-password";
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
  const asOf = notes.notedAt;
  const { granted } = notes;
  const { action, planned, changes, replacedBy, diagnostics } = resource.propose(config, prior, {
    asOf,
    granted,
  });
  const undeclared = [
    ...bound.service.written.findings(bound, config, prior),
    ...(prior === null ? [] : noLongerDeclared(resource, config, prior, notes)),
  ];
  const objections =
    prior === null
      ? await objectionsToNew(bound, config, standing)
      : await guarded(bound, async (connection) => [
          ...(await objectionsToHarm(bound, connection, {
            action,
            before: prior,
            after: planned,
            changes,
            asOf,
          })),
          ...(await refusedPassword(bound, connection, config, prior)),
          // What is made anew in place has another id: a token that is rotated.
          ...(action === "update" && isUnknown(planned["id"])
            ? await foreseen(bound, connection, config)
            : []),
        ]);
  return {
    planned,
    requiresReplace: replacedBy,
    private: heldOf(prior === null ? {} : { ...notes, standing: standingOf(resource.description, prior) }),
    diagnostics: toTerraform([...diagnostics, ...undeclared, ...objections]),
  };
}

export async function planDelete(bound: Bound, prior: ObjectValue): Promise<Findings> {
  const { service } = bound;
  if (service.connection === undefined) return { diagnostics: toTerraform(service.trusted()) };
  const objections = await guarded(bound, (connection) => objectionsToDelete(bound, connection, prior));
  return { diagnostics: toTerraform(objections) };
}

/** @param standing what is deleted to make place for it, where this is a replacement */
function objectionsToNew(
  bound: Bound,
  config: ObjectValue,
  standing: ObjectValue | undefined,
): Promise<readonly Diagnostic[]> {
  return guarded(bound, async (connection) => {
    if (standing !== undefined)
      return [
        ...(await objectionsToDelete(bound, connection, standing)),
        ...(await foreseen(bound, connection, config, standing)),
      ];
    const foretold = await foreseen(bound, connection, config);
    const renaming = foretold.length === 0 ? [] : await objectionsToRenaming(bound, connection, config);
    return renaming.length === 0 ? foretold : renaming;
  });
}

async function foreseen(
  { resource }: Bound,
  connection: Connection,
  config: ObjectValue,
  standing?: ObjectValue,
): Promise<readonly Diagnostic[]> {
  return (await resource.foresee?.(connection, config, standing)) ?? [];
}

/**
 * Core plans each object once more while it applies. By then the guards have been judged, and what was live before the first
 * write need not be so any more: each write looks for itself.
 */
async function guarded(
  { service }: Bound,
  judge: (connection: Connection) => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  const { connection, hasWritten } = service;
  return connection === undefined || hasWritten ? [] : judge(connection);
}

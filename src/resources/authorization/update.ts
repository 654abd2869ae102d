/** Rotating a token in place, with overlap, and revoking what was replaced long enough ago (design: Tokens). */
import { TenancyError, type Diagnostic } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection, Outcome, UpdateRequest } from "../family";
import { filled, settled } from "../record/fill";
import { authorization } from "./description";
import { mintToken } from "./mint";
import { kept, previousOf, retentionOf, retired, withUser } from "./previous";
import { proposeToken } from "./propose";
import { revoke } from "./revoke";
import { keepersDiffer } from "./rotation";

const { attributes } = authorization;

export async function updateToken(connection: Connection, request: UpdateRequest): Promise<Outcome> {
  const { prior, config, asOf, rotate: isForced = false } = request;
  const anew = proposeToken(config, prior, { asOf, rotate: isForced }).planned;
  const planned = filled(attributes, request.planned, anew);
  const rotated =
    isForced || keepersDiffer(config, prior) ? await rotate(connection, request, planned) : undefined;
  const state = rotated?.state ?? { ...settled(attributes, planned, prior), previous: previousOf(prior) };
  const stay = new Set(kept(previousOf(state), retentionOf(config), asOf));
  const purge = await purged(connection, state, stay);
  return {
    state: { ...state, previous: purge.left },
    diagnostics: [...(rotated?.diagnostics ?? []), ...purge.diagnostics],
  };
}

async function rotate(
  connection: Connection,
  request: UpdateRequest,
  planned: ObjectValue,
): Promise<Outcome> {
  const { prior } = request;
  const previous = [retired(prior, connection.now()), ...previousOf(prior)];
  return mintToken(connection, request, (shown) => ({ ...settled(attributes, planned, shown), previous }));
}

interface Purge {
  readonly left: readonly ObjectValue[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A token that could not be revoked stays in the list, so that the next apply tries again. */
async function purged(
  connection: Connection,
  state: ObjectValue,
  stay: ReadonlySet<ObjectValue>,
): Promise<Purge> {
  const left: ObjectValue[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const token of previousOf(state)) {
    if (stay.has(token)) left.push(token);
    else
      try {
        await revoke(connection, withUser(token, state));
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        left.push(token);
        diagnostics.push(...error.toDiagnostics({ attribute: ["previous"] }));
      }
  }
  return { left, diagnostics };
}

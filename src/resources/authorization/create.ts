/** A new token. */
import type { Connection, CreateRequest, Outcome } from "../family";
import { filled, settled } from "../record/fill";
import { authorization } from "./description";
import { mintToken } from "./mint";
import { proposeToken } from "./propose";

export async function createToken(connection: Connection, request: CreateRequest): Promise<Outcome> {
  const { attributes } = authorization;
  const anew = proposeToken(request.config, null, { asOf: undefined }).planned;
  const planned = filled(attributes, request.planned, anew);
  return mintToken(connection, request, (shown) => settled(attributes, planned, shown));
}

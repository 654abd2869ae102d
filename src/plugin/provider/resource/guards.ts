/** What a plan is refused for before anything is written (design: Guards). */
import { RetiresEarly, SelfChange, type Diagnostic } from "../../../errors";
import { endedEarly, harmOf, isOwn, type Connection, type Intention, type Self } from "../../../resources";
import type { ObjectValue, Value } from "../../../values";
import type { Bound } from ".";

/** The object is to be deleted, or deleted and made anew. */
export async function objectionsToDelete(
  bound: Bound,
  connection: Connection,
  prior: ObjectValue,
): Promise<readonly Diagnostic[]> {
  const { resource, service } = bound;
  const id = text(prior["id"]);
  if (id !== undefined) service.going.add(id);
  return [
    ...((await resource.mayDelete?.(connection, { prior, going: service.going })) ?? []),
    ...(await objectionsToHarm(bound, connection, {
      action: "delete",
      before: prior,
      after: null,
      changes: [],
      asOf: undefined,
    })),
  ];
}

/** A run must not take from itself what it works with. */
export async function objectionsToHarm(
  { resource, service }: Bound,
  connection: Connection,
  change: Pick<Intention, "action" | "before" | "after" | "changes" | "asOf">,
): Promise<readonly Diagnostic[]> {
  const { before } = change;
  const intention: Intention = { ...change, kind: resource.description.name, id: text(before?.["id"]) };
  const harm = harmOf(intention);
  if (harm === undefined) return [];
  const self: Self = {
    snapshot: await connection.directory.snapshot(),
    worksWith: (token) => service.token !== undefined && token["access_token"] === service.token,
    // There is no way to allow it, so what cannot be known refuses nothing.
    mayBeAnyone: false,
  };
  if (!isOwn(intention, self)) return [];
  const key = text(before?.["login"]) ?? text(before?.["name"]) ?? "";
  const where = harm.attribute === undefined ? {} : { attribute: harm.attribute };
  return new SelfChange(key, harm.what, where).toDiagnostics();
}

/** There is no flag that would allow it, but the declaration can: more tokens are kept, or for a shorter time. */
export function objectionsToRotation(
  connection: Connection,
  before: ObjectValue,
  after: ObjectValue,
): readonly Diagnostic[] {
  const ends = endedEarly(before, after, connection.now());
  if (ends.length === 0) return [];
  const key = [text(before["login"]), text(before["name"])].join("/");
  return new RetiresEarly(key, ends).toDiagnostics();
}

function text(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

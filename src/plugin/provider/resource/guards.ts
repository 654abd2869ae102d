/** What a plan is refused for before anything is written (design: Guards). */
import { AlreadyLive, SelfChange, type Diagnostic } from "../../../errors";
import { harmOf, isOwn, type Connection, type Intention, type Self } from "../../../resources";
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
  const isRenamed = id !== undefined && service.declaredAnew.has(id);
  return [
    ...(isRenamed ? deletedAndCreated(resource, prior, id) : []),
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

/**
 * A construct that was renamed without a `moved` block: Terraform deletes the record at one address and creates it at another, in any order.
 * Deleted first, it is made anew, without what was in it; created first, it is refused, and then deleted. The plan calls come in any order,
 * too, so each of the two looks for the other.
 */
export async function objectionsToRenaming(
  { resource, service }: Bound,
  { directory, owners }: Connection,
  config: ObjectValue,
): Promise<readonly Diagnostic[]> {
  const sought = resource.inventory?.locate(config, await directory.snapshot(), owners);
  const record = sought?.kind === "live" ? sought.records.self : undefined;
  const id = text(record?.["id"]);
  if (record === undefined || id === undefined) return [];
  service.declaredAnew.add(id);
  return service.going.has(id) ? deletedAndCreated(resource, record, id) : [];
}

function deletedAndCreated(
  { description: { noun } }: Bound["resource"],
  record: ObjectValue,
  id: string,
): readonly Diagnostic[] {
  const detail =
    "One plan would delete it at one address and create it at another, in an order that is left to chance. " +
    "If it is to be made anew, take its declaration out, apply, and put it back.";
  return new AlreadyLive(noun, keyOf(record), id, { detail }).toDiagnostics();
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
  const key = keyOf(before ?? {});
  const where = harm.attribute === undefined ? {} : { attribute: harm.attribute };
  return new SelfChange(key, harm.what, where).toDiagnostics();
}

function keyOf(record: ObjectValue): string {
  return text(record["login"]) ?? text(record["name"]) ?? "";
}

function text(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

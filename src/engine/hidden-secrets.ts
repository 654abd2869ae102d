/**
 * Keeps the secrets that a run knows out of what it shows of records, whoever wrote them there. A plan, a look for drift and outputs pass
 * through here, and say which values are sensitive; everything that renders them heeds that.
 */
import type { Change, Drift, EvaluatedObject, OutputChange } from "../plan";
import type { Description } from "../schema";
import { attributePath, writeOnlyAttributes } from "../schema";
import { type KnownSecrets, type ObjectValue, type Path, type Value, valueAt } from "../lib/values";

/** The write-only values of a configuration are secrets of the run. */
export function noteSecrets({ attributes }: Description, config: ObjectValue, secrets: KnownSecrets): void {
  for (const { path } of writeOnlyAttributes(attributes)) {
    const value = valueAt(config, path);
    if (typeof value === "string") secrets.add(value);
  }
}

/** The attributes whose values repeat a secret, in any of several states of an object. */
export function secretPaths(
  { attributes }: Description,
  secrets: KnownSecrets,
  ...states: readonly (ObjectValue | null)[]
): readonly Path[] {
  return states.flatMap((state) => secrets.pathsIn(state).map((path) => attributePath(attributes, path)));
}

/** The paths of an unchanged object that must not be shown: those of its declaration, and those whose values repeat a secret. */
export function sensitiveIn(
  { description, before }: Pick<Change, "description" | "before">,
  {
    sensitive,
    target,
  }: { readonly sensitive: readonly Path[]; readonly target: { readonly secrets: KnownSecrets } },
): readonly Path[] {
  const found = secretPaths(description, target.secrets, before);
  return found.length === 0 ? sensitive : [...sensitive, ...found];
}

/** The change itself, unless it would show a secret. */
export function hidingInChange(change: Change, secrets: KnownSecrets): Change {
  // An unchanged object looks for itself, when it is asked for.
  if (change.action === "none") return change;
  const found = secretPaths(change.description, secrets, change.before, change.after);
  if (found.length === 0) return change;
  const { action, address, description, constructPath, provider, key, title, claim, before, after } = change;
  const { attributes, replacedBy, importId, reason, notes, observedRecord, declared, granted } = change;
  return {
    ...{ action, address, description, constructPath, provider, key, title, claim, before, after },
    ...{ attributes, replacedBy, importId, reason, notes, observedRecord, declared, granted },
    sensitive: [...change.sensitive, ...found],
  };
}

export function hidingInDrift(drift: Drift, secrets: KnownSecrets): Drift {
  const { description, live, path, from = null, to = null } = drift;
  const found = [
    ...secretPaths(description, secrets, live),
    ...[from, to].flatMap((value) => secrets.pathsIn(value, path)),
  ];
  return found.length === 0 ? drift : { ...drift, sensitive: [...drift.sensitive, ...found] };
}

export function hidingInEvaluated(object: EvaluatedObject, secrets: KnownSecrets): EvaluatedObject {
  const found = secrets.pathsIn(object.values as Value);
  return found.length === 0 ? object : { ...object, sensitive: [...object.sensitive, ...found] };
}

/** An output that shows a record's value is hidden as a whole; `tenancy output NAME` prints it. */
export function hidingInOutput(output: OutputChange, secrets: KnownSecrets): OutputChange {
  if (output.sensitive || secrets.pathsIn(output.after as Value).length === 0) return output;
  return { ...output, sensitive: true };
}

/**
 * Keeps the secrets that a run knows out of shown records. Plans, drift and outputs mark their sensitive values here, and every renderer hides marked values.
 */
import type { Drift, EvaluatedObject, OutputChange } from "../plan";
import type { Description } from "../schema";
import { attributePath, writeOnlyAttributes } from "../schema";
import type { DeclaredObject } from "./planned-object";
import { type KnownSecrets, type ObjectValue, type Path, type Value, valueAt } from "../lib/values";

/** The write-only and the sensitive values of a configuration are secrets of the run. */
export function noteSecrets({ config, sensitive, resource, target: { secrets } }: DeclaredObject): void {
  const writeOnly = writeOnlyAttributes(resource.description.attributes).map(({ path }) => path);
  for (const path of [...writeOnly, ...sensitive]) secrets.addAll(valueAt(config, path));
}

/** The attributes whose values repeat a secret, in a state of an object. */
function secretPaths(
  { attributes }: Description,
  secrets: KnownSecrets,
  state: ObjectValue | null,
): readonly Path[] {
  return secrets.pathsIn(state).map((path) => attributePath(attributes, path));
}

export function hidingInDrift(drift: Drift, secrets: KnownSecrets): Drift {
  const { description, live, path, from = null, to = null } = drift;
  const paths = [
    ...secretPaths(description, secrets, live),
    ...[from, to].flatMap((value) => secrets.pathsIn(value, path)),
  ];
  return paths.length === 0 ? drift : { ...drift, sensitive: [...drift.sensitive, ...paths] };
}

export function hidingInEvaluated(object: EvaluatedObject, secrets: KnownSecrets): EvaluatedObject {
  const paths = secrets.pathsIn(object.values as Value);
  return paths.length === 0 ? object : { ...object, sensitive: [...object.sensitive, ...paths] };
}

/** An output that shows a record's value is hidden as a whole; `tenancy output NAME` prints it. */
export function hidingInOutput(output: OutputChange, secrets: KnownSecrets): OutputChange {
  if (output.sensitive || secrets.pathsIn(output.after as Value).length === 0) return output;
  return { ...output, sensitive: true };
}

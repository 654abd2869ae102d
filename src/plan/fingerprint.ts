/** Computes the fingerprint of a plan. A saved plan is applied only if a new plan has the same fingerprint. */
import { type Attribute, type AttributeChange, changesBetween } from "../schema";
import {
  formatPath,
  isList,
  isObject,
  isUnknown,
  samePath,
  SENSITIVE_TEXT,
  startsWith,
  stringifyJson,
  UNKNOWN_TEXT,
  type Value,
} from "../lib/values";
import type { Change, Plan, Target } from "./plan";

/** One object. Values that may be shown are written out, others as keyed digests. */
interface ObjectMark {
  readonly address: string;
  readonly type: string;
  readonly action: Change["action"];
  readonly key: string;
  readonly id: string | null;
  readonly uuid: string | null;
  readonly serial: string | null;
  /** Time of creation, as text. */
  readonly created: string | null;
  readonly managed: readonly { readonly path: string; readonly before: string; readonly after: string }[];
}

export interface Fingerprint {
  readonly targets: readonly Pick<Target, "provider" | "origin">[];
  readonly objects: readonly ObjectMark[];
}

/**
 * @param digest for values that may not be shown; undefined where there is no key that would last, and then only their presence
 * counts
 */
export function fingerprint(plan: Plan, digest: ((value: string) => string) | undefined): Fingerprint {
  return {
    targets: plan.targets.map(({ provider, origin }) => ({ provider, origin })),
    objects: plan.changes.map((change) => markOf(change, digest)),
  };
}

/** The addresses whose marks differ, or that only one of the two plans has; empty where the plans are the same. */
export function differences(saved: Fingerprint, anew: Fingerprint): readonly string[] {
  if (stringifyJson(saved.targets) !== stringifyJson(anew.targets)) return ["the service"];
  const before = new Map(saved.objects.map((mark) => [mark.address, stringifyJson(mark)]));
  const after = new Map(anew.objects.map((mark) => [mark.address, stringifyJson(mark)]));
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (address) => before.get(address) !== after.get(address),
  );
}

/** True if an object that is planned again during the apply would change as planned. */
export function isSameChange(planned: Change, anew: Pick<Change, "action" | "attributes">): boolean {
  // Secrets are compared by their plain values, since these marks are kept nowhere.
  const plain = (secret: string) => secret;
  return stringifyJson(markOf(planned, plain)) === stringifyJson(markOf(planned, plain, anew));
}

function markOf(
  change: Change,
  digest: ((value: string) => string) | undefined,
  { action, attributes }: Pick<Change, "action" | "attributes"> = change,
): ObjectMark {
  return {
    address: change.address,
    type: change.description.type,
    action,
    key: change.title,
    id: change.observedRecord?.id ?? null,
    uuid: change.observedRecord?.uuid ?? null,
    serial: change.observedRecord?.serial ?? null,
    created: change.observedRecord?.ctime?.toString() ?? null,
    managed: managedBy(change, action, attributes).map((attribute) => {
      const write = isSecretChange(change, attribute) ? hide(digest) : fingerprintText;
      return {
        path: formatPath(attribute.path),
        before: write(attribute.before),
        after: write(attribute.after),
      };
    }),
  };
}

/** The values that change; for a delete, all values that could have been declared. */
function managedBy(
  { description, before }: Change,
  action: Change["action"],
  attributes: readonly AttributeChange[],
): readonly AttributeChange[] {
  if (action !== "delete") return attributes;
  const all = changesBetween(description.attributes, before, null);
  return all.filter(({ attribute }) => attribute.presence !== "computed" && attribute.shown);
}

/** True if an attribute of a change must not be shown: by its description, or because a secret flowed into it. */
function isSecretChange(change: Pick<Change, "sensitive">, { attribute, path }: AttributeChange): boolean {
  return (
    holdsSecret(attribute) ||
    change.sensitive.some(
      (hiddenPath) =>
        samePath(hiddenPath, path) || startsWith(hiddenPath, path) || startsWith(path, hiddenPath),
    )
  );
}

/** Rotated tokens are a list of which only one member is secret; it is written as a whole, or not at all. */
function holdsSecret({ sensitive, shape }: Attribute): boolean {
  return sensitive || ("attributes" in shape && Object.values(shape.attributes).some(holdsSecret));
}

function fingerprintText(value: Value): string {
  return isUnknown(value) ? UNKNOWN_TEXT : writeKnown(value);
}

function hide(digest: ((value: string) => string) | undefined): (value: Value) => string {
  return (value) => {
    if (value === null || isUnknown(value)) return fingerprintText(value);
    return digest === undefined ? SENSITIVE_TEXT : digest(writeKnown(value));
  };
}

/** All unknown parts are alike: only their being unknown counts. */
function writeKnown(value: Value): string {
  return stringifyJson(withoutUnknowns(value));
}

function withoutUnknowns(value: Value): unknown {
  if (isUnknown(value)) return { unknown: true };
  if (isList(value)) return value.map(withoutUnknowns);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutUnknowns(member)]));
  return value;
}

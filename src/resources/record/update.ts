/** What an update of a record sends: the changes that a PATCH carries, and the secrets that are due. */
import { diff, isMasked, maskFits, updateBody, type AttributeChange, type Attributes } from "../../schema";
import { isObject, type ObjectValue, type Path } from "../../values";
import type { UpdateRequest } from "../family";
import { keepsUndeclared } from "../permissions";
import { isKnownRight } from "../rights";
import { secretsDue } from "./secrets";

export interface Dispatch {
  /** With the unknown rights that the update takes away. */
  readonly prior: ObjectValue;
  /** Wholly known, but for what the service will tell. */
  readonly planned: ObjectValue;
  readonly changes: readonly AttributeChange[];
  readonly secrets: readonly Path[];
}

export function dispatchOf(attributes: Attributes, planned: ObjectValue, request: UpdateRequest): Dispatch {
  const { prior, config, granted = [], recordVersions, sendMasked = false } = request;
  const changes = diff(attributes, prior, planned).filter((change) => sendMasked || !isBehindMask(change));
  return {
    prior: isBecomingExact(prior, planned) ? withUnknownRights(prior, granted) : prior,
    planned,
    changes: [...changes, ...becomingExact(attributes, config, prior, planned, changes)],
    secrets: secretsDue(attributes, { prior, planned, recordOnly: recordVersions }),
  };
}

function isBecomingExact(prior: ObjectValue, planned: ObjectValue): boolean {
  return keepsUndeclared(prior) && !keepsUndeclared(planned);
}

/** State that keeps undeclared rights does not hold them. Those that this version does not know could then not be named in a body. */
function withUnknownRights(prior: ObjectValue, granted: readonly string[]): ObjectValue {
  const { permissions } = prior;
  const unknown = granted.filter((right) => !isKnownRight(right)).map((right) => [right, true] as const);
  return {
    ...prior,
    permissions: { ...Object.fromEntries(unknown), ...(isObject(permissions) && permissions) },
  };
}

/**
 * Declared permissions that become exact take rights away, also where the declared ones stay as they are; those that are not declared
 * stay as they are, whatever state says.
 */
function becomingExact(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue,
  planned: ObjectValue,
  changes: readonly AttributeChange[],
): readonly AttributeChange[] {
  const { permissions: attribute } = attributes;
  if (attribute === undefined || !isBecomingExact(prior, planned) || (config["permissions"] ?? null) === null)
    return [];
  if (changes.some(({ path }) => path[0] === "permissions")) return [];
  return [
    {
      path: ["permissions"],
      attribute,
      before: prior["permissions"] ?? null,
      after: planned["permissions"] ?? null,
    },
  ];
}

/** A declared number that fits the mask of the live one is taken for that number: it is recorded, and not sent. */
function isBehindMask({ attribute, before, after }: AttributeChange): boolean {
  return (
    attribute.masked &&
    typeof before === "string" &&
    typeof after === "string" &&
    isMasked(before) &&
    maskFits(before, after)
  );
}

/** Body of the PATCH for one of the records; empty where nothing is to be sent to it. */
export function bodyOf(
  attributes: Attributes,
  dispatch: Dispatch,
  config: ObjectValue,
  of: "self" | "primary",
): ObjectValue {
  return updateBody(attributes, { ...dispatch, config }, of);
}

export function isEmpty(body: ObjectValue): boolean {
  return Object.keys(body).length === 0;
}

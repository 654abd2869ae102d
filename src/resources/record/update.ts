/** What an update of a record sends: the changes that a PATCH carries, and the secrets that are due. */
import { diff, isMasked, maskFits, updateBody, type AttributeChange, type Attributes } from "../../schema";
import type { ObjectValue, Path } from "../../values";
import type { UpdateRequest } from "../family";
import { keepsUndeclared } from "../permissions";
import { secretsDue } from "./secrets";

export interface Dispatch {
  readonly prior: ObjectValue;
  /** Wholly known, but for what the service will tell. */
  readonly planned: ObjectValue;
  readonly changes: readonly AttributeChange[];
  readonly secrets: readonly Path[];
}

export function dispatchOf(attributes: Attributes, planned: ObjectValue, request: UpdateRequest): Dispatch {
  const { prior, config, recordVersions, sendMasked = false } = request;
  const changes = diff(attributes, prior, planned).filter((change) => sendMasked || !isBehindMask(change));
  return {
    prior,
    planned,
    changes: [...changes, ...becomingExact(attributes, config, prior, planned, changes)],
    secrets: secretsDue(attributes, { prior, planned, recordOnly: recordVersions }),
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
  const isExact = keepsUndeclared(prior) && !keepsUndeclared(planned);
  if (attribute === undefined || !isExact || (config["permissions"] ?? null) === null) return [];
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

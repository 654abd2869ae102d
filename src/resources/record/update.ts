/** What an update of a record sends: the changes that a PATCH carries, and the secrets that are due. */
import { diff, isMasked, maskFits, updateBody, type AttributeChange, type Attributes } from "../../schema";
import type { ObjectValue, Path } from "../../values";
import type { UpdateRequest } from "../family";
import { secretsDue } from "./secrets";

export interface Dispatch {
  readonly changes: readonly AttributeChange[];
  readonly secrets: readonly Path[];
}

/** @param planned wholly known, but for what the service will tell */
export function dispatchOf(attributes: Attributes, planned: ObjectValue, request: UpdateRequest): Dispatch {
  const { prior, recordVersions, sendMasked = false } = request;
  return {
    changes: diff(attributes, prior, planned).filter((change) => sendMasked || !isBehindMask(change)),
    secrets: secretsDue(attributes, { prior, planned, recordOnly: recordVersions }),
  };
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
  { changes, secrets }: Dispatch,
  config: ObjectValue,
  of: "self" | "primary",
): ObjectValue {
  return updateBody(attributes, changes, config, of, secrets);
}

export function isEmpty(body: ObjectValue): boolean {
  return Object.keys(body).length === 0;
}

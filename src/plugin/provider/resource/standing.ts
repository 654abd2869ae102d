/** The least that a plan has to know of an object in order to judge whether it may be deleted. */
import type { Description } from "../../../schema";
import { isList, isObject, type ObjectValue } from "../../../values";

/** Its own values, without what is nested or secret: it goes into private state, which is not encrypted. */
export function standingOf({ attributes }: Description, prior: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(prior).filter(
      ([name, value]) =>
        value !== null && !isObject(value) && !isList(value) && attributes[name]?.sensitive === false,
    ),
  );
}

import { emptyObject } from "../../values";
import { isSameType } from "../conversions/same-type";
import { elementTypeOf, likewise } from "../element-type";
import type { Marked, MarkedObject } from "../marks";
import { defineStructural } from "./definition";
import { mapping, nullable, rest } from "./parameter";

/** Later maps win; null counts as an empty one. An object, unless all are maps of one type. */
export const merge = defineStructural("merge", [rest(nullable(mapping("maps")))], ([maps]) => {
  const merged: Record<string, Marked> = emptyObject();
  for (const map of maps) for (const name of Object.keys(map ?? {})) merged[name] = map?.[name] ?? null;
  const [first] = maps;
  return first && maps.every((map) => areMapsOfOneType(first, map)) ? likewise(first, merged) : merged;
});

function areMapsOfOneType(a: MarkedObject, b: MarkedObject | null): boolean {
  const [left, right] = [elementTypeOf(a), b && elementTypeOf(b)];
  return Boolean(left && right && isSameType(left, right));
}

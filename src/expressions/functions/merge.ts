import { emptyObject } from "../../values";
import type { Marked } from "../marks";
import { defineStructural } from "./definition";
import { mapping, nullable, rest } from "./parameter";

/** Later maps win; null counts as an empty one. */
export const merge = defineStructural("merge", [rest(nullable(mapping("maps")))], ([maps]) => {
  const merged: Record<string, Marked> = emptyObject();
  for (const map of maps) for (const name of Object.keys(map ?? {})) merged[name] = map?.[name] ?? null;
  return merged;
});

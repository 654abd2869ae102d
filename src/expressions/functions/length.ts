import { ExpressionFailed } from "../../errors";
import { UNKNOWN } from "../../values";
import { isMarkedList, isMarkedObject, type Marked } from "../marks";
import { ValueSet } from "../set";
import type { Parameter } from "./parameter";
import { graphemes } from "./support/graphemes";
import { defineStructural } from "./definition";

/** The number of elements, members or characters. */
export const length = defineStructural("length", [lengthOf("value")], ([count]) => count);

function lengthOf(name: string): Parameter<Marked> {
  return {
    name,
    read(argument) {
      if (argument instanceof ValueSet && !argument.isWhole) return UNKNOWN;
      if (isMarkedList(argument)) return argument.length;
      if (isMarkedObject(argument)) return Object.keys(argument).length;
      if (typeof argument === "string") return graphemes(argument).length;
      throw new ExpressionFailed("a string, list or map is required");
    },
  };
}

import { stringifyJson } from "../../values";

/** Characters that move, hide or turn text around, which JSON leaves as they are. Only strings can hold them. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Co}]/gu;

/** A value as JSON that may be printed on a terminal: what cannot be seen is escaped, and reads back as it was. */
export function jsonText(value: unknown, indent?: number): string {
  return stringifyJson(value, indent).replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_unused, index) => escaped(character.charCodeAt(index))).join(
      "",
    ),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

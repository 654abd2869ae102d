/** `tenancy explain`: explains an error code. */
import * as errors from "../../problems";
import { type ErrorClass, Usage } from "../../problems";
import { nearest } from "../../values";
import type { CommonFlags } from "../flags";
import { EXIT } from "../io";
import type { Verb } from "./verb";

const PREFIX = "TENANCY_";

export const explain: Verb<CommonFlags> = async ({ operands }, { screen }) => {
  const catalogue = errorClasses();
  const [asked] = operands;
  if (asked === undefined) {
    screen.print([...catalogue.keys()].join("\n"));
    return EXIT.ok;
  }
  const code = fullCode(asked);
  const found = catalogue.get(code);
  if (found === undefined) {
    // The common prefix would make every code look near.
    const bare = [...catalogue.keys()].map((one) => one.slice(PREFIX.length));
    const near = nearest(code.slice(PREFIX.length), bare);
    throw new Usage(
      `there is no error code "${asked}"`,
      near === undefined ? "tenancy explain lists all of them." : `Did you mean ${PREFIX}${near}?`,
    );
  }
  screen.print(`${screen.data.bold(code)}\n\n${flowing(found.explanation)}`);
  return EXIT.ok;
};

/** Every error class by its code, in the order of the codes. */
function errorClasses(): ReadonlyMap<string, ErrorClass> {
  const exported: readonly unknown[] = Object.values(errors);
  const classes = exported.filter(isErrorClass);
  return new Map(classes.map((found) => [found.code, found] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === "function" && "code" in value && "explanation" in value;
}

/** Codes may be typed in any case, and without their common prefix. */
function fullCode(asked: string): string {
  const code = asked.toUpperCase().replaceAll("-", "_");
  return code.startsWith(PREFIX) ? code : PREFIX + code;
}

/** Lines as they are broken in the source are one paragraph; a point of a list, and what is set in, begin a line. */
function flowing(text: string): string {
  return text.trim().replace(/(\S)\n(?!\s|[*-] |\d+\. )/g, "$1 ");
}

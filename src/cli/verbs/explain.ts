/** `tenancy explain`: explains an error code. */
import * as problems from "../../problems";
import { Entry, usage } from "../../problems";
import { compareText, nearest } from "../../lib/values";
import { EXIT } from "../io";
import type { Verb } from "./verb";

const PREFIX = "TENANCY_";

export const explain: Verb<"explain"> = async ({ operands }, { screen }) => {
  const catalogue = byCode();
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
    throw usage.error({
      problem: `there is no error code "${asked}"`,
      advice: near === undefined ? "tenancy explain lists all of them." : `Did you mean ${PREFIX}${near}?`,
    });
  }
  screen.print(`${screen.data.bold(code)}\n\n${flowing(found.explain)}`);
  return EXIT.ok;
};

/** The catalogue by code, in the order of the codes. */
function byCode(): ReadonlyMap<string, Entry> {
  const entries = Object.values(problems).filter((one) => one instanceof Entry);
  return new Map(entries.map((entry) => [entry.code, entry] as const).sort(([a], [b]) => compareText(a, b)));
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

/** `tenancy explain`: prints the section of docs/manual/reference/errors.md on a code. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nearest } from "../../lib/values";
import { usage } from "../../problems";
import { EXIT } from "../io";
import { ownPackageFolder } from "../own-package";
import type { Verb } from "./verb";

const PREFIX = "TENANCY_";

export const explain: Verb<"explain"> = async ({ operands: [word] }, { screen }) => {
  const page = await readFile(join(ownPackageFolder(), "docs", "manual", "reference", "errors.md"), "utf8");
  const sections = page.split(/^## /m).slice(1);
  const explanations = new Map(sections.map((section) => section.split(/\n([^]*)/) as [string, string]));
  if (word === undefined) {
    screen.print([...explanations.keys()].join("\n"));
    return EXIT.ok;
  }

  // A code may be typed in any case, and without the common prefix, which would make every code look near.
  const bare = word
    .toUpperCase()
    .replaceAll("-", "_")
    .replace(/^TENANCY_/, "");
  const explanation = explanations.get(PREFIX + bare);
  if (explanation === undefined) {
    const near = nearest(
      bare,
      [...explanations.keys()].map((code) => code.slice(PREFIX.length)),
    );
    throw usage.error({
      problem: `there is no error code "${word}"`,
      advice: near === undefined ? "tenancy explain lists all of them." : `Did you mean ${PREFIX}${near}?`,
    });
  }

  // The page breaks its lines; a terminal breaks paragraphs by itself. A point of a list, and an indented line, still begin a line.
  const paragraphs = explanation.trim().replace(/(\S)\n(?!\s|[*-] |\d+\. )/g, "$1 ");
  screen.print(screen.data.fit(`${screen.data.bold(PREFIX + bare)}\n\n${paragraphs}`));
  return EXIT.ok;
};

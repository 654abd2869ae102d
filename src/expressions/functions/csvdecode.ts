import { parse } from "csv-parse/sync";
import { ExpressionFailed } from "../../errors";
import { emptyObject } from "../../values";
import { collectionOf } from "../element-type";
import type { Marked } from "../marks";
import { define } from "./definition";
import { text } from "./parameter";

/** A list of objects, by the names in the first line. */
export const csvdecode = define("csvdecode", [text("str")], ([str]) => {
  const [names, ...lines] = read(str);
  if (names === undefined) throw new ExpressionFailed("there is no header line");
  if (new Set(names).size < names.length) throw new ExpressionFailed("two columns have the same name");
  const members = new Map(names.map((name) => [name, { type: "string" as const }]));
  const rows = lines.map((line) => {
    const row: Record<string, Marked> = emptyObject();
    names.forEach((name, column) => (row[name] = line[column] ?? ""));
    return row;
  });
  return collectionOf<Marked[]>({ kind: "object", members }, rows);
});

function read(str: string): string[][] {
  try {
    return parse(str, { relax_column_count: false, skip_empty_lines: true });
  } catch (error) {
    throw new ExpressionFailed("this is not CSV, or its lines are not of the same length", { cause: error });
  }
}

/** Values of the stack's variables as their sources give them, before they are converted to their types. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ExpressionFailed, InvalidExpression, InvalidVariables } from "../../errors";
import { isObject, parseJson, type ObjectValue, type Value } from "../../values";
import { literal, REFERS, refersToSomething } from "./literal";
import type { VariableArgument } from "./variable-arguments";

/** A value and where it came from. Text is still to be read by the variable's type; a value already has one. */
export type GivenValue =
  | { readonly kind: "environment" | "argument"; readonly text: string; readonly source: string }
  | { readonly kind: "value"; readonly value: Value; readonly source: string };

export interface VariableSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly projectFolder: string | undefined;
  readonly given: readonly VariableArgument[];
}

/**
 * Terraform's order, later ones winning: `TF_VAR_…`, `terraform.tfvars`, `terraform.tfvars.json`, `*.auto.tfvars` and
 * `*.auto.tfvars.json` by name, then files and values as they were given.
 * @throws InvalidVariables where a file cannot be read or parsed
 */
export async function variableValues(sources: VariableSources): Promise<ReadonlyMap<string, GivenValue>> {
  const values = new Map<string, GivenValue>();
  for (const [name, text] of Object.entries(sources.environment)) {
    if (!name.startsWith("TF_VAR_") || text === undefined) continue;
    values.set(name.slice("TF_VAR_".length), { kind: "environment", text, source: name });
  }
  const files = await automaticFiles(sources.projectFolder);
  for (const one of [...files.map((file) => ({ file })), ...sources.given]) {
    if (!("file" in one)) {
      values.set(one.name, { kind: "argument", text: one.value, source: `--var ${one.name}` });
      continue;
    }
    for (const [name, value] of Object.entries(await readVariableFile(one.file)))
      values.set(name, { kind: "value", value, source: one.file });
  }
  return values;
}

async function automaticFiles(folder: string | undefined): Promise<readonly string[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch(() => [] as string[]);
  const first = ["terraform.tfvars", "terraform.tfvars.json"].filter((name) => names.includes(name));
  const automatic = names.filter((name) => /\.auto\.tfvars(\.json)?$/.test(name)).sort();
  return [...first, ...automatic].map((name) => join(folder, name));
}

async function readVariableFile(file: string): Promise<ObjectValue> {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new InvalidVariables(
      cause.code === "ENOENT"
        ? "there is no such variable file"
        : `the variable file cannot be read (${cause.code})`,
      {
        file,
        cause,
        advice: "Name a file that can be read; paths are relative to the folder that the command runs in.",
      },
    );
  });
  const value = file.endsWith(".json") ? parseJsonFile(text, file) : parseTfvars(text, file);
  if (!isObject(value))
    throw new InvalidVariables("the variable file is not an object", { file, advice: FORM_OF_JSON });
  return value;
}

const FORM_OF_JSON = 'It holds names and values: { "region": "eu" }.';

function parseJsonFile(text: string, file: string): Value {
  try {
    return parseJson(text);
  } catch {
    // The parser's own message quotes the text.
    throw new InvalidVariables("the variable file is not JSON", { file, advice: FORM_OF_JSON });
  }
}

/** A variable file is the inside of an object expression that refers to nothing. */
function parseTfvars(text: string, file: string): Value {
  const before = "{\n";
  try {
    return literal(`${before}${text}\n}`);
  } catch (error) {
    // What the language says of a mistake quotes the text around it, and that may be a secret. So only the line is told, and no cause.
    const at = error instanceof InvalidExpression ? error.at : placeOf(error)?.at;
    const line = at === undefined ? undefined : `${before}${text}`.slice(0, at).split("\n").length - 1;
    const where = line === undefined ? "" : ` at line ${Math.max(line, 1)}`;
    const why = refersToSomething(error) ? `: ${REFERS}` : "";
    throw new InvalidVariables(`the variable file cannot be parsed${where}${why}`, {
      file,
      advice: 'It holds names and values, one a line, and texts in quotes: region = "eu".',
    });
  }
}

function placeOf(error: unknown): { readonly at: number } | undefined {
  return error instanceof ExpressionFailed ? error.place : undefined;
}

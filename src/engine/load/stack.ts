/** Finds a synthesized stack, and reads it, with the values that its variables are given. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertOrFail, evaluate, parseExpression } from "../../lib/language";
import {
  type Finding,
  ExpressionError,
  expressionFailed,
  invalidVariables,
  unknownStack,
} from "../../problems";
import { dataSources, ephemeralResources, resources } from "../../resources";
import { type ManifestEntry, readManifest, readStack, type Stack, type VariableBlock } from "../../stack";
import {
  bare,
  EPHEMERAL,
  isObject,
  mark,
  type Marked,
  NO_MARKS,
  type ObjectValue,
  parseJson,
  SENSITIVE,
  UNKNOWN,
  type Value,
} from "../../lib/values";
import { PROVIDER_FUNCTIONS } from "../families";
import type { PlanOptions, StackSource, VariableArgument, VariableArguments } from "../options";

/** A stack of an app, read. */
interface LoadedStack {
  /** With all stacks of the app, so that other stacks that a run evaluates are those of the same synthesis. */
  readonly source: Required<StackSource>;
  readonly entry: ManifestEntry;
  readonly stack: Stack;
}

/** The context of the first stage: files and variables are read. Nothing is evaluated, and the service is not asked. */
export interface Loaded extends LoadedStack {
  readonly options: PlanOptions;
  /** The values of its variables, by name. */
  readonly given: ReadonlyMap<string, GivenValue>;
  /** Findings about the arguments. */
  readonly unfit: readonly Finding[];
}

/**
 * @param isNamed false where the run is about another stack: then this one may lack variables that are given
 * @throws brokenStack, unknownStack, invalidVariables, InvalidConfiguration
 */
export async function load(source: StackSource, options: PlanOptions, isNamed = true): Promise<Loaded> {
  const loaded = await loadStack(source);
  const variables = loaded.stack.blocks.filter((block) => block.kind === "variable");
  const givenArguments = argumentsOf(options.variables).filter(
    (one) => isNamed || "file" in one || variables.some(({ name }) => name === one.name),
  );
  const values = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    given: givenArguments,
  });
  return {
    ...loaded,
    options,
    given: values,
    unfit: unfitArguments(variables, givenArguments),
  };
}

/** Names of the variables that have neither a default nor a value. @throws as {@link load} */
export async function unsetVariables(source: StackSource, options: PlanOptions): Promise<readonly string[]> {
  const { stack, given } = await load(source, options);
  return stack.blocks.flatMap((block) =>
    block.kind === "variable" && block.default === undefined && !given.has(block.name) ? [block.name] : [],
  );
}

/** @throws brokenStack, unknownStack, InvalidConfiguration */
export async function loadStack(source: StackSource): Promise<LoadedStack> {
  const { name, stacks = await readManifest(source.outdir) } = source;
  const entry = stacks.find((stack) => stack.name === name);
  if (entry === undefined) {
    throw unknownStack.error({ name, known: stacks.map((stack) => stack.name) });
  }
  return { source: { ...source, stacks }, entry, stack: loadSibling(entry, stacks) };
}

/** Another stack of the same app. */
export function loadSibling(entry: ManifestEntry, siblings: readonly ManifestEntry[]): Stack {
  return readStack(entry.text(), {
    folder: entry.folder,
    file: entry.file,
    siblings,
    types: { resources, dataSources, ephemerals: ephemeralResources },
    functions: PROVIDER_FUNCTIONS,
  });
}

// The values of variables: collected from their sources, and converted to their types.

/** A value and its source. A text is still to be read by the variable's type; a value already has a type. */
export type GivenValue =
  | { readonly kind: "environment" | "argument"; readonly text: string; readonly source: string }
  | { readonly kind: "value"; readonly value: Value; readonly source: string };

/**
 * Terraform's order, later ones winning: `TF_VAR_…`, `terraform.tfvars`, `terraform.tfvars.json`, `*.auto.tfvars` and
 * `*.auto.tfvars.json` by name, then files and values as they were given.
 * @throws invalidVariables where a file cannot be read or parsed
 */
export async function variableValues(sources: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly projectFolder: string | undefined;
  readonly given: readonly VariableArgument[];
}): Promise<ReadonlyMap<string, GivenValue>> {
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
  const contents = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw invalidVariables.error(
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
  const text = contents.replace(/^\uFEFF/, "");
  const value = file.endsWith(".json") ? parseJsonFile(text, file) : parseTfvars(text, file);
  if (!isObject(value))
    throw invalidVariables.error("the variable file is not an object", { file, advice: FORM_OF_JSON });
  return value;
}

const FORM_OF_JSON = 'It holds names and values: { "region": "eu" }.';

function parseJsonFile(text: string, file: string): Value {
  try {
    return parseJson(text);
  } catch {
    // The parser's own message quotes the text.
    throw invalidVariables.error("the variable file is not JSON", { file, advice: FORM_OF_JSON });
  }
}

/** A variable file is the inside of an object expression that refers to nothing. */
function parseTfvars(text: string, file: string): Value {
  const before = "{\n";
  try {
    return literalValue(`${before}${text}\n}`);
  } catch (error) {
    // The language's messages quote the surrounding text, which may be a secret. So only the line is reported, and no cause.
    const at = error instanceof ExpressionError ? error.place?.at : undefined;
    const line = at === undefined ? undefined : `${before}${text}`.slice(0, at).split("\n").length - 1;
    const where = line === undefined ? "" : ` at line ${Math.max(line, 1)}`;
    const why = expressionFailed.is(error) && error.message === REFERS ? `: ${REFERS}` : "";
    throw invalidVariables.error(`the variable file cannot be parsed${where}${why}`, {
      file,
      advice: 'It holds names and values, one a line, and texts in quotes: region = "eu".',
    });
  }
}

// Values that the caller of the engine gives.

export function argumentsOf(givenArguments: VariableArguments = []): readonly VariableArgument[] {
  return isInOrder(givenArguments)
    ? givenArguments
    : Object.entries(givenArguments).map(([name, value]) => ({ name, value }));
}

/** The values among them by name; where a name is given twice, the later one. */
export function valuesAmong(givenArguments: readonly VariableArgument[]): ReadonlyMap<string, string> {
  return new Map(givenArguments.flatMap((one) => ("file" in one ? [] : [[one.name, one.value]])));
}

const REFERS = "it refers to something, and must be a value by itself";

/**
 * The value of an expression that refers to nothing, as variables are given.
 * @throws invalidExpression, expressionFailed
 */
function literalValue(text: string): Value {
  const resolve = (): never => {
    throw expressionFailed.error(REFERS);
  };
  return bare(evaluate(parseExpression(text), { resolve, folder: "." }));
}

// The stack's variables, with their values.

/** @throws invalidVariables where it has no value, or one of another type */
export function valueOfVariable(block: VariableBlock, givenValue: GivenValue | undefined): Marked {
  const where = { address: block.address };
  if (givenValue === undefined && block.default === undefined) {
    throw invalidVariables.error(`the variable "${block.name}" has no value`, {
      ...where,
      advice: (say) =>
        say.command(
          `Set TF_VAR_${block.name} in the environment, or pass it with --var-file${block.sensitive ? "" : ` or --var ${block.name}=…`}.`,
        ),
    });
  }
  const raw = givenValue === undefined ? (block.default ?? null) : readVariable(block, givenValue);
  const value = raw === null && !block.nullable && block.default !== undefined ? block.default : raw;
  if (value === null && !block.nullable) {
    throw invalidVariables.error(`the variable "${block.name}" must not be null`, where);
  }
  return mark(typed(block, value, givenValue?.source), marksOfVariable(block));
}

function marksOfVariable({ sensitive, ephemeral }: VariableBlock): number {
  return (sensitive ? SENSITIVE : NO_MARKS) | (ephemeral ? EPHEMERAL : NO_MARKS);
}

/** Represents a sensitive variable whose value is set elsewhere. */
export function secretToCome({ ephemeral }: VariableBlock): Marked {
  return mark(UNKNOWN, SENSITIVE | (ephemeral ? EPHEMERAL : NO_MARKS));
}

function readVariable(block: VariableBlock, givenValue: GivenValue): Value {
  if (givenValue.kind === "value") return givenValue.value;
  if (block.type === undefined || (typeof block.type === "string" && block.type !== "any"))
    return givenValue.text;
  try {
    return literalValue(givenValue.text);
  } catch {
    // The cause quotes the text, which may be a secret.
    throw invalidVariables.error(`the value of the variable "${block.name}" cannot be parsed`, {
      address: block.address,
      detail: `It was given by ${givenValue.source}.`,
      advice: `Write it as Terraform does: ["a", "b"] for a list, { a = 1 } for a map, "a" in quotes for a text.`,
    });
  }
}

function typed(block: VariableBlock, value: Value, source: string | undefined): Marked {
  if (block.type === undefined) return value;
  try {
    // Of a secret not even the keys are shown.
    return convertOrFail(mark(value, marksOfVariable(block)), block.type);
  } catch (cause) {
    throw invalidVariables.error(
      `the value of the variable "${block.name}" is not of its type: ${cause instanceof Error ? cause.message : ""}`,
      {
        address: block.address,
        ...(source !== undefined && { detail: `It was given by ${source}.` }),
        cause,
      },
    );
  }
}

/** Values that were given by `--var` but belong to no variable, or to one that is sensitive: argv is no place for secrets. */
function unfitArguments(
  variables: readonly VariableBlock[],
  givenArguments: readonly VariableArgument[],
): readonly Finding[] {
  return [...valuesAmong(givenArguments).keys()].flatMap((name) => {
    const block = variables.find((variable) => variable.name === name);
    if (block === undefined) {
      return [
        invalidVariables.at(`there is no variable "${name}"`, {
          advice: `The variables are: ${variables.map((variable) => variable.name).join(", ") || "none"}.`,
        }),
      ];
    }
    if (!block.sensitive && !block.ephemeral) return [];
    return [
      invalidVariables.at(`the variable "${name}" is sensitive, and everybody can see arguments`, {
        address: block.address,
        advice: (say) => say.command(`Set TF_VAR_${name} in the environment instead.`),
      }),
    ];
  });
}

function isInOrder(givenArguments: VariableArguments): givenArguments is readonly VariableArgument[] {
  return Array.isArray(givenArguments);
}

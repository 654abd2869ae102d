/** Gives the stack's variables their values. */
import { InvalidVariables, type Diagnostic } from "../../errors";
import { convert, EPHEMERAL, mark, NO_MARKS, SENSITIVE, type Marked, type Type } from "../../expressions";
import type { VariableBlock } from "../../stack";
import type { Value } from "../../values";
import { literal } from "../inputs/literal";
import { valuesAmong, type VariableArgument } from "../inputs/variable-arguments";
import type { GivenValue } from "../inputs/variable-values";

/** @throws InvalidVariables where it has no value, or one of another type */
export function valueOfVariable(block: VariableBlock, given: GivenValue | undefined): Marked {
  const where = { address: block.address };
  if (given === undefined && block.default === undefined) {
    throw new InvalidVariables(`the variable "${block.name}" has no value`, {
      ...where,
      advice: `Set TF_VAR_${block.name} in the environment, or pass it with --var-file${block.sensitive ? "" : ` or --var ${block.name}=…`}.`,
    });
  }
  const raw = given === undefined ? (block.default ?? null) : read(block, given);
  const value = raw === null && !block.nullable && block.default !== undefined ? block.default : raw;
  const marks = (block.sensitive ? SENSITIVE : NO_MARKS) | (block.ephemeral ? EPHEMERAL : NO_MARKS);
  if (value === null && !block.nullable) {
    throw new InvalidVariables(`the variable "${block.name}" must not be null`, where);
  }
  return mark(typed(block, value, given?.source), marks);
}

function read(block: VariableBlock, given: GivenValue): Value {
  if (given.kind === "value") return given.value;
  if (block.type === undefined || isPrimitive(block.type)) return given.text;
  try {
    return literal(given.text);
  } catch {
    // The cause quotes the text, which may be a secret.
    throw new InvalidVariables(`the value of the variable "${block.name}" cannot be parsed`, {
      address: block.address,
      detail: `It was given by ${given.source}.`,
      advice: `Write it as Terraform does: ["a", "b"] for a list, { a = 1 } for a map, "a" in quotes for a text.`,
    });
  }
}

function typed(block: VariableBlock, value: Value, source: string | undefined): Marked {
  if (block.type === undefined) return value;
  try {
    return convert(value, block.type);
  } catch (cause) {
    throw new InvalidVariables(
      `the value of the variable "${block.name}" is not of its type: ${cause instanceof Error ? cause.message : ""}`,
      {
        address: block.address,
        ...(source !== undefined && { detail: `It was given by ${source}.` }),
        cause,
      },
    );
  }
}

/** Of such a type a text needs no quotes; `any` is none of them. */
function isPrimitive(type: Type): boolean {
  return typeof type === "string" && type !== "any";
}

/** Values that were given by `--var` but belong to no variable, or to one that is sensitive: argv is no place for secrets. */
export function unfitArguments(
  variables: readonly VariableBlock[],
  given: readonly VariableArgument[],
): readonly Diagnostic[] {
  return [...valuesAmong(given).keys()].flatMap((name) => {
    const block = variables.find((variable) => variable.name === name);
    if (block === undefined) {
      return new InvalidVariables(`there is no variable "${name}"`, {
        advice: `The variables are: ${variables.map((variable) => variable.name).join(", ") || "none"}.`,
      }).toDiagnostics();
    }
    if (!block.sensitive && !block.ephemeral) return [];
    return new InvalidVariables(`the variable "${name}" is sensitive, and everybody can see arguments`, {
      address: block.address,
      advice: `Set TF_VAR_${name} in the environment instead.`,
    }).toDiagnostics();
  });
}

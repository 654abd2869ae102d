/** Variables, locals and outputs. */
import { BrokenStack } from "../errors";
import { parseType, type Type } from "../expressions";
import type { ObjectValue, Value } from "../values";
import { conditionsOf } from "./lifecycle";
import type { Condition, LocalBlock, OutputBlock, VariableBlock } from "./model";
import type { Reading } from "./placed-blocks";
import { dependenciesOf } from "./references";
import { compiled, flagOf, textOf } from "./source";

export function variableBlock({ findings, known }: Reading, name: string, json: ObjectValue): VariableBlock {
  const where = { address: `var.${name}` };
  const source = { json, findings, where };
  const validations = conditionsOf(source, json, "validation");
  // A validation refers to its own variable, which is no dependency.
  const dependencies = dependenciesOf(expressionsOf(validations), known, {}, findings, where);
  return {
    kind: "variable",
    address: where.address,
    name,
    type: typeOf(textOf(json, "type")),
    default: "default" in json ? (json["default"] ?? null) : undefined,
    sensitive: flagOf(json, "sensitive") ?? false,
    nullable: flagOf(json, "nullable") ?? true,
    ephemeral: flagOf(json, "ephemeral") ?? false,
    validations,
    dependencies: dependencies.filter((address) => address !== where.address),
  };

  function typeOf(text: string | undefined): Type | undefined {
    if (text === undefined) return undefined;
    try {
      return parseType(text.replace(/^\$\{(.*)\}$/s, "$1"));
    } catch (cause) {
      findings.add(
        new BrokenStack(`the type of the variable "${name}" cannot be read: ${text}`, { cause }),
        where,
      );
      return undefined;
    }
  }
}

export function localBlock({ findings, known }: Reading, name: string, json: Value): LocalBlock {
  const where = { address: `local.${name}` };
  const value = compiled({ json: {}, findings, where }, json, []);
  return {
    kind: "local",
    address: where.address,
    name,
    value,
    dependencies: dependenciesOf([value], known, {}, findings, where),
  };
}

export function outputBlock({ findings, known }: Reading, name: string, json: ObjectValue): OutputBlock {
  const where = { address: `output.${name}` };
  const source = { json, findings, where };
  const value = compiled(source, json["value"] ?? null, ["value"]);
  const preconditions = conditionsOf(source, json, "precondition");
  return {
    kind: "output",
    address: where.address,
    name,
    value,
    sensitive: flagOf(json, "sensitive") ?? false,
    ephemeral: flagOf(json, "ephemeral") ?? false,
    description: textOf(json, "description"),
    preconditions,
    dependencies: dependenciesOf([value, ...expressionsOf(preconditions)], known, {}, findings, where),
  };
}

export function expressionsOf(conditions: readonly Condition[]) {
  return conditions.flatMap(({ condition, errorMessage }) => [condition, errorMessage]);
}

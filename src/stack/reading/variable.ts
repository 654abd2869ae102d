import { InvalidExpression, BrokenStack } from "../../errors";
import { bare, parseType, type Type } from "../../expressions";
import type { ObjectValue, Value } from "../../values";
import type { VariableBlock } from "../model";
import { withoutBraces, type BlockReader } from "./block-reader";
import { namedBlocks } from "./named";
import type { Reading } from "./reading";

export function* readVariables(reading: Reading, section: Value | undefined): Generator<VariableBlock> {
  for (const [name, body] of namedBlocks(reading, "variable", section)) {
    const address = `var.${name}`;
    const reader = reading.block(address);
    const validations = reader.conditions(body["validation"], "validation");
    yield {
      kind: "variable",
      address,
      name,
      type: typeOf(reader, body["type"]),
      default: defaultOf(reader, body),
      sensitive: reader.flag(body["sensitive"], ["sensitive"]),
      nullable: reader.flag(body["nullable"], ["nullable"], true),
      ephemeral: reader.flag(body["ephemeral"], ["ephemeral"]),
      validations,
      // A validation refers to its own variable, which is no circle.
      dependencies: reader.dependencies.filter((needed) => needed !== address),
    };
  }
}

function typeOf(reader: BlockReader, json: Value | undefined): Type | undefined {
  const text = reader.text(json, ["type"]);
  if (text === undefined) return undefined;
  try {
    return parseType(withoutBraces(text));
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error;
    reader.report(error, ["type"]);
    return undefined;
  }
}

function defaultOf(reader: BlockReader, body: ObjectValue): Value | undefined {
  if (body["default"] === undefined) return undefined;
  const compiled = reader.compile(body["default"], ["default"]);
  if (compiled.constant !== undefined) return compiled.constant;
  if (compiled.references.length + compiled.calls.length > 0) {
    reader.report(new BrokenStack("the default of a variable cannot refer to anything"), ["default"]);
    return null;
  }
  return bare(compiled.evaluate({ folder: ".", resolve: () => null }));
}

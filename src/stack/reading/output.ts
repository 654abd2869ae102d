import { BrokenStack } from "../../errors";
import type { Value } from "../../values";
import type { OutputBlock } from "../model";
import { namedBlocks } from "./named";
import type { Reading } from "./reading";

export function* readOutputs(reading: Reading, section: Value | undefined): Generator<OutputBlock> {
  for (const [name, body] of namedBlocks(reading, "output", section)) {
    const address = `output.${name}`;
    const reader = reading.block(address);
    if (body["value"] === undefined) reader.report(new BrokenStack(`the output "${name}" has no value`));
    const value = reader.compile(body["value"], ["value"]);
    const preconditions = reader.conditions(body["precondition"], "precondition");
    reader.dependsOn(body["depends_on"]);
    yield {
      kind: "output",
      address,
      name,
      value,
      sensitive: reader.flag(body["sensitive"], ["sensitive"]),
      ephemeral: reader.flag(body["ephemeral"], ["ephemeral"]),
      description: reader.text(body["description"], ["description"]),
      preconditions,
      dependencies: reader.dependencies,
    };
  }
}

import type { Value } from "../../values";
import type { LocalBlock } from "../model";
import { namedValues } from "./named";
import type { Reading } from "./reading";

export function* readLocals(reading: Reading, section: Value | undefined): Generator<LocalBlock> {
  for (const [name, json] of namedValues(reading, "locals", section)) {
    const address = `local.${name}`;
    const reader = reading.block(address);
    const value = reader.compile(json, []);
    yield { kind: "local", address, name, value, dependencies: reader.dependencies };
  }
}

/** Reads the JSON of one synthesized stack, and refuses by name the parts that the embedded engine cannot run. */
import { dirname } from "node:path";
import { brokenStack, InvalidConfiguration } from "../problems";
import { parseJson, type Value } from "../lib/values";
import {
  readDeclarations,
  readImports,
  readLocals,
  readOutputs,
  readProviders,
  readRemoved,
  readVariables,
} from "./blocks";
import type { Block, ReadOptions, Stack } from "./model";
import { inDependencyOrder } from "./order";
import { readPlacedBlocks } from "./placed";
import { Reading } from "./reader";

/**
 * Reads a stack from its JSON, as text or parsed.
 * @throws brokenStack if it is not JSON
 * @throws InvalidConfiguration with every finding
 */
export function readStack(source: Value, options: ReadOptions): Stack {
  const reading = new Reading(options);
  const root = reading.rootOf(typeof source === "string" ? parseStack(source, options.file) : source);
  readDeclarations(reading, root);
  const blocks: Block[] = [
    ...readVariables(reading, root["variable"]),
    ...readProviders(reading, root["provider"]),
    ...readLocals(reading, root["locals"]),
    ...readPlacedBlocks(reading, root),
    ...readOutputs(reading, root["output"]),
  ];
  blocks.push(...reading.impliedProviders());
  const imports = readImports(reading, root["import"]);
  const removals = readRemoved(reading, root["//"], "removed");
  const releases = readRemoved(reading, root["//"], "released");
  reading.checkReferences();
  const ordered = inDependencyOrder(blocks, (cycle) => reading.report(cycle));
  if (reading.findings.length > 0) throw new InvalidConfiguration(reading.findings);
  const { folder, file } = options;
  const contents = file === undefined ? folder : dirname(file);
  return { folder, contents, blocks: ordered, imports, removals, releases };
}

function parseStack(text: string, file: string | undefined): Value {
  try {
    return parseJson(text);
  } catch (cause) {
    throw brokenStack.error("the synthesized stack is not JSON", {
      cause,
      ...(file !== undefined && { file }),
    });
  }
}

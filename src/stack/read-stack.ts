/** Reads the JSON of one synthesized stack; refuses by name what the embedded engine can't run. */
import { InvalidConfiguration, BrokenStack } from "../errors";
import { parseJson, type Value } from "../values";
import type { ManifestEntry } from "./manifest";
import type { Block, Stack } from "./model";
import { inOrder } from "./order";
import { readDeclarations } from "./reading/declarations";
import { readImports } from "./reading/import";
import { readLocals } from "./reading/local";
import { readOutputs } from "./reading/output";
import { readPlacedBlocks } from "./reading/placed";
import { readProviders } from "./reading/provider";
import { Reading } from "./reading/reading";
import { readRemoved } from "./reading/removed";
import { readVariables } from "./reading/variable";
import type { Names, Types } from "./types";

export interface ReadOptions {
  /** Folder of the stack's JSON: `file` and `path.module` are relative to it. */
  readonly folder: string;
  /** Types of our resources, data sources and ephemeral resources. */
  readonly types: Types;
  /** Full names of our provider's functions, such as `provider::tenancy::permissions_preset`. */
  readonly functions: Names;
  /** Stacks of the same app, which cross-stack references may name. Default: not checked. */
  readonly siblings?: readonly ManifestEntry[];
  /** File that the text came from, for messages. */
  readonly file?: string;
}

/**
 * Reads a stack from its JSON, as text or parsed.
 * @throws BrokenStack where it is not JSON
 * @throws InvalidConfiguration with every finding
 */
export function readStack(source: Value, options: ReadOptions): Stack {
  const reading = new Reading(options);
  const root = reading.rootOf(typeof source === "string" ? parse(source, options.file) : source);
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
  const removed = readRemoved(reading, root["//"]);
  reading.checkReferences();
  const ordered = inOrder(blocks, (cycle) => reading.report(cycle));
  if (reading.findings.length > 0) throw new InvalidConfiguration(reading.findings);
  return { folder: options.folder, blocks: ordered, imports, removed };
}

function parse(text: string, file: string | undefined): Value {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new BrokenStack("the synthesized stack is not JSON", {
      cause,
      ...(file !== undefined && { file }),
    });
  }
}

/** Converts a schema to the protocol's form. */
import type { Path } from "../../values";
import type { AttributePath } from "./messages";
import type { Draft } from "./protobuf";
import { type Attribute, type Block, type NestedBlock, type Schema, typeOfBlock } from "./schema";
import {
  type AttributeDraft,
  type BlockDraft,
  MARKDOWN,
  type NestedBlockDraft,
  type SchemaDraft,
} from "./schema-messages";
import type { Type } from "./values";

const attributeNestings = { single: 1, list: 2, set: 3, map: 4 } as const;
const blockNestings = { ...attributeNestings, group: 5 } as const;

export function schemaMessage(schema: Schema): SchemaDraft {
  return { version: schema.version ?? 0, block: blockMessage(schema) };
}

function blockMessage(block: Block): BlockDraft {
  return {
    attributes: Object.entries(block.attributes ?? {}).map(attributeMessage),
    blockTypes: Object.entries(block.blocks ?? {}).map(nestedBlockMessage),
    ...descriptionMessage(block.description),
    ...deprecationMessage(block.deprecated),
  };
}

function attributeMessage([name, attribute]: readonly [string, Attribute]): AttributeDraft {
  const {
    required = false,
    optional = false,
    computed = false,
    sensitive = false,
    writeOnly = false,
  } = attribute;
  return {
    name,
    ...(attribute.nested === undefined
      ? { type: typeMessage(attribute.type) }
      : {
          nestedType: {
            attributes: Object.entries(attribute.nested.attributes).map(attributeMessage),
            nesting: attributeNestings[attribute.nested.nesting],
          },
        }),
    ...{ required, optional, computed, sensitive, writeOnly },
    ...descriptionMessage(attribute.description),
    ...deprecationMessage(attribute.deprecated),
  };
}

function nestedBlockMessage([typeName, nested]: readonly [string, NestedBlock]): NestedBlockDraft {
  return {
    typeName,
    block: blockMessage(nested.block),
    nesting: blockNestings[nested.nesting],
    minItems: nested.minItems ?? 0,
    maxItems: nested.maxItems ?? 0,
  };
}

export function typeMessage(type: Type): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}

export function descriptionMessage(description: string | undefined): {
  readonly description?: string;
  readonly descriptionKind?: number;
} {
  return description === undefined ? {} : { description, descriptionKind: MARKDOWN };
}

function deprecationMessage(deprecated: boolean | string | undefined): {
  readonly deprecated?: boolean;
  readonly deprecationMessage?: string;
} {
  if (deprecated === undefined || deprecated === false) return {};
  return { deprecated: true, ...(typeof deprecated === "string" && { deprecationMessage: deprecated }) };
}

/**
 * A path as the protocol sends it. It ends where no step can follow: at a set, whose elements have no name, and at
 * anything that the schema doesn't know.
 */
export function attributePath(schema: Schema, path: Path): Draft<typeof AttributePath> | undefined {
  const steps: StepDraft[] = [];
  let type: Type | undefined = typeOfBlock(schema);
  for (const step of path) {
    const next = takeStep(type, step);
    if (next === undefined) break;
    steps.push(next.step);
    type = next.type;
  }
  return steps.length === 0 ? undefined : { steps };
}

interface StepDraft {
  readonly attributeName?: string;
  readonly elementKeyString?: string;
  readonly elementKeyInt?: number;
}

function takeStep(
  type: Type,
  step: string | number,
): { readonly step: StepDraft; readonly type: Type } | undefined {
  if (typeof type === "string") return undefined;
  switch (type[0]) {
    case "set":
      return undefined;
    case "list":
      return typeof step === "number" ? { step: { elementKeyInt: step }, type: type[1] } : undefined;
    case "tuple": {
      const member = typeof step === "number" ? type[1][step] : undefined;
      return member && { step: { elementKeyInt: Number(step) }, type: member };
    }
    case "map":
      return { step: { elementKeyString: String(step) }, type: type[1] };
    case "object": {
      const member = Object.hasOwn(type[1], step) ? type[1][step] : undefined;
      return member && { step: { attributeName: String(step) }, type: member };
    }
  }
}

/**
 * As much of a path as Terraform can find in the source: blocks, and the first attribute in them. With a longer one it
 * points at the whole resource instead.
 */
export function sourcePath(block: Block, path: Path): Path {
  const [name, element] = path;
  if (typeof name !== "string" || !Object.hasOwn(block.blocks ?? {}, name)) return path.slice(0, 1);
  const nested = block.blocks?.[name];
  if (nested === undefined || nested.nesting === "set") return [name];
  if (nested.nesting === "single" || nested.nesting === "group") {
    return [name, ...sourcePath(nested.block, path.slice(1))];
  }
  return element === undefined ? [name] : [name, element, ...sourcePath(nested.block, path.slice(2))];
}

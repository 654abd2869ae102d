/** A schema as the protocol sends it. */
import { type Type } from "../cty/type";
import {
  MARKDOWN,
  type AttributeDraft,
  type BlockDraft,
  type NestedBlockDraft,
  type SchemaDraft,
} from "../messages/schema";
import { type Attribute, type Block, type NestedBlock, type Schema } from "./schema";

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

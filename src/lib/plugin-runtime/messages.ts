/** Makes messages of plugin protocol 6 of schemas and types. */
import type { TerraformAttribute, TerraformSchema, TerraformType } from "../values";
import type { Draft, Messages } from "./generated/tfplugin6";

export const severities = { error: 1, warning: 2 } as const;

// The schema.

const MARKDOWN = 1;
const nestings = { single: 1, list: 2 } as const;

export function schemaMessage({ version, block }: TerraformSchema): Draft<Messages["Schema"]> {
  const attributes = Object.entries(block.attributes).map(attributeMessage);
  return { version, block: { attributes, ...describedMessage(block) } };
}

function attributeMessage([name, attribute]: readonly [string, TerraformAttribute]): Draft<
  Messages["Schema.Attribute"]
> {
  const { type, nested_type: nested, write_only: writeOnly, ...traits } = attribute;
  return {
    ...traits,
    ...describedMessage(traits),
    name,
    writeOnly,
    type: type && typeMessage(type),
    nestedType: nested && {
      attributes: Object.entries(nested.attributes).map(attributeMessage),
      nesting: nestings[nested.nesting_mode],
    },
  };
}

export function describedMessage({ description }: { readonly description?: string | undefined }): {
  readonly description?: string;
  readonly descriptionKind?: number;
} {
  return description === undefined ? {} : { description, descriptionKind: MARKDOWN };
}

export function typeMessage(type: TerraformType): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}

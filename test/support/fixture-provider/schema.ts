import type { TerraformAttributes, TerraformSchema } from "../../../src/lib/values";

export const required = { required: true } as const;
export const optional = { optional: true } as const;
export const computed = { computed: true } as const;

/** A schema of these attributes. */
export function schemaOf(
  attributes: TerraformAttributes,
  { version = 0, description }: { readonly version?: number; readonly description?: string } = {},
): TerraformSchema {
  return {
    version,
    block: { attributes, ...(description !== undefined && { description, description_kind: "markdown" }) },
  };
}

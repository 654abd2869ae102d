/** The schema as the runtime takes it, from the one that the bindings and documents are made of too. */
import { terraformSchema, type Description, type TerraformAttribute } from "../../schema";
import type { Attribute, Attributes, Schema } from "../runtime";

const schemas = new WeakMap<Description, Schema>();

/** Made when it is first asked for: most of Terraform's processes ask for few of them. */
export function schemaOf(description: Description): Schema {
  const schema = schemas.get(description) ?? makeSchema(description);
  schemas.set(description, schema);
  return schema;
}

function makeSchema(description: Description): Schema {
  const { version, block } = terraformSchema(description);
  return { version, description: block.description, attributes: attributesOf(block.attributes) };
}

function attributesOf(attributes: Readonly<Record<string, TerraformAttribute>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, attributeOf(attribute)]),
  );
}

function attributeOf(attribute: TerraformAttribute): Attribute {
  const { type = "dynamic", nested_type: nested } = attribute;
  const traits = {
    description: attribute.description,
    required: attribute.required === true,
    optional: attribute.optional === true,
    computed: attribute.computed === true,
    sensitive: attribute.sensitive === true,
    writeOnly: attribute.write_only === true,
    deprecated: attribute.deprecated === true,
  };
  if (nested === undefined) return { ...traits, type };
  return { ...traits, nested: { nesting: nested.nesting_mode, attributes: attributesOf(nested.attributes) } };
}

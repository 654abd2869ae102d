/**
 * A description in the shape of `terraform providers schema -json`, from which the plugin's schema, the L1 bindings and the
 * registry's documents are made. Nested objects are nested attributes all the way down: an `object` type inside one would be an
 * empty interface in the bindings.
 */
import type { TerraformAttribute, TerraformAttributes, TerraformSchema } from "../lib/values";
import type { Attribute, Attributes } from "./attribute";
import type { Description } from "./description";
import { facts } from "./facts";
import { scalarType } from "./types";

/** @param version of the state's layout, which an upgrade of the provider may change */
export function terraformSchema(description: Description, version = 0): TerraformSchema {
  return {
    version,
    block: {
      attributes: terraformAttributes(description.attributes),
      description: description.description,
      description_kind: "markdown",
    },
  };
}

function terraformAttributes(attributes: Attributes): TerraformAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, terraformAttribute(attribute)]),
  );
}

function terraformAttribute(attribute: Attribute): TerraformAttribute {
  const { shape, presence } = attribute;
  return {
    ...(shape.kind === "group" || shape.kind === "groups"
      ? { nested_type: nestedType(shape.kind, shape.attributes) }
      : { type: "of" in shape ? [shape.kind, scalarType(shape.of)] : scalarType(shape.kind) }),
    description: [attribute.description, ...facts(attribute)].join(" "),
    description_kind: "markdown",
    ...(presence === "required" && { required: true as const }),
    ...((presence === "optional" || presence === "managed") && { optional: true as const }),
    ...((presence === "computed" || presence === "managed") && { computed: true as const }),
    ...(attribute.sensitive && { sensitive: true as const }),
    ...(attribute.writeOnly && { write_only: true as const }),
    ...(attribute.deprecated !== undefined && { deprecated: true as const }),
  };
}

function nestedType(
  kind: "group" | "groups",
  attributes: Attributes,
): NonNullable<TerraformAttribute["nested_type"]> {
  return {
    nesting_mode: kind === "group" ? "single" : "list",
    attributes: terraformAttributes(attributes),
  };
}

/** Builds the schema of the whole provider, in the shape of `terraform providers schema -json`. */
import { compareText, type TerraformSchema, type TerraformType } from "../../src/lib/values";
import { type Family, type FunctionSignature, permissionsPresetSignature } from "../../src/resources";
import { type Description, terraformSchema } from "../../src/schema";
import { provider } from "../../src/service";

interface FunctionSchema {
  readonly description: string;
  readonly summary: string;
  readonly return_type: TerraformType;
  readonly parameters: readonly ParameterSchema[];
  readonly variadic_parameter?: ParameterSchema;
}

interface ParameterSchema {
  readonly name: string;
  readonly description: string;
  readonly type: TerraformType;
}

type Schemas = Readonly<Record<string, TerraformSchema>>;

export interface ProviderSchema {
  readonly provider: TerraformSchema;
  readonly resource_schemas: Schemas;
  readonly data_source_schemas: Schemas;
  readonly ephemeral_resource_schemas: Schemas;
  readonly list_resource_schemas: Schemas;
  readonly functions: Readonly<Record<string, FunctionSchema>>;
}

/** Types in alphabetical order, so that the same families give the same text. */
export function providerSchema(families: readonly Family[]): ProviderSchema {
  return {
    provider: terraformSchema(provider),
    resource_schemas: schemasByType(families.flatMap(({ resource }) => resource?.description ?? [])),
    data_source_schemas: schemasByType(
      families.flatMap(({ dataSources }) => (dataSources ?? []).map(({ description }) => description)),
    ),
    ephemeral_resource_schemas: schemasByType(
      families.flatMap(({ ephemeral }) => ephemeral?.description ?? []),
    ),
    list_resource_schemas: schemasByType(
      families.flatMap(({ resource }) =>
        resource?.kind === "record" ? (resource.listing?.description ?? []) : [],
      ),
    ),
    functions: { [permissionsPresetSignature.name]: functionSchema(permissionsPresetSignature) },
  };
}

function schemasByType(descriptions: readonly Description[]): Schemas {
  return Object.fromEntries(
    [...descriptions]
      .sort((a, b) => compareText(a.type, b.type))
      .map((description) => [description.type, terraformSchema(description)]),
  );
}

function functionSchema(signature: FunctionSignature): FunctionSchema {
  return {
    description: signature.description,
    summary: signature.summary,
    return_type: signature.returnType,
    parameters: signature.parameters,
    ...(signature.variadicParameter !== undefined && { variadic_parameter: signature.variadicParameter }),
  };
}

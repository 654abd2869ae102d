/** What the provider tells of itself. */
import { type FunctionDefinition, type Parameter } from "../function";
import { method, type Method } from "../grpc/method";
import { Empty } from "../messages/common";
import {
  GetFunctionsResponse,
  GetMetadataResponse,
  GetProviderSchemaResponse,
  GetResourceIdentitySchemasResponse,
  type FunctionSignatureDraft,
  type ParameterDraft,
  type SchemaDraft,
} from "../messages/schema";
import { type Provider } from "../provider";
import { identitySchemaMessage } from "../schemas/identity";
import { type Schema } from "../schemas/schema";
import { descriptionMessage, schemaMessage, typeMessage } from "../schemas/schema-message";
import { type Host } from "./host";

export const getProviderSchema = (host: Host): Method =>
  method(Empty, GetProviderSchemaResponse, async () => {
    const provider = await host.provider();
    return {
      provider: schemaMessage(provider.schema),
      resourceSchemas: schemas(provider.resources),
      dataSourceSchemas: schemas(provider.dataSources),
      ephemeralResourceSchemas: schemas(provider.ephemeralResources),
      functions: signatures(provider),
      serverCapabilities: capabilities(provider),
    };
  });

export const getMetadata = (host: Host): Method =>
  method(Empty, GetMetadataResponse, async () => {
    const provider = await host.provider();
    const typeNames = (definitions: object | undefined): readonly { readonly typeName: string }[] =>
      Object.keys(definitions ?? {}).map((typeName) => ({ typeName }));
    return {
      serverCapabilities: capabilities(provider),
      resources: typeNames(provider.resources),
      dataSources: typeNames(provider.dataSources),
      ephemeralResources: typeNames(provider.ephemeralResources),
      functions: Object.keys(provider.functions ?? {}).map((name) => ({ name })),
    };
  });

export const getFunctions = (host: Host): Method =>
  method(Empty, GetFunctionsResponse, async () => ({ functions: signatures(await host.provider()) }));

export const getResourceIdentitySchemas = (host: Host): Method =>
  method(Empty, GetResourceIdentitySchemasResponse, async () => {
    const { resources = {} } = await host.provider();
    return {
      identitySchemas: new Map(
        Object.entries(resources).flatMap(([type, { identity }]) =>
          identity === undefined ? [] : [[type, identitySchemaMessage(identity)] as const],
        ),
      ),
    };
  });

function capabilities(provider: Provider) {
  const resources = Object.values(provider.resources ?? {});
  return {
    planDestroy: resources.some((resource) => resource.planDelete !== undefined),
    moveResourceState: resources.some((resource) => resource.move !== undefined),
    // Each process finds its schema by itself, so whoever has one from another process need not ask.
    getProviderSchemaOptional: true,
  };
}

function schemas(
  definitions: { readonly [type: string]: { readonly schema: Schema } } = {},
): ReadonlyMap<string, SchemaDraft> {
  return new Map(Object.entries(definitions).map(([type, { schema }]) => [type, schemaMessage(schema)]));
}

function signatures(provider: Provider): ReadonlyMap<string, FunctionSignatureDraft> {
  return new Map(
    Object.entries(provider.functions ?? {}).map(([name, definition]) => [name, signature(definition)]),
  );
}

function signature(definition: FunctionDefinition): FunctionSignatureDraft {
  return {
    parameters: (definition.parameters ?? []).map(parameter),
    variadicParameter: definition.variadic && parameter(definition.variadic),
    return: { type: typeMessage(definition.returns) },
    summary: definition.summary ?? "",
    deprecationMessage: definition.deprecated ?? "",
    ...descriptionMessage(definition.description),
  };
}

function parameter({ name, type, description, allowNull, allowUnknown }: Parameter): ParameterDraft {
  return {
    name,
    type: typeMessage(type),
    allowNullValue: allowNull ?? false,
    allowUnknownValues: allowUnknown ?? false,
    ...descriptionMessage(description),
  };
}

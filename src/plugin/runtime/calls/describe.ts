/** Answers the calls about the provider itself: its schema, its configuration, its end. */
import type { ObjectValue } from "../../../values";
import { findWriteOnly } from "../faults";
import { type Method, method } from "../grpc";
import {
  ConfigureProviderRequest,
  DiagnosticsResponse,
  type DynamicValue,
  Empty,
  StopProviderResponse,
  ValidateDataResourceConfigRequest,
  ValidateEphemeralResourceConfigRequest,
  ValidateProviderConfigRequest,
  ValidateProviderConfigResponse,
  ValidateResourceConfigRequest,
} from "../messages";
import type { Decoded } from "../protobuf";
import type {
  Awaitable,
  Call,
  Diagnostic,
  Findings,
  FunctionDefinition,
  Parameter,
  Provider,
} from "../provider";
import type { Schema } from "../schema";
import { descriptionMessage, schemaMessage, typeMessage } from "../schema-description";
import {
  type FunctionSignatureDraft,
  GetFunctionsResponse,
  GetMetadataResponse,
  GetProviderSchemaResponse,
  GetResourceIdentitySchemasResponse,
  type ParameterDraft,
  type SchemaDraft,
} from "../schema-messages";
import { identitySchemaMessage } from "./identity";
import { type At, type Host, own, rpc } from "./rpc";

/** What the provider tells of itself. */
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

export const configureProvider = rpc({
  request: ConfigureProviderRequest,
  response: DiagnosticsResponse,
  definition: (provider) => provider,
  async handle({ request, definition, values, call }) {
    const config = values.decodeObject(request.config, definition.schema) ?? {};
    return (
      (await definition.configure?.(config, { ...call, terraformVersion: request.terraformVersion })) ?? {}
    );
  },
});

export const stopProvider = (host: Host): Method =>
  method(Empty, StopProviderResponse, async () => {
    try {
      await host.stop();
      return {};
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  });

// Validation: of the provider, resources, data sources and ephemeral resources.

interface Validated {
  readonly schema: Schema;
  validate?(config: ObjectValue, call: Call): Awaitable<Findings | void>;
}

async function validate<Request extends { readonly config: Decoded<typeof DynamicValue> | undefined }>({
  request,
  definition,
  values,
  call,
}: At<Request, Validated>): Promise<Findings> {
  const config = values.decodeObject(request.config, definition.schema);
  if (config === null) return {};
  return (await definition.validate?.(config, call)) ?? {};
}

export const validateProviderConfig = rpc({
  request: ValidateProviderConfigRequest,
  response: ValidateProviderConfigResponse,
  definition: (provider): Validated => provider,
  handle: validate,
});

export const validateResourceConfig = rpc({
  request: ValidateResourceConfigRequest,
  response: DiagnosticsResponse,
  definition: (provider, { typeName }): Validated | undefined => own(provider.resources, typeName),
  async handle(at) {
    const { diagnostics = [] } = await validate(at);
    if (at.request.clientCapabilities?.writeOnlyAttributesAllowed) return { diagnostics };
    const config = at.values.decodeObject(at.request.config, at.definition.schema) ?? {};
    return {
      diagnostics: [...diagnostics, ...findWriteOnly(at.definition.schema, config).map(writeOnlyRefused)],
    };
  },
});

export const validateDataResourceConfig = rpc({
  request: ValidateDataResourceConfigRequest,
  response: DiagnosticsResponse,
  definition: (provider, { typeName }): Validated | undefined => own(provider.dataSources, typeName),
  handle: validate,
});

export const validateEphemeralResourceConfig = rpc({
  request: ValidateEphemeralResourceConfigRequest,
  response: DiagnosticsResponse,
  definition: (provider, { typeName }): Validated | undefined => own(provider.ephemeralResources, typeName),
  handle: validate,
});

function writeOnlyRefused(attribute: Diagnostic["attribute"] & {}): Diagnostic {
  return {
    severity: "error",
    summary: "This version of Terraform would store a write-only value",
    detail: "Write-only attributes need Terraform or OpenTofu 1.11 or later.",
    attribute,
  };
}

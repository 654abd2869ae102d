/** Answers the calls about the provider as a whole: its schemas, the validation of configurations, its own configuration, its end. */
import type { ObjectValue, TerraformSchema } from "../../values";
import { calls, type Draft, type Messages } from "../generated/tfplugin6";
import type { Method } from "../grpc";
import { describedMessage, schemaMessage, typeMessage } from "../messages";
import type { Awaitable, Call, Diagnostic, DiagnosticsResult, Parameter, Provider } from "../provider";
import { writeOnlyPaths } from "../schema";
import { identitySchemaMessage } from "./import";
import {
  type At,
  dataSourceFor,
  decodeObjectMessage,
  ephemeralFor,
  type Host,
  listResourceFor,
  method,
  resourceFor,
  rpc,
} from "./rpc";

/** Schemas and functions of the provider. */
export const getProviderSchema = (host: Host) => async () => encodedSchema(await host.provider());

/** The answer to `GetProviderSchema`. It depends on the provider's code alone, so a build can make it once for {@link serveProvider}. */
export function encodedSchema(provider: Provider): Uint8Array {
  const answer = {
    provider: schemaMessage(provider.schema),
    resourceSchemas: schemas(provider.resources),
    dataSourceSchemas: schemas(provider.dataSources),
    ephemeralResourceSchemas: schemas(provider.ephemeralResources),
    listResourceSchemas: schemas(provider.listResources),
    functions: signatures(provider),
    // Each process finds its schema by itself, so a client that has the schema of another process does not need to ask.
    serverCapabilities: { planDestroy: true, getProviderSchemaOptional: true },
  };
  return calls.GetProviderSchema.response.encode(answer).finish();
}

function schemas(definitions: { readonly [type: string]: { readonly schema: TerraformSchema } } = {}) {
  return Object.fromEntries(
    Object.entries(definitions).map(([type, { schema }]) => [type, schemaMessage(schema)]),
  );
}

/** OpenTofu asks for these again where a provider's function is called. */
export const getFunctions = (host: Host): Method =>
  method("GetFunctions", async () => ({ functions: signatures(await host.provider()) }));

function signatures({ functions = {} }: Provider): Readonly<Record<string, Draft<Messages["Function"]>>> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, { parameters = [], variadic, returns, summary = "", ...rest }]) => [
      name,
      {
        parameters: parameters.map(parameterMessage),
        variadicParameter: variadic && parameterMessage(variadic),
        return: { type: typeMessage(returns) },
        summary,
        ...describedMessage(rest),
      },
    ]),
  );
}

function parameterMessage({
  name,
  type,
  allowNull,
  allowUnknown,
  ...rest
}: Parameter): Draft<Messages["Function.Parameter"]> {
  return {
    name,
    type: typeMessage(type),
    allowNullValue: allowNull ?? false,
    allowUnknownValues: allowUnknown ?? false,
    ...describedMessage(rest),
  };
}

export const getResourceIdentitySchemas = (host: Host): Method =>
  method("GetResourceIdentitySchemas", async () => {
    const { resources = {} } = await host.provider();
    return {
      identitySchemas: Object.fromEntries(
        Object.entries(resources).flatMap(([type, { identity }]) =>
          identity === undefined ? [] : [[type, identitySchemaMessage(identity)] as const],
        ),
      ),
    };
  });

export const configureProvider = rpc({
  name: "ConfigureProvider",
  definition: (provider) => provider,
  async handle({ request, definition, call }) {
    const config = decodeObjectMessage(request.config, definition.schema) ?? {};
    return (await definition.configure?.(config, call)) ?? {};
  },
});

export const stopProvider = (host: Host): Method =>
  method("StopProvider", async () => {
    try {
      await host.stop();
      return {};
    } catch (error) {
      return { Error: error instanceof Error ? error.message : String(error) };
    }
  });

// Validation: of the provider, resources, data sources, ephemeral resources and list resources.

interface Validated {
  readonly schema: TerraformSchema;
  validate?(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult | void>;
}

async function validate<Request extends { readonly config: Messages["DynamicValue"] | null }>({
  request,
  definition,
  call,
}: At<Request, Validated>): Promise<DiagnosticsResult> {
  const config = decodeObjectMessage(request.config, definition.schema);
  if (config === null) return {};
  return (await definition.validate?.(config, call)) ?? {};
}

export const validateProviderConfig = rpc({
  name: "ValidateProviderConfig",
  definition: (provider): Validated => provider,
  handle: validate,
});

export const validateResourceConfig = rpc({
  name: "ValidateResourceConfig",
  definition: (provider, request): Validated | undefined => resourceFor(provider, request),
  async handle(at) {
    const { diagnostics = [] } = await validate(at);
    if (at.request.clientCapabilities?.writeOnlyAttributesAllowed) return { diagnostics };
    const { schema } = at.definition;
    const config = decodeObjectMessage(at.request.config, schema) ?? {};
    return { diagnostics: [...diagnostics, ...writeOnlyPaths(schema, config).map(writeOnlyRefused)] };
  },
});

export const validateDataResourceConfig = rpc({
  name: "ValidateDataResourceConfig",
  definition: (provider, request): Validated | undefined => dataSourceFor(provider, request),
  handle: validate,
});

export const validateEphemeralResourceConfig = rpc({
  name: "ValidateEphemeralResourceConfig",
  definition: (provider, request): Validated | undefined => ephemeralFor(provider, request),
  handle: validate,
});

export const validateListResourceConfig = rpc({
  name: "ValidateListResourceConfig",
  definition: (provider, request): Validated | undefined => listResourceFor(provider, request),
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

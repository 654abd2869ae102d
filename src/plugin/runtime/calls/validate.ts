/** Validation: the same for the provider itself, resources, data sources and ephemeral resources. */
import { type ObjectValue } from "../../../values";
import { type Diagnostic } from "../diagnostics";
import { DiagnosticsResponse, type DynamicValue } from "../messages/common";
import { ValidateDataResourceConfigRequest } from "../messages/data-source";
import { ValidateEphemeralResourceConfigRequest } from "../messages/ephemeral-resource";
import { ValidateProviderConfigRequest, ValidateProviderConfigResponse } from "../messages/provider";
import { ValidateResourceConfigRequest } from "../messages/resource";
import { type Decoded } from "../protobuf/message";
import { type Call } from "../provider";
import { type Awaitable, type Findings } from "../resource";
import { type Schema } from "../schemas/schema";
import { findWriteOnly } from "../schemas/write-only";
import { own, rpc, type At } from "./rpc";

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

/** Defines the messages of plugin protocol 6. */
import {
  bool,
  bytes,
  defineMessage,
  type Draft,
  integer,
  message,
  optionalBytes,
  optionalInteger,
  optionalString,
  repeated,
  string,
} from "./protobuf";

/** Messages of plugin protocol 6 that several calls share. */
export const Empty = defineMessage({});

export const DynamicValue = defineMessage({ msgpack: bytes(1), json: bytes(2) });

const AttributePathStep = defineMessage({
  attributeName: optionalString(1),
  elementKeyString: optionalString(2),
  elementKeyInt: optionalInteger(3),
});

export const AttributePath = defineMessage({ steps: repeated(1, AttributePathStep) });

export const severities = { error: 1, warning: 2 } as const;

export const Diagnostic = defineMessage({
  severity: integer(1),
  summary: string(2),
  detail: string(3),
  attribute: message(4, AttributePath),
});
export type DiagnosticDraft = Draft<typeof Diagnostic>;

/** The identity of an object, by its resource's identity schema. */
export const IdentityData = defineMessage({ identityData: message(1, DynamicValue) });

/** The answer of calls that have nothing but findings to tell. */
export const DiagnosticsResponse = defineMessage({ diagnostics: repeated(1, Diagnostic) });

/** State as it stands in the state file; the flat form is that of Terraform before 0.12. */
const RawState = defineMessage({ json: bytes(1), flatmap: repeated(2, Empty) });

export const ClientCapabilities = defineMessage({
  deferralAllowed: bool(1),
  writeOnlyAttributesAllowed: bool(2),
});

export const ServerCapabilities = defineMessage({
  planDestroy: bool(1),
  getProviderSchemaOptional: bool(2),
  moveResourceState: bool(3),
});

export const deferralReasons = {
  resource_config_unknown: 1,
  provider_config_unknown: 2,
  absent_prerequisite: 3,
} as const;

const Deferred = defineMessage({ reason: integer(1) });

/** Messages of plugin protocol 6 for the provider as a whole. */
export const ValidateProviderConfigRequest = defineMessage({ config: message(1, DynamicValue) });
export const ValidateProviderConfigResponse = defineMessage({ diagnostics: repeated(2, Diagnostic) });

export const ConfigureProviderRequest = defineMessage({
  terraformVersion: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(3, ClientCapabilities),
});

export const StopProviderResponse = defineMessage({ error: string(1) });

/** Messages of plugin protocol 6 for managed resources. */
export const ValidateResourceConfigRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(3, ClientCapabilities),
});

export const UpgradeResourceStateRequest = defineMessage({
  typeName: string(1),
  version: integer(2),
  rawState: message(3, RawState),
});
export const UpgradeResourceStateResponse = defineMessage({
  upgradedState: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
});

export const UpgradeResourceIdentityRequest = defineMessage({
  typeName: string(1),
  version: integer(2),
  rawIdentity: message(3, RawState),
});
export const UpgradeResourceIdentityResponse = defineMessage({
  upgradedIdentity: message(1, IdentityData),
  diagnostics: repeated(2, Diagnostic),
});

export const ReadResourceRequest = defineMessage({
  typeName: string(1),
  currentState: message(2, DynamicValue),
  private: bytes(3),
  clientCapabilities: message(5, ClientCapabilities),
  currentIdentity: message(6, IdentityData),
});
export const ReadResourceResponse = defineMessage({
  newState: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
  private: bytes(3),
  deferred: message(4, Deferred),
  newIdentity: message(5, IdentityData),
});

export const PlanResourceChangeRequest = defineMessage({
  typeName: string(1),
  priorState: message(2, DynamicValue),
  proposedNewState: message(3, DynamicValue),
  config: message(4, DynamicValue),
  priorPrivate: bytes(5),
  clientCapabilities: message(7, ClientCapabilities),
});
export const PlanResourceChangeResponse = defineMessage({
  plannedState: message(1, DynamicValue),
  requiresReplace: repeated(2, AttributePath),
  plannedPrivate: bytes(3),
  diagnostics: repeated(4, Diagnostic),
  deferred: message(6, Deferred),
  plannedIdentity: message(7, IdentityData),
});

export const ApplyResourceChangeRequest = defineMessage({
  typeName: string(1),
  priorState: message(2, DynamicValue),
  plannedState: message(3, DynamicValue),
  config: message(4, DynamicValue),
  plannedPrivate: bytes(5),
  plannedIdentity: message(7, IdentityData),
});
export const ApplyResourceChangeResponse = defineMessage({
  newState: message(1, DynamicValue),
  private: bytes(2),
  diagnostics: repeated(3, Diagnostic),
  newIdentity: message(5, IdentityData),
});

export const ImportResourceStateRequest = defineMessage({
  typeName: string(1),
  id: string(2),
  clientCapabilities: message(3, ClientCapabilities),
  identity: message(4, IdentityData),
});
const ImportedResource = defineMessage({
  typeName: string(1),
  state: message(2, DynamicValue),
  private: bytes(3),
  identity: message(4, IdentityData),
});
export const ImportResourceStateResponse = defineMessage({
  importedResources: repeated(1, ImportedResource),
  diagnostics: repeated(2, Diagnostic),
  deferred: message(3, Deferred),
});

export const MoveResourceStateRequest = defineMessage({
  sourceProviderAddress: string(1),
  sourceTypeName: string(2),
  sourceSchemaVersion: integer(3),
  sourceState: message(4, RawState),
  targetTypeName: string(5),
  sourcePrivate: bytes(6),
});
export const MoveResourceStateResponse = defineMessage({
  targetState: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
  targetPrivate: bytes(3),
  targetIdentity: message(4, IdentityData),
});

/** Messages of plugin protocol 6 for data sources. */
export const ValidateDataResourceConfigRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
});

export const ReadDataSourceRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(4, ClientCapabilities),
});
export const ReadDataSourceResponse = defineMessage({
  state: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
  deferred: message(3, Deferred),
});

// Ephemeral resources.

const Timestamp = defineMessage({ seconds: integer(1), nanos: integer(2) });

export const ValidateEphemeralResourceConfigRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
});

export const OpenEphemeralResourceRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
  clientCapabilities: message(3, ClientCapabilities),
});
export const OpenEphemeralResourceResponse = defineMessage({
  diagnostics: repeated(1, Diagnostic),
  renewAt: message(2, Timestamp),
  result: message(3, DynamicValue),
  private: optionalBytes(4),
  deferred: message(5, Deferred),
});

export const RenewEphemeralResourceRequest = defineMessage({
  typeName: string(1),
  private: optionalBytes(2),
});
export const RenewEphemeralResourceResponse = defineMessage({
  diagnostics: repeated(1, Diagnostic),
  renewAt: message(2, Timestamp),
  private: optionalBytes(3),
});

export const CloseEphemeralResourceRequest = defineMessage({
  typeName: string(1),
  private: optionalBytes(2),
});

/** Messages of plugin protocol 6 for functions. */
export const CallFunctionRequest = defineMessage({ name: string(1), arguments: repeated(2, DynamicValue) });

const FunctionError = defineMessage({ text: string(1), functionArgument: optionalInteger(2) });

export const CallFunctionResponse = defineMessage({
  result: message(1, DynamicValue),
  error: message(2, FunctionError),
});

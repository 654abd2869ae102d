/** Messages of plugin protocol 6 that several calls share. */
import { message, repeated } from "../protobuf/field";
import { defineMessage, type Draft } from "../protobuf/message";
import { bool, bytes, integer, optionalInteger, optionalString, string } from "../protobuf/scalar";

export const Empty = defineMessage({});

export const DynamicValue = defineMessage({ msgpack: bytes(1), json: bytes(2) });

export const AttributePathStep = defineMessage({
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
export const RawState = defineMessage({ json: bytes(1), flatmap: repeated(2, Empty) });

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

export const Deferred = defineMessage({ reason: integer(1) });

/** Defines the messages of plugin protocol 6, as far as the provider reads or fills them. */
import type { TerraformAttribute, TerraformSchema, TerraformType } from "../values";
import {
  bool,
  bytes,
  defineMessage,
  type Draft,
  integer,
  map,
  message,
  type MessageType,
  optionalInteger,
  optionalString,
  repeated,
  string,
} from "./protobuf";

// Messages that several calls share.

export const Empty = defineMessage({});

export const DynamicValue = defineMessage({ msgpack: bytes(1), json: bytes(2) });

const AttributePathStep = defineMessage({
  attributeName: optionalString(1),
  elementKeyString: optionalString(2),
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

/** The answer of calls that return only findings. */
export const DiagnosticsResponse = defineMessage({ diagnostics: repeated(1, Diagnostic) });

/** The identity of an object, by its resource's identity schema. */
export const IdentityData = defineMessage({ identityData: message(1, DynamicValue) });

/** State in the form of the state file. */
const RawState = defineMessage({ json: bytes(1) });

const ClientCapabilities = defineMessage({ writeOnlyAttributesAllowed: bool(2) });

// The schema. Members have the names that they have in Terraform's JSON.

const MARKDOWN = 1;
const nestings = { single: 1, list: 2 } as const;

interface AttributeDraft {
  readonly name?: string;
  readonly type?: Uint8Array | undefined;
  readonly nested_type?: NestedTypeDraft | undefined;
}

interface NestedTypeDraft {
  readonly attributes?: readonly AttributeDraft[];
  readonly nesting_mode?: number;
}

/** A type of message that is mentioned before it is defined: attributes nest. */
const nestedTypeLater: MessageType<unknown, NestedTypeDraft> = {
  encode: (draft) => NestedType.encode(draft),
  decode: (input) => NestedType.decode(input),
  read: (reader) => NestedType.read(reader),
  write: (writer, draft) => NestedType.write(writer, draft),
};

const Attribute = defineMessage({
  name: string(1),
  type: bytes(2),
  description: string(3),
  required: bool(4),
  optional: bool(5),
  computed: bool(6),
  sensitive: bool(7),
  description_kind: integer(8),
  deprecated: bool(9),
  nested_type: message(10, nestedTypeLater),
  write_only: bool(11),
});

const NestedType: MessageType<unknown, NestedTypeDraft> = defineMessage({
  attributes: repeated(1, Attribute),
  nesting_mode: integer(3),
});

const Block = defineMessage({
  version: integer(1),
  attributes: repeated(2, Attribute),
  description: string(4),
  description_kind: integer(5),
});

const Schema = defineMessage({ version: integer(1), block: message(2, Block) });

export function schemaMessage({ version, block }: TerraformSchema): Draft<typeof Schema> {
  const attributes = Object.entries(block.attributes).map(attributeMessage);
  return { version, block: { attributes, ...describedMessage(block) } };
}

function attributeMessage([name, attribute]: readonly [string, TerraformAttribute]): AttributeDraft {
  const { type, nested_type: nested, ...traits } = attribute;
  return {
    ...traits,
    ...describedMessage(traits),
    name,
    type: type && typeMessage(type),
    nested_type: nested && {
      attributes: Object.entries(nested.attributes).map(attributeMessage),
      nesting_mode: nestings[nested.nesting_mode],
    },
  };
}

export function describedMessage({ description }: { readonly description?: string | undefined }): {
  readonly description?: string;
  readonly description_kind?: number;
} {
  return description === undefined ? {} : { description, description_kind: MARKDOWN };
}

export function typeMessage(type: TerraformType): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}

const Parameter = defineMessage({
  name: string(1),
  type: bytes(2),
  allow_null_value: bool(3),
  allow_unknown_values: bool(4),
  description: string(5),
  description_kind: integer(6),
});
export type ParameterDraft = Draft<typeof Parameter>;

const FunctionSignature = defineMessage({
  parameters: repeated(1, Parameter),
  variadic_parameter: message(2, Parameter),
  return: message(3, defineMessage({ type: bytes(1) })),
  summary: string(4),
  description: string(5),
  description_kind: integer(6),
});
export type FunctionSignatureDraft = Draft<typeof FunctionSignature>;

const IdentityAttribute = defineMessage({
  name: string(1),
  type: bytes(2),
  optional_for_import: bool(4),
  description: string(5),
});

const IdentitySchema = defineMessage({
  version: integer(1),
  identity_attributes: repeated(2, IdentityAttribute),
});
export type IdentitySchemaDraft = Draft<typeof IdentitySchema>;

// The provider as a whole.

const ServerCapabilities = defineMessage({ planDestroy: bool(1), getProviderSchemaOptional: bool(2) });

export const GetProviderSchemaResponse = defineMessage({
  provider: message(1, Schema),
  resourceSchemas: map(2, Schema),
  dataSourceSchemas: map(3, Schema),
  serverCapabilities: message(6, ServerCapabilities),
  functions: map(7, FunctionSignature),
  ephemeralResourceSchemas: map(8, Schema),
  listResourceSchemas: map(9, Schema),
});

export const GetFunctionsResponse = defineMessage({ functions: map(1, FunctionSignature) });

export const GetResourceIdentitySchemasResponse = defineMessage({ identitySchemas: map(1, IdentitySchema) });

export const ValidateProviderConfigRequest = defineMessage({ config: message(1, DynamicValue) });
export const ValidateProviderConfigResponse = defineMessage({ diagnostics: repeated(2, Diagnostic) });

export const ConfigureProviderRequest = defineMessage({ config: message(2, DynamicValue) });

export const StopProviderResponse = defineMessage({ error: string(1) });

// Managed resources.

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

export const ReadResourceRequest = defineMessage({
  typeName: string(1),
  currentState: message(2, DynamicValue),
  private: bytes(3),
  currentIdentity: message(6, IdentityData),
});
export const ReadResourceResponse = defineMessage({
  newState: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
  private: bytes(3),
  newIdentity: message(5, IdentityData),
});

export const PlanResourceChangeRequest = defineMessage({
  typeName: string(1),
  priorState: message(2, DynamicValue),
  proposedNewState: message(3, DynamicValue),
  config: message(4, DynamicValue),
  priorPrivate: bytes(5),
});
export const PlanResourceChangeResponse = defineMessage({
  plannedState: message(1, DynamicValue),
  requiresReplace: repeated(2, AttributePath),
  plannedPrivate: bytes(3),
  diagnostics: repeated(4, Diagnostic),
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
});

// Data sources, ephemeral resources, list resources and functions.

/** For the validation of data sources, ephemeral resources and list resources, and to read and to open the first two. */
export const ConfigRequest = defineMessage({ typeName: string(1), config: message(2, DynamicValue) });

export const ReadDataSourceResponse = defineMessage({
  state: message(1, DynamicValue),
  diagnostics: repeated(2, Diagnostic),
});

export const OpenEphemeralResourceResponse = defineMessage({
  diagnostics: repeated(1, Diagnostic),
  result: message(3, DynamicValue),
});

export const ListResourceRequest = defineMessage({
  typeName: string(1),
  config: message(2, DynamicValue),
  includeResourceObject: bool(3),
  limit: integer(4),
});

export const ListResourceEvent = defineMessage({
  identity: message(1, IdentityData),
  displayName: string(2),
  resourceObject: message(3, DynamicValue),
  diagnostic: repeated(4, Diagnostic),
});

export const CallFunctionRequest = defineMessage({ name: string(1), arguments: repeated(2, DynamicValue) });

const FunctionError = defineMessage({ text: string(1), functionArgument: optionalInteger(2) });

export const CallFunctionResponse = defineMessage({
  result: message(1, DynamicValue),
  error: message(2, FunctionError),
});

/** Defines the messages of plugin protocol 6 that tell what a provider offers. */
import { Diagnostic, ServerCapabilities } from "./messages";
import {
  bool,
  bytes,
  defineMessage,
  type Draft,
  integer,
  map,
  message,
  type MessageType,
  repeated,
  string,
} from "./protobuf";

export const MARKDOWN = 1;

export interface AttributeDraft {
  readonly name?: string;
  readonly type?: Uint8Array | undefined;
  readonly description?: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly descriptionKind?: number;
  readonly deprecated?: boolean;
  readonly nestedType?: NestedTypeDraft | undefined;
  readonly writeOnly?: boolean;
  readonly deprecationMessage?: string;
}

interface NestedTypeDraft {
  readonly attributes?: readonly AttributeDraft[];
  readonly nesting?: number;
}

export interface BlockDraft {
  readonly version?: number;
  readonly attributes?: readonly AttributeDraft[];
  readonly blockTypes?: readonly NestedBlockDraft[];
  readonly description?: string;
  readonly descriptionKind?: number;
  readonly deprecated?: boolean;
  readonly deprecationMessage?: string;
}

export interface NestedBlockDraft {
  readonly typeName?: string;
  readonly block?: BlockDraft;
  readonly nesting?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A type of message that is mentioned before it is defined: schemas nest. */
function later<T>(type: () => MessageType<unknown, T>): MessageType<T, T> {
  return {
    encode: (draft) => type().encode(draft),
    decode: (input) => type().decode(input) as T,
    read: (reader) => type().read(reader) as T,
    write: (writer, draft) => type().write(writer, draft),
  };
}

const nestedTypeLater = later<NestedTypeDraft>(() => NestedType);
const nestedBlockLater = later<NestedBlockDraft>(() => NestedBlock);

const Attribute = defineMessage({
  name: string(1),
  type: bytes(2),
  description: string(3),
  required: bool(4),
  optional: bool(5),
  computed: bool(6),
  sensitive: bool(7),
  descriptionKind: integer(8),
  deprecated: bool(9),
  nestedType: message(10, nestedTypeLater),
  writeOnly: bool(11),
  deprecationMessage: string(12),
});

const NestedType: MessageType<unknown, NestedTypeDraft> = defineMessage({
  attributes: repeated(1, Attribute),
  nesting: integer(3),
});

const Block = defineMessage({
  version: integer(1),
  attributes: repeated(2, Attribute),
  blockTypes: repeated(3, nestedBlockLater),
  description: string(4),
  descriptionKind: integer(5),
  deprecated: bool(6),
  deprecationMessage: string(7),
});

const NestedBlock: MessageType<unknown, NestedBlockDraft> = defineMessage({
  typeName: string(1),
  block: message(2, Block as MessageType<BlockDraft, BlockDraft>),
  nesting: integer(3),
  minItems: integer(4),
  maxItems: integer(5),
});

const Schema = defineMessage({
  version: integer(1),
  block: message(2, Block as MessageType<BlockDraft, BlockDraft>),
});
export type SchemaDraft = Draft<typeof Schema>;

const Parameter = defineMessage({
  name: string(1),
  type: bytes(2),
  allowNullValue: bool(3),
  allowUnknownValues: bool(4),
  description: string(5),
  descriptionKind: integer(6),
});
export type ParameterDraft = Draft<typeof Parameter>;

const Return = defineMessage({ type: bytes(1) });

const FunctionSignature = defineMessage({
  parameters: repeated(1, Parameter),
  variadicParameter: message(2, Parameter),
  return: message(3, Return),
  summary: string(4),
  description: string(5),
  descriptionKind: integer(6),
  deprecationMessage: string(7),
});
export type FunctionSignatureDraft = Draft<typeof FunctionSignature>;

export const GetProviderSchemaResponse = defineMessage({
  provider: message(1, Schema),
  resourceSchemas: map(2, Schema),
  dataSourceSchemas: map(3, Schema),
  diagnostics: repeated(4, Diagnostic),
  serverCapabilities: message(6, ServerCapabilities),
  functions: map(7, FunctionSignature),
  ephemeralResourceSchemas: map(8, Schema),
});

const TypeName = defineMessage({ typeName: string(1) });
const FunctionName = defineMessage({ name: string(1) });

export const GetMetadataResponse = defineMessage({
  serverCapabilities: message(1, ServerCapabilities),
  diagnostics: repeated(2, Diagnostic),
  dataSources: repeated(3, TypeName),
  resources: repeated(4, TypeName),
  functions: repeated(5, FunctionName),
  ephemeralResources: repeated(6, TypeName),
});

export const GetFunctionsResponse = defineMessage({
  functions: map(1, FunctionSignature),
  diagnostics: repeated(2, Diagnostic),
});

const IdentityAttribute = defineMessage({
  name: string(1),
  type: bytes(2),
  requiredForImport: bool(3),
  optionalForImport: bool(4),
  description: string(5),
});

const IdentitySchema = defineMessage({
  version: integer(1),
  identityAttributes: repeated(2, IdentityAttribute),
});
export type IdentitySchemaDraft = Draft<typeof IdentitySchema>;

export const GetResourceIdentitySchemasResponse = defineMessage({
  identitySchemas: map(1, IdentitySchema),
  diagnostics: repeated(2, Diagnostic),
});

/** The messages of plugin protocol 6: `generated/` holds the published definition, and the types of its messages. */
import {
  configure,
  type INamespace,
  type Method,
  Root,
  type Service,
  type Type,
  util,
} from "protobufjs/light";
import type { TerraformAttribute, TerraformSchema, TerraformType } from "../values";
import definition from "./generated/tfplugin6.json";
import type { Calls, Messages } from "./generated/tfplugin6";

// Whole numbers of 64 bits are versions and counts. They come as plain numbers.
(util as { Long: unknown }).Long = null;
configure();

/** Made at the first message: many processes of a run are asked for the schema alone, whose bytes they have. */
let service: Service | undefined;

/** A message that is to be written: any field may be absent. */
export type Draft<T> = T extends string | number | boolean | Uint8Array | null
  ? T
  : T extends readonly (infer Element)[]
    ? readonly Draft<Element>[]
    : { readonly [Name in keyof T]?: Draft<T[Name]> | undefined };

/** Reads and writes the messages of one kind. */
interface Codec<Message> {
  encode(message: Draft<Message>): Uint8Array;
  /** @throws if the bytes are no such message */
  decode(bytes: Uint8Array): Message;
}

/** The messages of a call. */
export function messagesOf<Call extends keyof Calls>(
  call: Call,
): { readonly request: Codec<Calls[Call]["request"]>; readonly response: Codec<Calls[Call]["response"]> } {
  const method = () => {
    service ??= Root.fromJSON(definition as INamespace).lookupService("tfplugin6.Provider");
    return service.methods[call]?.resolve() as Method;
  };
  return {
    request: codecOf(() => method().resolvedRequestType as Type),
    response: codecOf(() => method().resolvedResponseType as Type),
  };
}

function codecOf<Message>(type: () => Type): Codec<Message> {
  return {
    encode: (message) =>
      type()
        .encode(message as object)
        .finish(),
    decode: (bytes) => type().decode(bytes) as unknown as Message,
  };
}

export const severities = { error: 1, warning: 2 } as const;

// The schema.

const MARKDOWN = 1;
const nestings = { single: 1, list: 2 } as const;

export function schemaMessage({ version, block }: TerraformSchema): Draft<Messages["Schema"]> {
  const attributes = Object.entries(block.attributes).map(attributeMessage);
  return { version, block: { attributes, ...describedMessage(block) } };
}

function attributeMessage([name, attribute]: readonly [string, TerraformAttribute]): Draft<
  Messages["Schema.Attribute"]
> {
  const { type, nested_type: nested, write_only: writeOnly, ...traits } = attribute;
  return {
    ...traits,
    ...describedMessage(traits),
    name,
    writeOnly,
    type: type && typeMessage(type),
    nestedType: nested && {
      attributes: Object.entries(nested.attributes).map(attributeMessage),
      nesting: nestings[nested.nesting_mode],
    },
  };
}

export function describedMessage({ description }: { readonly description?: string | undefined }): {
  readonly description?: string;
  readonly descriptionKind?: number;
} {
  return description === undefined ? {} : { description, descriptionKind: MARKDOWN };
}

export function typeMessage(type: TerraformType): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}

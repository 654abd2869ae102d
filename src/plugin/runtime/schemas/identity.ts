/** Resource identity: the few values that stay the same for an object's whole life, whatever becomes of its other attributes. */
import { isObject, type ObjectValue } from "../../../values";
import { type CallValues } from "../calls/call-values";
import { type Type } from "../cty/type";
import { type IdentityData } from "../messages/common";
import { type IdentitySchemaDraft } from "../messages/schema";
import { type Decoded, type Draft } from "../protobuf/message";
import { typeMessage } from "./schema-message";

export interface IdentityAttribute {
  readonly type: Type;
  /** Markdown. */
  readonly description?: string;
  /** Whether the user has to write it in the `identity` of an import; all others may be left out there. */
  readonly required?: boolean;
}

export interface Identity {
  /** Counts up when the attributes change. @default 0 */
  readonly version?: number;
  readonly attributes: { readonly [name: string]: IdentityAttribute };

  /** The identity of an object that exists; its state holds it. */
  of(state: ObjectValue): ObjectValue;

  /**
   * What to import for an identity that the user wrote, in which attributes may be null. The object that is found must have every value
   * that was written.
   * @throws where nothing can be looked for
   */
  idFor(identity: ObjectValue): string;
}

type Message = Draft<typeof IdentityData>;

export function identitySchemaMessage({ version, attributes }: Identity): IdentitySchemaDraft {
  return {
    version: version ?? 0,
    identityAttributes: Object.entries(attributes).map(([name, { type, description, required = false }]) => ({
      name,
      type: typeMessage(type),
      requiredForImport: required,
      optionalForImport: !required,
      ...(description !== undefined && { description }),
    })),
  };
}

/** The identity of an object, as the protocol sends it; nothing where there is no object, or its type has none. */
export function identityMessage(
  identity: Identity | undefined,
  values: CallValues,
  state: ObjectValue | null | undefined,
): Message | undefined {
  if (identity === undefined || state === null || state === undefined) return undefined;
  return encodeIdentity(identity, values, identity.of(state));
}

export function encodeIdentity(identity: Identity, values: CallValues, value: ObjectValue): Message {
  return { identityData: values.encode(value, typeOfIdentity(identity), { unknowns: false }) };
}

/** Undefined where the message holds none. */
export function decodeIdentity(
  identity: Identity,
  values: CallValues,
  message: Decoded<typeof IdentityData> | undefined,
): ObjectValue | undefined {
  const value = values.decode(message?.identityData, typeOfIdentity(identity));
  return isObject(value) ? value : undefined;
}

export function typeOfIdentity({ attributes }: Identity): Type {
  return ["object", Object.fromEntries(Object.entries(attributes).map(([name, { type }]) => [name, type]))];
}

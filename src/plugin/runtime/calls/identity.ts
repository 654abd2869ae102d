/** Handles resource identity: the few values that stay the same for an object's whole life. */
import { isObject, type ObjectValue } from "../../../values";
import type { IdentityData } from "../messages";
import type { Decoded, Draft } from "../protobuf";
import type { Identity } from "../provider";
import { typeMessage } from "../schema-description";
import type { IdentitySchemaDraft } from "../schema-messages";
import type { Type } from "../values";
import type { CallValues } from "./rpc";

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

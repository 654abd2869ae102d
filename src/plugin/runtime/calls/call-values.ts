import { isUnknown, type ObjectValue, type Path, type Value } from "../../../values";
import { parseExact, valueFromJson } from "../cty/decode-json";
import { decodeValue } from "../cty/decode";
import { encodeValue, type EncodeOptions } from "../cty/encode";
import { Malformed } from "../cty/malformed";
import { Recollection } from "../cty/recollection";
import { type Type } from "../cty/type";
import { type DynamicValue } from "../messages/common";
import { type Decoded, type Draft } from "../protobuf/message";
import { withEmptyBlocks } from "../schemas/empty-blocks";
import { type Schema } from "../schemas/schema";
import { typeOfBlock } from "../schemas/schema-type";
import { withoutWriteOnly } from "../schemas/write-only";

/** The values of one call, in and out, which share a recollection: what is passed on unchanged arrives unchanged. */
export class CallValues {
  readonly #recollection = new Recollection();

  /** A value of any type; an absent one is null. */
  decode(message: Decoded<typeof DynamicValue> | undefined, type: Type, path: Path = []): Value {
    if (message === undefined) return null;
    if (message.msgpack.length > 0) return decodeValue(message.msgpack, type, this.#recollection, path);
    if (message.json.length > 0) return this.fromJson(message.json, type);
    return null;
  }

  /** A configuration, plan or state. Of several in one call, decode last the one that is to be followed most closely. */
  decodeObject(message: Decoded<typeof DynamicValue> | undefined, schema: Schema): ObjectValue | null {
    const value = this.decode(message, typeOfBlock(schema));
    if (isUnknown(value)) throw new Malformed("an object as a whole is unknown");
    return value as ObjectValue | null;
  }

  /** JSON of no type. */
  parse(json: Uint8Array): Value {
    return parseExact(Buffer.from(json).toString(), this.#recollection);
  }

  fromJson(json: Uint8Array, type: Type): Value {
    return valueFromJson(this.parse(json), type, this.#recollection);
  }

  /** @throws Nonconformity */
  encode(value: Value, type: Type, options: EncodeOptions): Draft<typeof DynamicValue> {
    return { msgpack: encodeValue(value, type, this.#recollection, options) };
  }

  /**
   * Encodes a plan or state, without what is write-only.
   * @throws Nonconformity
   */
  encodeObject(
    value: ObjectValue | null,
    schema: Schema,
    options: EncodeOptions,
  ): Draft<typeof DynamicValue> {
    const clean = withoutWriteOnly(schema, withEmptyBlocks(schema, value));
    return this.encode(clean, typeOfBlock(schema), options);
  }
}

/** Reads and writes protocol buffers. A message is described by its fields. */
import { ByteBuffer } from "./byte-buffer";

/** Bytes that are no Protocol Buffers message. */
export class MalformedMessage extends Error {
  constructor(what: string) {
    super(what);
    this.name = "MalformedMessage";
  }
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

/**
 * Reads Protocol Buffers' wire format.
 * @throws MalformedMessage if the bytes end too early or mean nothing.
 */
class MessageReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  tag(): { readonly field: number; readonly wireType: number } {
    const tag = this.varint();
    const field = Math.floor(tag / 8);
    if (field < 1 || field > 0x1fff_ffff) throw new MalformedMessage("a field has no number");
    return { field, wireType: tag % 8 };
  }

  /** A whole number of up to 64 bits, read as signed; one beyond 2^53 comes rounded, and no message of the protocol holds such. */
  varint(): number {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return low;
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new MalformedMessage("a number is too long");
  }

  /** A reader for a delimited part. */
  part(): MessageReader {
    const start = this.#take(this.varint());
    return new MessageReader(this.#bytes, start, this.#at);
  }

  /** The bytes of a delimited part; they share memory with the message. */
  bytes(): Buffer {
    const start = this.#take(this.varint());
    return this.#bytes.subarray(start, this.#at);
  }

  string(): string {
    const start = this.#take(this.varint());
    return this.#bytes.toString("utf8", start, this.#at);
  }

  /** Skips a field that this version does not know. */
  skip(wireType: number): void {
    if (wireType === VARINT) this.varint();
    else if (wireType === FIXED64) this.#take(8);
    else if (wireType === DELIMITED) this.#take(this.varint());
    else if (wireType === FIXED32) this.#take(4);
    else throw new MalformedMessage(`wire type ${wireType} is none of proto3's`);
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  #take(size: number): number {
    const start = this.#at;
    if (size < 0 || size > this.#end - start) throw new MalformedMessage("the message ends too early");
    this.#at += size;
    return start;
  }
}

/** Writes Protocol Buffers' wire format. */
class Writer {
  readonly #out = new ByteBuffer();

  finish(): Buffer {
    return this.#out.bytesWritten();
  }

  tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** A whole number; negative ones take ten bytes, as the format has it. */
  varint(value: number): void {
    if (value < 0) return this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#out.byte((rest % 0x80) | 0x80);
    this.#out.byte(rest);
  }

  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#out.append(bytes);
  }

  string(text: string): void {
    const size = Buffer.byteLength(text);
    this.varint(size);
    this.#out.text(text, size);
  }

  /** Writes a part whose length goes before it. */
  writeDelimited(write: () => void): void {
    const start = this.#out.reserve(1);
    write();
    const size = this.#out.length - start - 1;
    const sizeOfLength = varintSize(size);
    // Most parts are shorter than 128 bytes. For longer ones the length needs more room than was reserved.
    if (sizeOfLength > 1) {
      this.#out.reserve(sizeOfLength - 1);
      this.#out.bytes.copyWithin(start + sizeOfLength, start + 1, start + 1 + size);
    }
    const end = this.#out.length;
    this.#out.rewind(start);
    this.varint(size);
    this.#out.rewind(end);
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.#out.byte(Number(rest & 0x7fn) | 0x80);
    this.#out.byte(Number(rest));
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

// Fields of one string, bytes, boolean or number.

interface ScalarCodec<T> {
  readonly wireType: number;
  readonly absent: T;
  isAbsent(value: T): boolean;
  put(writer: Writer, value: T): void;
  get(reader: MessageReader): T;
}

const stringScalar: ScalarCodec<string> = {
  wireType: DELIMITED,
  absent: "",
  isAbsent: (value) => value === "",
  put: (writer, value) => writer.string(value),
  get: (reader) => reader.string(),
};

const bytesScalar: ScalarCodec<Uint8Array> = {
  wireType: DELIMITED,
  absent: new Uint8Array(),
  isAbsent: (value) => value.length === 0,
  put: (writer, value) => writer.bytes(value),
  get: (reader) => reader.bytes(),
};

const boolScalar: ScalarCodec<boolean> = {
  wireType: VARINT,
  absent: false,
  isAbsent: (value) => !value,
  put: (writer, value) => writer.varint(value ? 1 : 0),
  get: (reader) => reader.varint() !== 0,
};

const integerScalar: ScalarCodec<number> = {
  wireType: VARINT,
  absent: 0,
  isAbsent: (value) => value === 0,
  put: (writer, value) => writer.varint(value),
  get: (reader) => reader.varint(),
};

function scalarField<T>(number: number, scalar: ScalarCodec<T>): Field<T> {
  return {
    number,
    wireType: scalar.wireType,
    absent: () => scalar.absent,
    write(writer, value) {
      if (scalar.isAbsent(value)) return;
      writer.tag(number, scalar.wireType);
      scalar.put(writer, value);
    },
    read: (reader) => scalar.get(reader),
  };
}

export const string = (number: number): Field<string> => scalarField(number, stringScalar);
export const bytes = (number: number): Field<Uint8Array> => scalarField(number, bytesScalar);
export const bool = (number: number): Field<boolean> => scalarField(number, boolScalar);
/** int64, int32 and enumerations. */
export const integer = (number: number): Field<number> => scalarField(number, integerScalar);

/** A scalar with presence: `optional`, and members of a `oneof`. */
function present<T>(number: number, scalar: ScalarCodec<T>): Field<T | undefined> {
  return {
    number,
    wireType: scalar.wireType,
    absent: () => undefined,
    write(writer, value) {
      if (value === undefined) return;
      writer.tag(number, scalar.wireType);
      scalar.put(writer, value);
    },
    read: (reader) => scalar.get(reader),
  };
}

export const optionalString = (number: number): Field<string | undefined> => present(number, stringScalar);
export const optionalInteger = (number: number): Field<number | undefined> => present(number, integerScalar);

/** One field of a message: its number, its codec, and its value if absent. Reading gives `Out`, and writing takes `In`. */
interface Field<Out, In = Out> {
  readonly number: number;
  readonly wireType: number;
  absent(): Out;
  /** Writes the field with its tag, or nothing if proto3 leaves a default out. */
  write(writer: Writer, value: In): void;
  /** Reads one occurrence; `previous` is the result of earlier ones. */
  read(reader: MessageReader, previous: Out): Out;
}

const NO_BYTES = new Uint8Array();

export function message<Out, In>(
  number: number,
  type: MessageType<Out, In>,
): Field<Out | undefined, In | undefined> {
  return {
    number,
    wireType: DELIMITED,
    absent: () => undefined,
    write(writer, value) {
      if (value === undefined) return;
      writer.tag(number, DELIMITED);
      writer.writeDelimited(() => type.write(writer, value));
    },
    read: (reader) => type.read(reader.part()),
  };
}

export function repeated<Out, In>(
  number: number,
  type: MessageType<Out, In>,
): Field<readonly Out[], readonly In[]> {
  return {
    number,
    wireType: DELIMITED,
    absent: (): readonly Out[] => [],
    write(writer, values) {
      for (const value of values) {
        writer.tag(number, DELIMITED);
        writer.writeDelimited(() => type.write(writer, value));
      }
    },
    read(reader, previous) {
      // The list is this message's own, made by `absent`; copying it for each element would take quadratic time.
      (previous as Out[]).push(type.read(reader.part()));
      return previous;
    },
  };
}

/** A map with strings for keys. */
export function map<Out, In>(
  number: number,
  type: MessageType<Out, In>,
): Field<ReadonlyMap<string, Out>, ReadonlyMap<string, In>> {
  const key = string(1);
  const value = message(2, type);
  return {
    number,
    wireType: DELIMITED,
    absent: () => new Map(),
    write(writer, entries) {
      for (const [name, entry] of entries) {
        writer.tag(number, DELIMITED);
        writer.writeDelimited(() => {
          key.write(writer, name);
          value.write(writer, entry);
        });
      }
    },
    read(reader, previous) {
      const entry = reader.part();
      let name = key.absent();
      let content: Out | undefined;
      while (!entry.done) {
        const { field, wireType } = entry.tag();
        if (field === key.number && wireType === key.wireType) name = key.read(entry, name);
        else if (field === value.number && wireType === value.wireType) content = value.read(entry, content);
        else entry.skip(wireType);
      }
      (previous as Map<string, Out>).set(name, content ?? type.read(new MessageReader(NO_BYTES)));
      return previous;
    },
  };
}

/** Reads and writes one kind of message. */
export interface MessageType<Out, In> {
  encode(message: In): Buffer;
  /** @throws MalformedMessage */
  decode(bytes: Uint8Array): Out;
  /** Reads to the end of the reader. */
  read(reader: MessageReader): Out;
  write(writer: Writer, message: In): void;
}

/** A table of fields: what the messages of one kind are made of. `any`: each field has types of its own. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Fields = Readonly<Record<string, Field<any, any>>>;

type OutOf<F extends Fields> = {
  readonly [N in keyof F]: F[N] extends Field<infer Out, infer _In> ? Out : never;
};
type InOf<F extends Fields> = {
  readonly [N in keyof F]?: (F[N] extends Field<infer _Out, infer In> ? In : never) | undefined;
};

/** A decoded message of this type. */
export type Decoded<M> = M extends MessageType<infer Out, infer _In> ? Out : never;
/** A message of this type to be encoded; any field may be left out. */
export type Draft<M> = M extends MessageType<infer _Out, infer In> ? In : never;

/** Defines a kind of message by its fields. */
export function defineMessage<F extends Fields>(fields: F): MessageType<OutOf<F>, InOf<F>> {
  const names = Object.keys(fields);
  const nameOf = new Map(names.map((name) => [(fields[name] as Fields[string]).number, name]));

  const write = (writer: Writer, message: InOf<F>): void => {
    for (const name of names) {
      const value: unknown = message[name];
      if (value !== undefined) (fields[name] as Fields[string]).write(writer, value);
    }
  };

  const read = (reader: MessageReader): OutOf<F> => {
    const message: Record<string, unknown> = {};
    for (const name of names) message[name] = (fields[name] as Fields[string]).absent();
    while (!reader.done) {
      const { field: number, wireType } = reader.tag();
      const name = nameOf.get(number);
      const field = name === undefined ? undefined : fields[name];
      if (name === undefined || field === undefined || field.wireType !== wireType) reader.skip(wireType);
      else message[name] = field.read(reader, message[name]);
    }
    return message as OutOf<F>;
  };

  return {
    write,
    read,
    encode(message) {
      const writer = new Writer();
      write(writer, message);
      return writer.finish();
    },
    decode: (bytes) => read(new MessageReader(bytes)),
  };
}

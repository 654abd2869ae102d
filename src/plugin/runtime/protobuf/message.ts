import { type Field } from "./field";
import { Reader } from "./reader";
import { Writer } from "./writer";

/** Reads and writes one kind of message. */
export interface MessageType<Out, In> {
  encode(message: In): Buffer;
  /** @throws MalformedMessage */
  decode(bytes: Uint8Array): Out;
  /** Reads all that the reader has. */
  read(reader: Reader): Out;
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

/** What decoding a message of this type gives. */
export type Decoded<M> = M extends MessageType<infer Out, infer _In> ? Out : never;
/** What encoding a message of this type takes; all of it may be left out. */
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

  const read = (reader: Reader): OutOf<F> => {
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
    decode: (bytes) => read(new Reader(bytes)),
  };
}

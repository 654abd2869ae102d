import { type MessageType } from "./message";
import { DELIMITED, Reader } from "./reader";
import { string } from "./scalar";
import { type Writer } from "./writer";

/**
 * One field of a message: its number, how it is written and read, and what it is when it is absent. `Out` is what reading
 * gives, `In` what writing takes.
 */
export interface Field<Out, In = Out> {
  readonly number: number;
  readonly wireType: number;
  absent(): Out;
  /** Writes the field with its tag, or nothing where proto3 leaves a default out. */
  write(writer: Writer, value: In): void;
  /** Reads one occurrence; `previous` is what earlier ones made. */
  read(reader: Reader, previous: Out): Out;
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
      writer.delimited(() => type.write(writer, value));
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
        writer.delimited(() => type.write(writer, value));
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
        writer.delimited(() => {
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
      (previous as Map<string, Out>).set(name, content ?? type.read(new Reader(NO_BYTES)));
      return previous;
    },
  };
}

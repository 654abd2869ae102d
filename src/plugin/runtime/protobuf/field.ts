import { type MessageType } from "./message";
import { DELIMITED, Reader, VARINT } from "./reader";
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

interface Scalar<T> {
  readonly wireType: number;
  readonly absent: T;
  isAbsent(value: T): boolean;
  put(writer: Writer, value: T): void;
  get(reader: Reader): T;
}

const NO_BYTES = new Uint8Array();

const stringScalar: Scalar<string> = {
  wireType: DELIMITED,
  absent: "",
  isAbsent: (value) => value === "",
  put: (writer, value) => writer.string(value),
  get: (reader) => reader.string(),
};

const bytesScalar: Scalar<Uint8Array> = {
  wireType: DELIMITED,
  absent: NO_BYTES,
  isAbsent: (value) => value.length === 0,
  put: (writer, value) => writer.bytes(value),
  get: (reader) => reader.bytes(),
};

const boolScalar: Scalar<boolean> = {
  wireType: VARINT,
  absent: false,
  isAbsent: (value) => !value,
  put: (writer, value) => writer.varint(value ? 1 : 0),
  get: (reader) => reader.varint() !== 0,
};

const integerScalar: Scalar<number> = {
  wireType: VARINT,
  absent: 0,
  isAbsent: (value) => value === 0,
  put: (writer, value) => writer.varint(value),
  get: (reader) => reader.varint(),
};

function plain<T>(number: number, scalar: Scalar<T>): Field<T> {
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

export const string = (number: number): Field<string> => plain(number, stringScalar);
export const bytes = (number: number): Field<Uint8Array> => plain(number, bytesScalar);
export const bool = (number: number): Field<boolean> => plain(number, boolScalar);
/** int64, int32 and enumerations. */
export const integer = (number: number): Field<number> => plain(number, integerScalar);

/** A scalar of which one can tell whether it was set: `optional`, and members of a `oneof`. */
function present<T>(number: number, scalar: Scalar<T>): Field<T | undefined> {
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
export const optionalBytes = (number: number): Field<Uint8Array | undefined> => present(number, bytesScalar);
export const optionalInteger = (number: number): Field<number | undefined> => present(number, integerScalar);

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
    read: (reader) => type.decode(reader.bytes()),
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
      (previous as Out[]).push(type.decode(reader.bytes()));
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
      const entry = new Reader(reader.bytes());
      let name = key.absent();
      let content: Out | undefined;
      while (!entry.done) {
        const { field, wireType } = entry.tag();
        if (field === key.number && wireType === key.wireType) name = key.read(entry, name);
        else if (field === value.number && wireType === value.wireType) content = value.read(entry, content);
        else entry.skip(wireType);
      }
      (previous as Map<string, Out>).set(name, content ?? type.decode(NO_BYTES));
      return previous;
    },
  };
}

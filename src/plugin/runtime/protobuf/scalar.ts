/** Fields that hold one string, some bytes, a truth or a number. */
import { type Field } from "./field";
import { DELIMITED, type Reader, VARINT } from "./reader";
import { type Writer } from "./writer";

interface Scalar<T> {
  readonly wireType: number;
  readonly absent: T;
  isAbsent(value: T): boolean;
  put(writer: Writer, value: T): void;
  get(reader: Reader): T;
}

const stringScalar: Scalar<string> = {
  wireType: DELIMITED,
  absent: "",
  isAbsent: (value) => value === "",
  put: (writer, value) => writer.string(value),
  get: (reader) => reader.string(),
};

const bytesScalar: Scalar<Uint8Array> = {
  wireType: DELIMITED,
  absent: new Uint8Array(),
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

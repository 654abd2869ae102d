/** Defines the functions that encode, decode and hash. */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { expressionFailed } from "../../../problems";
import {
  collectionOf,
  emptyObject,
  formatNumber,
  isNumber,
  isUnknown,
  type Marked,
  parseJson,
  sortedNames,
  type Value,
} from "../../values";
import { MAX_TEXT } from "../limits";
import type { ExpressionFunction } from "../scope";
import { checkDepth, define } from "./define";
import { text, value } from "./parameters";

const base64decode = define("base64decode", [text("str")], ([encoded]) =>
  textFromBytes(bytesFromBase64(encoded)),
);

const base64encode = define("base64encode", [text("str")], ([str]) => Buffer.from(str).toString("base64"));

const base64gunzip = define("base64gunzip", [text("str")], ([encoded]) => {
  const packed = bytesFromBase64(encoded);
  try {
    return textFromBytes(gunzipSync(packed, { maxOutputLength: MAX_TEXT }));
  } catch (error) {
    if (expressionFailed.is(error)) throw error;
    throw expressionFailed.error("the bytes are not made by gzip, or the string becomes too long", {
      cause: error,
    });
  }
});

/** The bytes differ from the output of Terraform's compressor; the unpacked content is the same. */
const base64gzip = define("base64gzip", [text("str")], ([str]) => gzipSync(str).toString("base64"));

const base64sha256 = define("base64sha256", [text("str")], ([str]) => hash("sha256", str, "base64"));

const base64sha512 = define("base64sha512", [text("str")], ([str]) => hash("sha512", str, "base64"));

/** A list of objects, by the names in the first line. */
const csvdecode = define("csvdecode", [text("str")], ([str]) => {
  const [names, ...lines] = readCsv(str);
  if (names === undefined) throw expressionFailed.error("there is no header line");
  if (new Set(names).size < names.length) throw expressionFailed.error("two columns have the same name");
  const members = new Map(names.map((name) => [name, { type: "string" as const }]));
  const rows = lines.map((line) => {
    const row: Record<string, Marked> = emptyObject();
    names.forEach((name, column) => (row[name] = line[column] ?? ""));
    return row;
  });
  return collectionOf<Marked[]>({ kind: "object", members }, rows);
});

function readCsv(str: string): string[][] {
  try {
    return parse(str, { relax_column_count: false, skip_empty_lines: true });
  } catch (error) {
    throw expressionFailed.error("this is not CSV, or its lines are not of the same length", {
      cause: error,
    });
  }
}

const jsondecode = define("jsondecode", [text("str")], ([str]) => {
  checkDepth(str);
  try {
    return parseJson(str.normalize());
  } catch (error) {
    throw error instanceof SyntaxError ? expressionFailed.error("this is not JSON", { cause: error }) : error;
  }
});

const jsonencode = define("jsonencode", [value("val")], ([val]) => writeJson(val));

const md5 = define("md5", [text("str")], ([str]) => hash("md5", str, "hex"));

const sha1 = define("sha1", [text("str")], ([str]) => hash("sha1", str, "hex"));

const sha256 = define("sha256", [text("str")], ([str]) => hash("sha256", str, "hex"));

const sha512 = define("sha512", [text("str")], ([str]) => hash("sha512", str, "hex"));

const textdecodebase64 = define(
  "textdecodebase64",
  [text("source"), text("encoding")],
  ([source, encoding]) => decodeText(Buffer.from(source, "base64"), encoding),
);

const textencodebase64 = define("textencodebase64", [text("string"), text("encoding")], ([str, encoding]) =>
  encodeText(str, encoding).toString("base64"),
);

/** As in a query: `+` becomes a space. */
const urldecode = define("urldecode", [text("str")], ([str]) => {
  if (/%(?![0-9a-fA-F]{2})/.test(str)) throw expressionFailed.error("there are no two hex digits behind a %");
  const bytes = str
    .replace(/\+/g, " ")
    .split(/%(..)/)
    .map((part, index) => Buffer.from(part, index % 2 === 0 ? "utf8" : "hex"));
  return textFromBytes(Buffer.concat(bytes));
});

/** As in a query: a space becomes `+`. */
const urlencode = define("urlencode", [text("str")], ([str]) =>
  encodeURIComponent(str)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+"),
);

/** `dns`, `url`, `oid` and `x500` are names of namespaces. */
const uuidv5 = define("uuidv5", [text("namespace"), text("name")], ([namespace, name]) => {
  const space = WELL_KNOWN.get(namespace) ?? namespace;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(space)) {
    throw expressionFailed.error(
      `the namespace must be a uuid, or one of ${[...WELL_KNOWN.keys()].join(", ")}`,
    );
  }
  const bytes = createHash("sha1")
    .update(Buffer.from(space.replace(/-/g, ""), "hex"))
    .update(name)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
});

const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["dns", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
  ["url", "6ba7b811-9dad-11d1-80b4-00c04fd430c8"],
  ["oid", "6ba7b812-9dad-11d1-80b4-00c04fd430c8"],
  ["x500", "6ba7b814-9dad-11d1-80b4-00c04fd430c8"],
]);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws expressionFailed if the text is not base64. */
function bytesFromBase64(encoded: string): Buffer {
  const str = encoded.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(str) || str.length % 4 !== 0)
    throw expressionFailed.error("this is not base64");
  return Buffer.from(str, "base64");
}

/** @throws expressionFailed if the bytes are not UTF-8. */
export function textFromBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes).normalize();
  } catch (error) {
    throw expressionFailed.error("the bytes are not UTF-8", { cause: error });
  }
}

const ENCODINGS: ReadonlyMap<string, BufferEncoding> = new Map([
  ["utf-8", "utf8"],
  ["utf-16le", "utf16le"],
  ["iso-8859-1", "latin1"],
  ["us-ascii", "ascii"],
]);

/** @throws expressionFailed if the encoding is not one that Node writes. */
function encodeText(text: string, encoding: string): Buffer {
  const name = ENCODINGS.get(encoding.toLowerCase());
  if (name === undefined) {
    throw expressionFailed.error(
      `the encoding must be one of ${[...ENCODINGS.keys()].join(", ").toUpperCase()}`,
    );
  }
  const bytes = Buffer.from(text, name);
  if (bytes.toString(name) !== text)
    throw expressionFailed.error(`the string cannot be written in ${encoding}`);
  return bytes;
}

/** Takes every encoding that browsers know. */
function decodeText(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes).normalize();
  } catch (error) {
    throw expressionFailed.error(`the bytes are not ${encoding}, or that encoding is not known`, {
      cause: error,
    });
  }
}

export function hash(
  algorithm: "md5" | "sha1" | "sha256" | "sha512",
  content: string | Uint8Array,
  encoding: "hex" | "base64",
): string {
  return createHash(algorithm).update(content).digest(encoding);
}

/** JSON as Terraform writes it: names in order, and the characters that mean something in HTML escaped. */
export function writeJson(value: Value): string {
  if (isUnknown(value)) return value.toJSON();
  if (isNumber(value)) return formatNumber(value);
  if (typeof value === "string") return writeText(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(writeJson).join(",")}]`;
  const object = value as Readonly<Record<string, Value>>;
  return `{${sortedNames(object)
    .map((name) => `${writeText(name)}:${writeJson(object[name] ?? null)}`)
    .join(",")}}`;
}

function writeText(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export const encodingFunctions: readonly ExpressionFunction[] = [
  base64decode,
  base64encode,
  base64gunzip,
  base64gzip,
  base64sha256,
  base64sha512,
  csvdecode,
  jsondecode,
  jsonencode,
  md5,
  sha1,
  sha256,
  sha512,
  textdecodebase64,
  textencodebase64,
  urldecode,
  urlencode,
  uuidv5,
];

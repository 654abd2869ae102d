import { isUnknown, type Value } from "../../../values";
import { sortedNames } from "../../text-order";
import { writeJson } from "./write-json";

/** YAML as Terraform writes it: block style, every text in quotes or as a literal block, names in order. */
export function writeYaml(value: Value): string {
  if (typeof value === "string") return `${scalar(value, "")}\n`;
  // A bare scalar could go on in the next line, so that the document's end is marked.
  if (!isStructure(value)) return `${scalar(value, "")}\n...\n`;
  return isEmpty(value) ? `${empty(value)}\n` : `${lines(value, "").join("\n")}\n`;
}

type Structure = readonly Value[] | Readonly<Record<string, Value>>;

function isStructure(value: Value): value is Structure {
  return typeof value === "object" && value !== null && !isUnknown(value);
}

function isEmpty(value: Structure): boolean {
  return Object.keys(value).length === 0;
}

function empty(value: Structure): string {
  return Array.isArray(value) ? "[]" : "{}";
}

function lines(value: Structure, indentation: string): string[] {
  if (Array.isArray(value))
    return (value as readonly Value[]).flatMap((element) => item(element, indentation));
  const object = value as Readonly<Record<string, Value>>;
  return sortedNames(object).flatMap((name) => member(name, object[name] ?? null, indentation));
}

/** The first line of a structure in a list stands behind the dash. */
function item(value: Value, indentation: string): string[] {
  if (!isStructure(value)) return [`${indentation}- ${scalar(value, indentation)}`];
  if (isEmpty(value)) return [`${indentation}- ${empty(value)}`];
  const [first = "", ...rest] = lines(value, `${indentation}  `);
  return [`${indentation}- ${first.trimStart()}`, ...rest];
}

function member(name: string, value: Value, indentation: string): string[] {
  const key = `${indentation}${JSON.stringify(name)}:`;
  if (!isStructure(value)) return [`${key} ${scalar(value, indentation)}`];
  if (isEmpty(value)) return [`${key} ${empty(value)}`];
  return [key, ...lines(value, Array.isArray(value) ? indentation : `${indentation}  `)];
}

function scalar(value: Value, indentation: string): string {
  if (typeof value === "string") return suitsBlock(value) ? block(value, indentation) : JSON.stringify(value);
  return writeJson(value);
}

/** Several lines, of characters that need no escape, and no space that would be lost at a line's end. */
function suitsBlock(text: string): boolean {
  return text.includes("\n") && !/ \n|[^\n\P{Cc}]|[\u2028\u2029\ufeff]|[\u{10000}-\u{10ffff}]/u.test(text);
}

function block(text: string, indentation: string): string {
  const body = text.replace(/\n$/, "").split("\n");
  const chomping = text.endsWith("\n") ? (/(?:\n|^)\n$/.test(text) ? "+" : "") : "-";
  const hint = /^[ \n]/.test(text) ? "2" : "";
  return [`|${hint}${chomping}`, ...body.map((line) => (line === "" ? "" : `${indentation}  ${line}`))].join(
    "\n",
  );
}

/** Defines the functions of YAML. */
import { parseDocument, type ScalarTag, type Tags } from "yaml";
import { expressionFailed } from "../../../problems";
import { emptyObject, isUnknown, normalNumber, sortedNames, type Value } from "../../values";
import type { ExpressionFunction } from "../scope";
import { formatInstant, parseInstant } from "./dates";
import { checkDepth, checkIndentation, define } from "./define";
import { writeJson } from "./encoding";
import { text, value } from "./parameters";

const yamldecode = define("yamldecode", [text("src")], ([src]) => readYaml(src));

const yamlencode = define("yamlencode", [value("value")], ([val]) => writeYaml(val));

/** @throws expressionFailed if the text is not one YAML document of plain data. */
function readYaml(text: string): Value {
  checkDepth(text);
  checkIndentation(text);
  try {
    const document = parseDocument(text, {
      version: "1.2",
      intAsBigInt: true,
      merge: true,
      uniqueKeys: false,
      logLevel: "error",
      // Quoting the text around each of a million errors would take hours.
      prettyErrors: false,
      customTags: (tags) => [...ADDITIONAL_TAGS, ...tags],
    });
    const [finding] = [...document.errors, ...document.warnings];
    if (finding) throw finding;
    if (document.contents === null) throw expressionFailed.error("the string contains no YAML document");
    return plainData(document.toJS({ mapAsMap: true, maxAliasCount: 100 }) as unknown);
  } catch (error) {
    if (expressionFailed.is(error)) throw error;
    throw expressionFailed.error("this is not a YAML document of plain data", { cause: error });
  }
}

function scalar(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve };
}

/** Terraform's additions to YAML's core schema: words of YAML 1.1, and times, which become texts. */
const ADDITIONAL_TAGS: Tags = [
  scalar("bool", /^(?:y|Y|yes|Yes|YES|on|On|ON)$/, () => true),
  scalar("bool", /^(?:n|N|no|No|NO|off|Off|OFF)$/, () => false),
  scalar("int", /^[-+]?\d[\d_]*$/, (text) => BigInt(text.replace(/[_+]/g, ""))),
  scalar("timestamp", /^\d{4}-\d\d?-\d\d?$/, (text) => {
    const [year = "", month = "", day = ""] = text.split("-");
    return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T00:00:00Z`;
  }),
  scalar("timestamp", /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[-+]\d\d:\d\d)$/, (text) =>
    formatInstant(parseInstant(text.toUpperCase())),
  ),
  { tag: "tag:yaml.org,2002:binary", resolve: (text: string) => text.replace(/\s/g, "") },
];

function plainData(data: unknown): Value {
  if (typeof data === "bigint") return normalNumber(data);
  if (typeof data === "number" && !Number.isFinite(data))
    throw expressionFailed.error("a number in it is not finite");
  if (typeof data === "string") return data.normalize();
  if (Array.isArray(data)) return data.map(plainData);
  if (!(data instanceof Map)) return (data ?? null) as Value;
  const object: Record<string, Value> = emptyObject();
  for (const [key, member] of data as Map<unknown, unknown>) object[String(key)] = plainData(member);
  return object;
}

/** YAML as Terraform writes it: block style, every text in quotes or as a literal block, names in order. */
function writeYaml(value: Value): string {
  if (typeof value === "string") return `${writtenScalar(value, "")}\n`;
  // A bare scalar could go on in the next line, so that the document's end is marked.
  if (!isStructure(value)) return `${writtenScalar(value, "")}\n...\n`;
  return hasNoMembers(value) ? `${empty(value)}\n` : `${lines(value, "").join("\n")}\n`;
}

type YamlStructure = readonly Value[] | Readonly<Record<string, Value>>;

function isStructure(value: Value): value is YamlStructure {
  return typeof value === "object" && value !== null && !isUnknown(value);
}

function hasNoMembers(value: YamlStructure): boolean {
  return Object.keys(value).length === 0;
}

function empty(value: YamlStructure): string {
  return Array.isArray(value) ? "[]" : "{}";
}

function lines(value: YamlStructure, indentation: string): string[] {
  if (Array.isArray(value))
    return (value as readonly Value[]).flatMap((element) => item(element, indentation));
  const object = value as Readonly<Record<string, Value>>;
  return sortedNames(object).flatMap((name) => memberLines(name, object[name] ?? null, indentation));
}

/** The first line of a structure in a list follows the dash. */
function item(value: Value, indentation: string): string[] {
  if (!isStructure(value)) return [`${indentation}- ${writtenScalar(value, indentation)}`];
  if (hasNoMembers(value)) return [`${indentation}- ${empty(value)}`];
  const [first = "", ...rest] = lines(value, `${indentation}  `);
  return [`${indentation}- ${first.trimStart()}`, ...rest];
}

function memberLines(name: string, value: Value, indentation: string): string[] {
  const key = `${indentation}${JSON.stringify(name)}:`;
  if (!isStructure(value)) return [`${key} ${writtenScalar(value, indentation)}`];
  if (hasNoMembers(value)) return [`${key} ${empty(value)}`];
  return [key, ...lines(value, Array.isArray(value) ? indentation : `${indentation}  `)];
}

function writtenScalar(value: Value, indentation: string): string {
  if (typeof value === "string")
    return suitsBlock(value) ? blockScalar(value, indentation) : JSON.stringify(value);
  return writeJson(value);
}

/** Several lines, of characters that need no escape, and no space that would be lost at a line's end. */
function suitsBlock(text: string): boolean {
  return text.includes("\n") && !/ \n|[^\n\P{Cc}]|[\u2028\u2029\ufeff]|[\u{10000}-\u{10ffff}]/u.test(text);
}

function blockScalar(text: string, indentation: string): string {
  const body = text.replace(/\n$/, "").split("\n");
  const chomping = text.endsWith("\n") ? (/(?:\n|^)\n$/.test(text) ? "+" : "") : "-";
  const hint = /^[ \n]/.test(text) ? "2" : "";
  return [`|${hint}${chomping}`, ...body.map((line) => (line === "" ? "" : `${indentation}  ${line}`))].join(
    "\n",
  );
}

export const yamlFunctions: readonly ExpressionFunction[] = [yamldecode, yamlencode];

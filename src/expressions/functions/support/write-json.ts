import { isNumber, isUnknown, type Value } from "../../../values";
import { formatNumber } from "../../decimal";
import { sortedNames } from "../../text-order";

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

import { emptyObject, isList, isObject, type Value } from "../../../values";

/** The form in which Terraform compares strings: composed accents. */
export function normalString(text: string): string {
  return text.normalize("NFC");
}

/** The value with all its strings, keys included, in normal form. */
export function normalForm(value: Value): Value {
  if (typeof value === "string") return normalString(value);
  if (isList(value)) return value.map(normalForm);
  if (!isObject(value)) return value;
  const object = emptyObject();
  for (const [key, member] of Object.entries(value)) object[normalString(key)] = normalForm(member);
  return object;
}

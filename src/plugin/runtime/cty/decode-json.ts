import { parse as parseLossless } from "lossless-json";
import { emptyObject, isList, isNumber, isObject, type Path, type Value } from "../../../values";
import { Malformed } from "./malformed";
import { type Recollection } from "./recollection";
import { parseType, type Type } from "./type";

/** Only a numeral of sixteen digits or more can lose something in `JSON.parse`. */
const LONG_NUMERAL = /\d[\d.]{15}/;

/** Parses JSON with every number exact: what a double cannot hold goes to the recollection. */
export function parseExact(text: string, recollection: Recollection): Value {
  try {
    if (!LONG_NUMERAL.test(text)) return JSON.parse(text) as Value;
    return parseLossless(text, undefined, (numeral) => recollection.readNumeral(numeral)) as Value;
  } catch (error) {
    throw new Malformed(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Reads a value of the given type from its JSON form, which is how states are stored. Where an object has other attributes
 * than its type, as after a change of the schema that needed no new version, the missing ones are null and the others
 * are dropped.
 * @throws Malformed where a value is of another type.
 */
export function valueFromJson(
  json: Value | undefined,
  type: Type,
  recollection: Recollection,
  path: Path = [],
): Value {
  if (json === null || json === undefined) {
    if (type === "dynamic") recollection.noteType(JSON.stringify(path), undefined);
    return null;
  }
  if (type === "dynamic") return dynamicFromJson(json, recollection, path);
  if (type === "number") return numberFromJson(json, recollection);
  if (type === "string" && typeof json === "string") return json;
  if (type === "bool" && typeof json === "boolean") return json;
  if (typeof type === "string") throw new Malformed(`a stored value is not of the type ${type}`);
  const part = (of: Type, step: string | number, member: Value | undefined): Value =>
    valueFromJson(member, of, recollection, [...path, step]);
  if (isList(json)) {
    if (type[0] === "list" || type[0] === "set")
      return json.map((element, index) => part(type[1], index, element));
    if (type[0] === "tuple") return type[1].map((member, index) => part(member, index, json[index]));
  }
  if (isObject(json) && (type[0] === "map" || type[0] === "object")) {
    const object = emptyObject();
    for (const name of Object.keys(type[0] === "map" ? json : type[1])) {
      const of = type[0] === "map" ? type[1] : (type[1][name] as Type);
      object[name] = part(of, name, Object.hasOwn(json, name) ? json[name] : null);
    }
    return object;
  }
  throw new Malformed(`a stored value is not of the type ${type[0]}`);
}

/** `{ "value": …, "type": … }` */
function dynamicFromJson(json: Value, recollection: Recollection, path: Path): Value {
  if (!isObject(json) || !Object.hasOwn(json, "type"))
    throw new Malformed("a stored value of any type lacks its type");
  const type = parseType(JSON.stringify(json["type"]));
  const value = valueFromJson(json["value"], type, recollection, path);
  if (type !== "dynamic") recollection.noteType(JSON.stringify(path), { type, isNull: value === null });
  return value;
}

function numberFromJson(json: Value, recollection: Recollection): Value {
  if (typeof json === "string") return recollection.readNumeral(json);
  if (!isNumber(json)) throw new Malformed("a stored value is not a number");
  return json;
}

/** The door to the value model: values, unknowns, paths, numbers, texts and JSON, which all other folders use. */
export { type Environment, secretsOf, withoutCredentials } from "./environment";
export { parseJson, stringifyJson, TooDeep } from "./json";
export { isInteger, isNumber, normalNumber, parseNumber } from "./number";
export { formatPath, parsePath, type Path, samePath, startsWith } from "./path";
export {
  compareText,
  hexOfSharedSecret,
  isAtLeast,
  isUuidText,
  nearest,
  normalForm,
  plainText,
  sortedNames,
} from "./text";
export {
  emptyObject,
  equal,
  frozen,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  type JsonType,
  type ObjectValue,
  setMember,
  Unknown,
  UNKNOWN,
  type Value,
  valueAt,
  withValueAt,
} from "./value";

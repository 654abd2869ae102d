/** Values, unknowns, paths and JSON: what every layer above speaks in. */
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

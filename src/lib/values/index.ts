/** The door to the value model: values, unknowns, paths, numbers, texts and JSON, which all other folders use. */
export { asInteger, asPrimitive, convert, Mismatch } from "./convert";
export { hideEnvironmentFromReports } from "./diagnostic-reports";
export { type Environment, isCi, secretsOf, withoutCredentials } from "./environment";
export { parseJson, parseUnambiguous, sortedJson, stringifyJson, TooDeep } from "./json";
export { KnownSecrets } from "./known-secrets";
export {
  allMarksOf,
  clearMark,
  EPHEMERAL,
  FROM_SNAPSHOT,
  isMarkedList,
  isMarkedObject,
  Mark,
  mark,
  type Marked,
  type MarkedObject,
  type Marks,
  marksOf,
  NO_MARKS,
  unwrap,
  SECRET,
  SENSITIVE,
} from "./marks";
export {
  add,
  type Decimal,
  divide,
  formatDecimal,
  formatNumber,
  fromDouble,
  isInteger,
  isNumber,
  MAX_BITS,
  multiply,
  normalNumber,
  parseDecimal,
  parseNumber,
  remainder,
  subtract,
  toDecimal,
  toNumber,
} from "./number";
export { onceForAlike, onceForEach } from "./once";
export { ownMember } from "./shape";
export * as shapes from "./shape";
export { Misshapen, type Shape, type Shaped } from "./shape";
export type {
  TerraformAttribute,
  TerraformAttributes,
  TerraformObjectType,
  TerraformSchema,
  TerraformType,
} from "./terraform";
export {
  camelCase,
  compareText,
  counted,
  durationText,
  escapedUnits,
  escapeUnseen,
  groupedBy,
  groupedDigits,
  hexOfSharedSecret,
  htmlEscaped,
  isAtLeast,
  isUuidText,
  nearest,
  normalForm,
  plainText,
  shellWord,
  shownName,
  strippedText,
  sortedNames,
} from "./text";
export {
  collectionOf,
  describeType,
  elementTypeOf,
  isSameType,
  jsonType,
  likewise,
  makeSet,
  type MemberType,
  type Primitive,
  type Type,
  typeOf,
  unify,
  ValueSet,
} from "./types";
export { bare, unmark, withoutEphemeral } from "./unmark";
export {
  emptyObject,
  equal,
  formatPath,
  frozen,
  isKnownAfterApply,
  isKnownText,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  type JsonType,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  parsePath,
  type Path,
  samePath,
  SENSITIVE_TEXT,
  setMember,
  startsWith,
  textOf,
  Unknown,
  UNKNOWN,
  UNKNOWN_TEXT,
  type Value,
  valueAt,
  withValueAt,
} from "./value";

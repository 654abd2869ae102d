/** Terraform's expression language: reads and evaluates what stands in the strings of a synthesized stack. No I/O but files. */
export { compile, type Compiled, type CompileOptions } from "./compile";
export { Templates } from "./json/templates";
export { convert, describeType, jsonType, parseType, typeOf, type JsonType, type Type } from "./conversions";
export { collectionOf } from "./element-type";
export { evaluate } from "./evaluation/evaluate";
export { areEqual } from "./evaluation/equality";
export type { Scope } from "./evaluation/scope";
export { FUNCTIONS } from "./functions";
export type { Environment, FunctionDefinition } from "./functions/definition";
export { define, defineStructural } from "./functions/definition";
export * as parameters from "./functions/parameter";
export {
  allMarksOf,
  EPHEMERAL,
  isMarkedList,
  isMarkedObject,
  mark,
  Mark,
  marksOf,
  NO_MARKS,
  peel,
  SENSITIVE,
  type Marked,
  type MarkedObject,
  type Marks,
} from "./marks";
export type { Expression } from "./node";
export { addressOf, type NamedReference, type ObjectReference, type Reference } from "./reference";
export { calls, references } from "./references";
export { makeSet, ValueSet } from "./set";
export { parseExpression, parseTemplate } from "./syntax";
export { bare, unmark, type Unmarked } from "./unmark";
export { compareText, sortedNames } from "./text-order";

/** Terraform's expression language: reads and evaluates what stands in the strings of a synthesized stack. No I/O but files. */
export { compile, type Compiled, Templates } from "./compile";
export { convert } from "./convert";
export { evaluate } from "./evaluate";
export { define, FUNCTIONS, parameters } from "./functions";
export { parseExpression } from "./grammar";
export { addressOf, type Expression, type Reference, references } from "./node";
export type { FunctionDefinition, Scope } from "./scope";
export { parseType } from "./type-constraint";
// The types of the language, and the marks on its values, which stand in `values`: who evaluates expressions needs them.
export {
  allMarksOf,
  bare,
  collectionOf,
  describeType,
  EPHEMERAL,
  isMarkedObject,
  jsonType,
  makeSet,
  mark,
  type Marked,
  marksOf,
  NO_MARKS,
  peel,
  SENSITIVE,
  type Type,
  typeOf,
  unmark,
  ValueSet,
} from "../values";

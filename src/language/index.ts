/**
 * The door to Terraform's expression language, which reads and evaluates the strings of a synthesized stack. The only I/O is reading files.
 */
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
  unwrap,
  SENSITIVE,
  type Type,
  typeOf,
  unmark,
  ValueSet,
} from "../values";

/**
 * The door to Terraform's expression language, which reads and evaluates the strings of a synthesized stack. The only I/O is reading files.
 */
export { compile, type Compiled, Templates } from "./compile";
export { convert } from "./convert";
export { evaluate } from "./evaluate";
export { define, FUNCTIONS, parameters } from "./functions";
export { parseExpression } from "./grammar";
export {
  allMarksOf,
  EPHEMERAL,
  isMarkedObject,
  mark,
  type Marked,
  marksOf,
  NO_MARKS,
  unwrap,
  SENSITIVE,
} from "./marks";
export { addressOf, type Expression, type Reference, references } from "./node";
export type { FunctionDefinition, Scope } from "./scope";
export { parseType } from "./type-constraint";
export { collectionOf, describeType, jsonType, makeSet, type Type, typeOf, ValueSet } from "./types";
export { bare, unmark } from "./unmark";

/** The door to Terraform's expression language, which reads and evaluates the strings of a synthesized stack. The only I/O is reading files. */
export { compile, type Compiled, Templates } from "./compile";
export { convertOrFail } from "./convert";
export { evaluate, parseType } from "./evaluate";
export { define, FUNCTIONS, parameters } from "./functions";
export { parseExpression } from "./grammar";
export { addressOf, type Expression, type Reference, references } from "./node";
export type { ExpressionFunction, Scope } from "./scope";

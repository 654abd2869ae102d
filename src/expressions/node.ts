/** The syntax tree of an expression. */
import type { Value } from "../values";
import type { Reference } from "./reference";

/** An expression or template, read and ready to be evaluated any number of times. */
export interface Expression {
  readonly text: string;
  readonly root: Node;
}

/** Offset in the text where the node begins, for messages. */
interface Placed {
  readonly at: number;
}

export interface Literal extends Placed {
  readonly kind: "literal";
  readonly value: Value;
}

/** Parts are written out as text and joined. */
export interface Template extends Placed {
  readonly kind: "template";
  readonly parts: readonly Node[];
}

/** `%{ for … }…%{ endfor }`: the body's text, once for each element. */
export interface TemplateFor extends Placed {
  readonly kind: "template-for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Node;
  readonly body: Node;
}

/** Something that the scope resolves. */
export interface ReferenceNode extends Placed {
  readonly kind: "reference";
  readonly reference: Reference;
}

/** A name that the expression itself binds, or the variables of a template file. */
export interface Bound extends Placed {
  readonly kind: "bound";
  readonly name: string;
}

export type Step =
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "index"; readonly key: Node }
  /** `[*]` or `.*`: the steps are taken from each element. */
  | { readonly kind: "splat"; readonly steps: readonly Step[] };

export interface Traverse extends Placed {
  readonly kind: "traverse";
  readonly from: Node;
  readonly steps: readonly Step[];
}

export interface Unary extends Placed {
  readonly kind: "unary";
  readonly operator: "-" | "!";
  readonly operand: Node;
}

export type BinaryOperator =
  "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

/** Operators of one precedence, from left to right: a chain is not deep, however long. */
export interface Chain extends Placed {
  readonly kind: "chain";
  readonly first: Node;
  readonly rest: readonly { readonly operator: BinaryOperator; readonly operand: Node }[];
}

export interface Conditional extends Placed {
  readonly kind: "conditional";
  readonly condition: Node;
  readonly yes: Node;
  readonly no: Node;
}

export interface Call extends Placed {
  readonly kind: "call";
  /** With its namespace, if it has one: `provider::tenancy::permissions_preset`. */
  readonly name: string;
  readonly args: readonly Node[];
  /** Whether the last argument is a list of further arguments. */
  readonly expand: boolean;
}

export interface Tuple extends Placed {
  readonly kind: "tuple";
  readonly elements: readonly Node[];
}

export interface ObjectNode extends Placed {
  readonly kind: "object";
  readonly members: readonly { readonly key: Node; readonly value: Node }[];
}

export interface For extends Placed {
  readonly kind: "for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Node;
  /** Set in the object form. */
  readonly key: Node | undefined;
  readonly value: Node;
  readonly condition: Node | undefined;
  /** Whether values of the same key are gathered in a list. */
  readonly group: boolean;
}

export type Node =
  | Literal
  | Template
  | TemplateFor
  | ReferenceNode
  | Bound
  | Traverse
  | Unary
  | Chain
  | Conditional
  | Call
  | Tuple
  | ObjectNode
  | For;

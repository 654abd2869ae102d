/** Defines the syntax tree of expressions, and finds the references in it. */
import { onceForEach, type Path, type Value } from "../values";

// Nodes.

/** An expression or template, read and ready to be evaluated any number of times. */
export interface Expression {
  readonly text: string;
  readonly root: Node;
}

/** Offset in the text where the node begins, for messages. */
interface AtOffset {
  readonly at: number;
}

export interface Literal extends AtOffset {
  readonly kind: "literal";
  readonly value: Value;
}

/** `%{ for … }…%{ endfor }`: the body's text, once for each element. */
export interface TemplateFor extends AtOffset {
  readonly kind: "template-for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Node;
  readonly body: Node;
}

export type Step =
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "index"; readonly key: Node }
  /** `[*]` or `.*`: the steps are taken from each element. */
  | { readonly kind: "splat"; readonly steps: readonly Step[] };

export interface Unary extends AtOffset {
  readonly kind: "unary";
  readonly operator: "-" | "!";
  readonly operand: Node;
}

export type BinaryOperator =
  "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

/** Operators of one precedence, from left to right: a chain is not deep, however long. */
export interface Chain extends AtOffset {
  readonly kind: "chain";
  readonly first: Node;
  readonly rest: readonly { readonly operator: BinaryOperator; readonly operand: Node }[];
}

export interface Conditional extends AtOffset {
  readonly kind: "conditional";
  readonly condition: Node;
  readonly yes: Node;
  readonly no: Node;
}

export interface FunctionCall extends AtOffset {
  readonly kind: "call";
  /** With its namespace, if it has one: `provider::tenancy::permissions_preset`. */
  readonly name: string;
  readonly args: readonly Node[];
  /** True if the last argument is a list of further arguments. */
  readonly expand: boolean;
}

export interface ObjectNode extends AtOffset {
  readonly kind: "object";
  readonly members: readonly { readonly key: Node; readonly value: Node }[];
}

export interface For extends AtOffset {
  readonly kind: "for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Node;
  /** Set in the object form. */
  readonly key: Node | undefined;
  readonly value: Node;
  readonly condition: Node | undefined;
  /** True if values of the same key are gathered in a list. */
  readonly group: boolean;
}

/** Nodes that no function names are written out here. */
export type Node =
  | Literal
  /** Parts are written out as text and joined. */
  | (AtOffset & { readonly kind: "template"; readonly parts: readonly Node[] })
  | TemplateFor
  /** Something that the scope resolves. */
  | (AtOffset & { readonly kind: "reference"; readonly reference: Reference })
  /** A name that the expression itself binds, or the variables of a template file. */
  | (AtOffset & { readonly kind: "bound"; readonly name: string })
  | (AtOffset & { readonly kind: "traverse"; readonly from: Node; readonly steps: readonly Step[] })
  | Unary
  | Chain
  | Conditional
  | FunctionCall
  | (AtOffset & { readonly kind: "tuple"; readonly elements: readonly Node[] })
  | ObjectNode
  | For;

// References: the edges of the dependency graph.

interface Traversal {
  /** The steps after the root that are certain before evaluation: names, keys and indexes. */
  readonly path: Path;
  /** The reference as it is written, for messages. */
  readonly sourceText: string;
}

/** `var.x`, `local.x`, `module.x`, `each.key`, `count.index`, `path.module`, `terraform.workspace`. */
export interface NamedReference extends Traversal {
  readonly kind: "variable" | "local" | "module" | "each" | "count" | "path" | "terraform";
  readonly name: string;
}

export type Reference =
  /** `tenancy_account.acme`, `data.tenancy_account.acme`, `ephemeral.tenancy_session_token.ci`. */
  | (Traversal & {
      readonly kind: "resource" | "data" | "ephemeral";
      readonly type: string;
      readonly name: string;
    })
  | NamedReference
  /** `self`, in a postcondition. */
  | (Traversal & { readonly kind: "self" });

const ADDRESS_WORDS = {
  variable: "var",
  local: "local",
  module: "module",
  each: "each",
  count: "count",
  path: "path",
  terraform: "terraform",
} as const;

/** Kinds of {@link NamedReference} by the word that begins them. */
export const NAMED_KINDS: ReadonlyMap<string, NamedReference["kind"]> = new Map(
  Object.entries(ADDRESS_WORDS).map(([kind, word]) => [word, kind as NamedReference["kind"]]),
);

/** The address in the configuration, without instance key: `data.tenancy_account.acme`, `var.region`. */
export function addressOf(reference: Reference): string {
  switch (reference.kind) {
    case "resource":
      return `${reference.type}.${reference.name}`;
    case "data":
    case "ephemeral":
      return `${reference.kind}.${reference.type}.${reference.name}`;
    case "self":
      return "self";
    case "variable":
    case "local":
    case "module":
    case "each":
    case "count":
    case "path":
    case "terraform":
      return `${ADDRESS_WORDS[reference.kind]}.${reference.name}`;
  }
}

// The references and needs of an expression, found without evaluating it.

/** Everything that the expression refers to, in the order of the text. */
export function references(expression: Expression): readonly Reference[] {
  return needsOf(expression).references;
}

/** The names of the functions that the expression calls. */
export function calls(expression: Expression): readonly string[] {
  return needsOf(expression).calls;
}

/** An expression may occur in many places. */
const needsOf = onceForEach(({ root }: Expression) => {
  const nodes = [...nodesOf(root)];
  return {
    references: nodes.flatMap((node) => (node.kind === "reference" ? [node.reference] : [])),
    calls: nodes.flatMap((node) => (node.kind === "call" ? [node.name] : [])),
  };
});

function* nodesOf(root: Node): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    waiting.push(...innerNodes(node).reverse());
  }
}

function innerNodes(node: Node): Node[] {
  switch (node.kind) {
    case "literal":
    case "reference":
    case "bound":
      return [];
    case "template":
      return [...node.parts];
    case "template-for":
      return [node.collection, node.body];
    case "traverse":
      return [node.from, ...node.steps.flatMap(keyNodes)];
    case "unary":
      return [node.operand];
    case "chain":
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case "conditional":
      return [node.condition, node.yes, node.no];
    case "call":
      return [...node.args];
    case "tuple":
      return [...node.elements];
    case "object":
      return node.members.flatMap(({ key, value }) => [key, value]);
    case "for":
      return [node.collection, node.key, node.value, node.condition].filter((part) => part !== undefined);
  }
}

function keyNodes(step: Step): Node[] {
  if (step.kind === "splat") return step.steps.flatMap(keyNodes);
  return step.kind === "index" ? [step.key] : [];
}

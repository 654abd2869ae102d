/** What a block refers to, and whether that makes sense where it stands. */
import { UndeclaredReference, Unsupported, type Whereabouts } from "../errors";
import { addressOf, FUNCTIONS, type Compiled, type Reference } from "../expressions";
import type { Findings } from "./findings";

/** What else means something inside a block. */
export interface Context {
  readonly each?: boolean;
  readonly count?: boolean;
  readonly self?: boolean;
}

export interface Known {
  /** Addresses of everything that can be referred to. */
  readonly addresses: ReadonlySet<string>;
  /** Full names of the functions of providers. */
  readonly functions: ReadonlySet<string>;
}

/** Checks the expressions of a block. @returns the addresses that it depends on */
export function dependenciesOf(
  expressions: readonly (Compiled | undefined)[],
  known: Known,
  context: Context,
  findings: Findings,
  where: Whereabouts,
): readonly string[] {
  const addresses = new Set<string>();
  for (const expression of expressions) {
    if (expression === undefined) continue;
    for (const call of expression.calls) {
      if (!FUNCTIONS.has(call) && !known.functions.has(call))
        findings.add(new Unsupported(`the function ${call}()`), where);
    }
    for (const reference of expression.references) {
      const problem = problemOf(reference, known, context);
      if (problem !== undefined) findings.add(problem, where);
      else if (isEdge(reference)) addresses.add(addressOf(reference));
    }
  }
  return [...addresses];
}

function isEdge({ kind }: Reference): boolean {
  return ["resource", "data", "ephemeral", "variable", "local"].includes(kind);
}

function problemOf(
  reference: Reference,
  { addresses }: Known,
  context: Context,
): UndeclaredReference | Unsupported | undefined {
  const text = reference.sourceText;
  switch (reference.kind) {
    case "module":
      return new Unsupported("modules");
    case "each":
      return context.each ? undefined : new UndeclaredReference(text, "stands where there is no for_each");
    case "count":
      return context.count ? undefined : new UndeclaredReference(text, "stands where there is no count");
    case "self":
      return context.self ? undefined : new UndeclaredReference(text, "stands outside a postcondition");
    case "path":
    case "terraform":
      return undefined;
    default: {
      const address = addressOf(reference);
      return addresses.has(address)
        ? undefined
        : new UndeclaredReference(text, "refers to nothing", suggestion(address, addresses));
    }
  }
}

/** Something of the same type that is declared. */
function suggestion(address: string, addresses: ReadonlySet<string>) {
  const type = address.slice(0, address.lastIndexOf(".") + 1);
  const alike = [...addresses].filter((other) => other.startsWith(type)).slice(0, 5);
  return alike.length === 0 ? {} : { advice: `Declared are: ${alike.join(", ")}.` };
}

/** What an expression refers to: the edges of the dependency graph. */
import type { Path } from "../values";

interface Traversal {
  /** The steps after the root that are certain before evaluation: names, keys and indexes. */
  readonly path: Path;
  /** The reference as it is written, for messages. */
  readonly sourceText: string;
}

/** `tenancy_account.acme`, `data.tenancy_account.acme`, `ephemeral.tenancy_session_token.ci`. */
export interface ObjectReference extends Traversal {
  readonly kind: "resource" | "data" | "ephemeral";
  readonly type: string;
  readonly name: string;
}

/** `var.x`, `local.x`, `module.x`, `each.key`, `count.index`, `path.module`, `terraform.workspace`. */
export interface NamedReference extends Traversal {
  readonly kind: "variable" | "local" | "module" | "each" | "count" | "path" | "terraform";
  readonly name: string;
}

/** `self`, in a postcondition. */
export interface SelfReference extends Traversal {
  readonly kind: "self";
}

export type Reference = ObjectReference | NamedReference | SelfReference;

const WORDS = {
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
  Object.entries(WORDS).map(([kind, word]) => [word, kind as NamedReference["kind"]]),
);

/** Where the thing stands in the configuration, without instance key: `data.tenancy_account.acme`, `var.region`. */
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
      return `${WORDS[reference.kind]}.${reference.name}`;
  }
}

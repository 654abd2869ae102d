import { EPHEMERAL, mark, type Marked } from "../marks";
import type { Reference } from "../reference";
import type { Scope } from "./scope";

/** The value of a reference's root; what only the engine can know, the scope tells. */
export function resolve(reference: Reference, scope: Scope): Marked {
  if (reference.kind === "path") return reference.name === "cwd" ? scope.folder : ".";
  if (reference.kind === "terraform") {
    return reference.name === "workspace" ? "default" : mark(scope.now !== undefined, EPHEMERAL);
  }
  return scope.resolve(reference);
}

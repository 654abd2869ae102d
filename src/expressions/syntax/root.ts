/** Reads a reference: the words at its root say what kind of thing it means. */
import type { Node, Step } from "../node";
import { NAMED_KINDS, type NamedReference, type Reference } from "../reference";
import type { Cursor } from "./cursor";
import { readSteps, staticPath } from "./steps";

/** The names that exist below a root, where they are few. */
const MEMBERS: Partial<Record<NamedReference["kind"], readonly string[]>> = {
  each: ["key", "value"],
  count: ["index"],
  path: ["module", "root", "cwd"],
  terraform: ["workspace", "applying"],
};

/** A traversal whose root name has been read already. */
export function readRoot(cursor: Cursor, root: string, at: number): Node {
  if (cursor.binds(root)) {
    return traverse({ kind: "bound", at, name: root }, readSteps(cursor), at);
  }
  const steps = readSteps(cursor);
  const sourceText = cursor.text.slice(at, cursor.at).trimEnd();
  let used = 0;
  const name = (what: string): string => {
    const step = steps[used++];
    if (step?.kind === "attribute") return step.name;
    throw cursor.error(`"${root}" must be followed by ${what}`, at, adviceFor(root, steps.length));
  };
  const rest = (): Pick<Reference, "path" | "sourceText"> => ({
    path: staticPath(steps.slice(used)),
    sourceText,
  });
  const reference = readReference(root, name, rest);
  if ("name" in reference && reference.kind in MEMBERS) {
    const known = MEMBERS[reference.kind as NamedReference["kind"]];
    if (known && !known.includes(reference.name)) {
      throw cursor.error(`there is no "${root}.${reference.name}"`, at, `There is: ${known.join(", ")}.`);
    }
  }
  return traverse({ kind: "reference", at, reference }, steps.slice(used), at);
}

function readReference(
  root: string,
  name: (what: string) => string,
  rest: () => Pick<Reference, "path" | "sourceText">,
): Reference {
  const kind = NAMED_KINDS.get(root);
  if (kind !== undefined) return { kind, name: name(`".name"`), ...rest() };
  if (root === "self") return { kind: "self", ...rest() };
  if (root === "data" || root === "ephemeral") {
    return { kind: root, type: name(`".type.name"`), name: name(`".type.name"`), ...rest() };
  }
  const type = root === "resource" ? name(`".type.name"`) : root;
  return { kind: "resource", type, name: name(`"." and the name of a resource`), ...rest() };
}

function adviceFor(root: string, steps: number): string | undefined {
  if (steps > 0 || NAMED_KINDS.has(root)) return undefined;
  return `A string must be in quotes; for the characters \${ themselves, write $\${.`;
}

function traverse(from: Node, steps: readonly Step[], at: number): Node {
  return steps.length === 0 ? from : { kind: "traverse", at, from, steps };
}

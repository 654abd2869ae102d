import { InvalidExpression, Unsupported } from "../../errors";
import { parseExpression } from "../../expressions";
import { isList, type ObjectValue, type Path, type Value } from "../../values";
import type { Lifecycle } from "../model";
import { withoutBraces, type BlockReader } from "./block-reader";
import type { Surroundings } from "./reading";

const NONE: Lifecycle = { preventDestroy: false, ignoreChanges: [], preconditions: [], postconditions: [] };

export interface LifecycleOptions {
  readonly surroundings: Surroundings;
  /** Whether the block is one of our resources, which cannot be created before they are destroyed. */
  readonly ours: boolean;
}

export function readLifecycle(
  reader: BlockReader,
  json: Value | undefined,
  { surroundings, ours }: LifecycleOptions,
): Lifecycle {
  return reader.objects(json, ["lifecycle"]).reduce((lifecycle, part): Lifecycle => {
    refuse(reader, part, ours);
    const postconditions = reader.conditions(part["postcondition"], "postcondition", {
      ...surroundings,
      self: true,
    });
    return {
      preventDestroy:
        lifecycle.preventDestroy || reader.flag(part["prevent_destroy"], ["lifecycle", "prevent_destroy"]),
      ignoreChanges: [...lifecycle.ignoreChanges, ...ignoredPaths(reader, part["ignore_changes"])],
      preconditions: [
        ...lifecycle.preconditions,
        ...reader.conditions(part["precondition"], "precondition", surroundings),
      ],
      postconditions: [...lifecycle.postconditions, ...postconditions],
    };
  }, NONE);
}

const KNOWN: ReadonlySet<string> = new Set([
  "//",
  "prevent_destroy",
  "ignore_changes",
  "precondition",
  "postcondition",
  "create_before_destroy",
  "replace_triggered_by",
]);

function refuse(reader: BlockReader, lifecycle: ObjectValue, ours: boolean): void {
  const path = ["lifecycle", "replace_triggered_by"];
  if (reader.list(lifecycle["replace_triggered_by"], path).length > 0) {
    reader.report(new Unsupported("replace_triggered_by"), path);
  }
  const before = ["lifecycle", "create_before_destroy"];
  if (reader.flag(lifecycle["create_before_destroy"], before) && ours) {
    reader.report(new Unsupported("create_before_destroy on our resources"), before);
  }
  for (const name of Object.keys(lifecycle)) {
    if (!KNOWN.has(name)) reader.report(new Unsupported(`"${name}" in lifecycle`), ["lifecycle", name]);
  }
}

/** An empty path stands for `all`. */
function ignoredPaths(reader: BlockReader, json: Value | undefined): readonly Path[] {
  if (json === undefined || json === null) return [];
  const attribute = ["lifecycle", "ignore_changes"];
  const entries = isList(json) ? json : [json];
  return entries.flatMap((entry) => {
    const text = reader.text(entry, attribute);
    if (text === undefined) return [];
    if (text === "all" || text === "*") return [[]];
    const path = pathOf(withoutBraces(text));
    if (path === undefined) {
      reader.report(new Unsupported(`the path "${text}" in ignore_changes`), attribute);
      return [];
    }
    return [path];
  });
}

/** `limits.vss_num`, `address["addr"][0]`: read as if it were an attribute of something. */
function pathOf(text: string): Path | undefined {
  try {
    const { root } = parseExpression(`self.${text}`);
    const origin = root.kind === "traverse" ? root.from : root;
    if (origin.kind !== "reference") return undefined;
    const steps = root.kind === "traverse" ? root.steps.length : 0;
    return origin.reference.path.length === steps ? origin.reference.path : undefined;
  } catch (error) {
    if (error instanceof InvalidExpression) return undefined;
    throw error;
  }
}

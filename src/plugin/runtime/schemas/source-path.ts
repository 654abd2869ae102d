import { type Path } from "../../../values";
import { type Block } from "./schema";

/**
 * As much of a path as Terraform can find in the source: blocks, and the first attribute in them. With a longer one it
 * points at the whole resource instead.
 */
export function sourcePath(block: Block, path: Path): Path {
  const [name, element] = path;
  if (typeof name !== "string" || !Object.hasOwn(block.blocks ?? {}, name)) return path.slice(0, 1);
  const nested = block.blocks?.[name];
  if (nested === undefined || nested.nesting === "set") return [name];
  if (nested.nesting === "single" || nested.nesting === "group") {
    return [name, ...sourcePath(nested.block, path.slice(1))];
  }
  return element === undefined ? [name] : [name, element, ...sourcePath(nested.block, path.slice(2))];
}

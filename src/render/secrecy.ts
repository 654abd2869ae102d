/** Tells which values of an object no output may show. */
import { attributeAt, type Attributes } from "../schema";
import { type Path, startsWith } from "../lib/values";

/** True if the value at a path, or a value that it is part of, is a secret. */
export type Secrecy = (path: Path) => boolean;

/** Secrecy by marks alone, without a description. */
export function markedSecrecy(markedPaths: readonly Path[]): Secrecy {
  return (path) => markedPaths.some((secret) => startsWith(path, secret));
}

/** @param markedPaths paths whose values come from something sensitive, besides what the description calls so */
export function secrecyOf(attributes: Attributes, markedPaths: readonly Path[]): Secrecy {
  const isMarked = markedSecrecy(markedPaths);
  return (path) =>
    isMarked(path) ||
    path.some((_step, index) => {
      const attribute = attributeAt(attributes, path.slice(0, index + 1));
      return attribute === undefined || attribute.sensitive || attribute.writeOnly;
    });
}

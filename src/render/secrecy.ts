/** Determines the values of an object that no output may show. */
import { attributeAt, type Attributes } from "../schema";
import { type Path, startsWith } from "../lib/values";

/** True if the value at a path, or a value that it is part of, is a secret. */
export type Secrecy = (path: Path) => boolean;

/** Secrecy by marks alone, without a description. */
export function markedSecrecy(markedPaths: readonly Path[]): Secrecy {
  return (path) => markedPaths.some((secret) => startsWith(path, secret));
}

/** @param markedPaths paths of values from sensitive sources, in addition to the description's sensitive attributes */
export function secrecyOf(attributes: Attributes, markedPaths: readonly Path[]): Secrecy {
  const isMarked = markedSecrecy(markedPaths);
  return (path) =>
    isMarked(path) ||
    path.some((_step, index) => {
      const attribute = attributeAt(attributes, path.slice(0, index + 1));
      return attribute === undefined || attribute.sensitive || attribute.writeOnly;
    });
}

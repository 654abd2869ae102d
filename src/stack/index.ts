/** The synthesized stack: read, checked and put in order. */
export * from "./manifest";
export * from "./model";
export { inOrder } from "./order";
export { readStack, type ReadOptions } from "./read-stack";
export * from "./types";

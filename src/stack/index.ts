/** The synthesized stack: read, checked and put in order. */
export * from "./manifest";
export * from "./model";
export * from "./read-stack";

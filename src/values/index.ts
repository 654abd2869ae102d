/** Values, unknowns, paths and JSON: what every layer above speaks in. */
export * from "./equal";
export * from "./json";
export * from "./number";
export * from "./path";
export * from "./unknown";
export * from "./value";

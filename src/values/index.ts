/** Values, unknowns, paths and JSON: what every layer above speaks in. */
export * from "./environment";
export * from "./equal";
export * from "./frozen";
export * from "./json";
export * from "./members";
export * from "./nearest";
export { TooDeep } from "./nesting";
export * from "./normal-form";
export * from "./number";
export * from "./path";
export * from "./plain-text";
export * from "./shared-secret";
export * from "./unknown";
export * from "./uuid-text";
export * from "./value";
export * from "./value-at";
export * from "./version";

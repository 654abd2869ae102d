/** Whose a live record is, told by its uuid. Pure: no state file, no I/O. */
export * from "./claim";
export * from "./natural-key";
export * from "./owner";
export * from "./uuid";

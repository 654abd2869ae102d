/** What goes wrong, and what to do about it. One class a file. */
export * from "./diagnostic";
export * from "./invalid-configuration";
export * from "./invalid-owner";
export * from "./tenancy-error";
export * from "./invalid-value";
export * from "./missing-attribute";
export * from "./unknown-attribute";

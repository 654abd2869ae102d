/** Presets of rights, and the provider function that gives them. */
export * from "./permissions-preset";
export * from "./preset";

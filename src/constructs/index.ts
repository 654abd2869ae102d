/** L1, generated from the provider's schema, and L2, by hand. */
export * from "./generated/l1";

/**
 * What a resource family offers to both engines. The embedded engine and the Terraform plugin call exactly this, and
 * nothing in it knows which of them is calling.
 */
export * from "./connection";
export * from "./container";
export * from "./family";
export * from "./inventory";
export * from "./live";
export * from "./proposal";
export * from "./readers";
export * from "./resource";
export * from "./token-keeper";
export * from "./writes";

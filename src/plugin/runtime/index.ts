/**
 * A Terraform provider in TypeScript: plugin protocol 6. An author writes a {@link Provider} and hands it to
 * {@link serveProvider}.
 */
export { type Type } from "./cty/type";
export { RefinedUnknown, type Bound, type Refinements } from "./cty/refinement";
export * from "./data-source";
export { type Diagnostic } from "./diagnostics";
export * from "./ephemeral-resource";
export * from "./function";
export * from "./function-failure";
export { type ProviderSource } from "./calls/host";
export { type PrivateState } from "./private-state";
export { type Fields, type Level, type Log } from "./process/log";
export * from "./provider";
export * from "./reattach";
export * from "./resource";
export { type Identity, type IdentityAttribute } from "./schemas/identity";
export * from "./schemas/schema";
export { type ConfigOf, type KnownConfigOf, type PlanOf, type StateOf } from "./schemas/value-of";
export { serveProvider } from "./serve";

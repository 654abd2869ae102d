/** From the provider's configuration to a connection: one service, seen with one credential. Used by both engines. */
export * from "./connect";
export * from "./settings";

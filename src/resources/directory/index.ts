/** The accounts and user profiles of a service, read with as few requests as possible. */
export * from "./coalescing-directory";
export * from "./directory";
export * from "./doubt";
export * from "./list-directory";
export * from "./primary";
export * from "./rights";
export * from "./snapshot";
export * from "./wholeness";

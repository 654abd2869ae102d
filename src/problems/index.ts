/**
 * The public module of all problems: the mistake, its place, and the advice. docs/manual/reference/errors.md explains each code; `tenancy explain` prints
 * its sections.
 */
export * from "./access";
export * from "./alike";
export * from "./api";
export * from "./approval";
export * from "./command";
export * from "./configuration";
export * from "./connection";
export * from "./drift";
export * from "./export";
export * from "./expression";
export * from "./guards";
export * from "./identity";
export * from "./ownership";
export * from "./permissions";
export * from "./pipeline";
export * from "./problem";
export * from "./report";
export * from "./shared-owner";
export * from "./snapshot";
export * from "./stack";
export * from "./state";
export * from "./tokens";
export * from "./words";

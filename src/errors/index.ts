/** What goes wrong, and what to do about it. One class a file. */
export * from "./diagnostic";
export * from "./invalid-configuration";
export * from "./tenancy-error";

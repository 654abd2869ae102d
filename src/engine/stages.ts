/** Passes on what the files of the stages share. */
export * from "./change";
export * from "./planned-object";
export * from "./target";

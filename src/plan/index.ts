/** Pure planning: what would change, who gains and loses which right, and whether a guard stops it. */
export * from "./access-changes";
export * from "./change";
export * from "./draft";
export * from "./fingerprint";
export * from "./frozen-plan";
export * from "./guards";
export * from "./plan";
export * from "./remembered";

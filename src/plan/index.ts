/** Pure planning: what would change, who gains and loses which right, and whether a guard stops it. */
export * from "./change";
export * from "./plan";

/** Effects: a plan carried out, in order, with bounded parallelism. */
export * from "./event";
export * from "./schedule";

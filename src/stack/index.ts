/** The synthesized stack: read, checked and put in order. */
export * from "./model";

/** A file of its own since package.json names it: the package's entry, with the constructs and no engine. */
export * from "./constructs";

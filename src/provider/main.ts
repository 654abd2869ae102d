/** A file of its own since it is the program that Terraform starts, and the entry of the provider's bundle. */
// Imported past the door of plugin-runtime/: nothing else is loaded before the greeting.
import { serveProvider } from "../lib/plugin-runtime/greeting";
import { schemaAnswer } from "./schema-answer";

void serveProvider(async () => {
  const { reduceMemory } = await import("./memory.js");
  reduceMemory();
  const { createProvider } = await import("./index.js");
  return createProvider(process.env);
}, schemaAnswer);

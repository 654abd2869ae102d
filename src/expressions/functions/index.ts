/** The functions of the language, by name. */
import * as all from "./all";
import type { FunctionDefinition } from "./definition";

export const FUNCTIONS: ReadonlyMap<string, FunctionDefinition> = new Map(
  Object.values(all).map((definition) => [definition.name, definition]),
);

import { nearest } from "../values";
import { TenancyError } from "./tenancy-error";

/** The app synthesized no stack of that name. */
export class UnknownStack extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_STACK";
  static readonly explanation = `
A stack was named that the app does not synthesize. Names are those given to \`new TerraformStack(app, "name")\`; patterns with \`*\` are
matched against them. An app with one stack needs no name.`;

  /** @param orFile whether it might have been a file as well */
  constructor(name: string, known: readonly string[], { orFile = false } = {}) {
    super(orFile ? `there is neither a stack nor a file "${name}"` : `there is no stack "${name}"`, {
      advice: adviceOn(name, known),
    });
  }
}

function adviceOn(name: string, known: readonly string[]): string {
  if (known.length === 0) return "The app synthesizes no stack.";
  const near = nearest(name, known);
  const question = near === undefined ? "" : `Did you mean ${near}? `;
  return `${question}The stacks are: ${known.join(", ")}.`;
}

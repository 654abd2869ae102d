import { nearest } from "../values";
import { TenancyError } from "./tenancy-error";

/** Which stack is meant cannot be told. */
export class UnknownStack extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_STACK";
  static readonly explanation = `
The command line names a stack that the app does not have, or none although the app has several. Name one or more of those there are;
patterns such as \`prod-*\` match several. Nothing was sent to the service.`;

  /** @param pattern as it was typed; undefined where none was */
  constructor(pattern: string | undefined, stacks: readonly string[]) {
    const near = pattern === undefined ? undefined : nearest(pattern, stacks);
    super(
      pattern === undefined
        ? stacks.length === 0
          ? "the app has no stack"
          : "the app has several stacks, and none of them is named"
        : `the app has no stack "${pattern}"`,
      {
        ...(stacks.length > 0 && {
          advice: near === undefined ? `There are: ${stacks.join(", ")}.` : `Did you mean "${near}"?`,
        }),
      },
    );
  }
}

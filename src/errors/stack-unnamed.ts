import { TenancyError } from "./tenancy-error";

/** The app has no stack, or several and none of them is named. */
export class StackUnnamed extends TenancyError {
  static readonly code = "TENANCY_STACK_UNNAMED";
  static readonly explanation = `
The command line names no stack, and the app has none or several. Name one or more of those there are; patterns such as \`prod-*\`
match several. An app with one stack needs no name. Nothing was sent to the service.`;

  constructor(stacks: readonly string[]) {
    super(
      stacks.length === 0 ? "the app has no stack" : "the app has several stacks, and none of them is named",
      stacks.length === 0
        ? { advice: 'Add one to the app: new TerraformStack(app, "platform").' }
        : { advice: `The stacks are: ${stacks.join(", ")}. Name those that you mean.` },
    );
  }
}

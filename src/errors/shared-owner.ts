import { TenancyError } from "./tenancy-error";

/** Two stacks of one app have the same owner at the same service. */
export class SharedOwner extends TenancyError {
  static readonly code = "TENANCY_SHARED_OWNER";
  static readonly explanation = `
Records are recognised as a stack's own by its \`owner\`, and by its \`previous_owners\`. Two stacks with one owner at one service, be it the
present or a previous one, would each take the other's records for its own leftovers, and delete them. Give each stack owners of its own. A stack
that takes over from another may name the other's owner in \`previous_owners\` once that stack is gone, or has another owner.`;

  constructor(stack: string, other: string) {
    const [first, second] = [stack, other].sort();
    super(
      `the stacks "${first}" and "${second}" have the same owner, present or previous, at the same service`,
      {
        advice: "Give each stack an owner of its own, and no previous owner that another stack has.",
      },
    );
  }
}

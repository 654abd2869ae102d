import { TenancyError } from "./tenancy-error";

/** Two stacks of one app have the same owner at the same service. */
export class SharedOwner extends TenancyError {
  static readonly code = "TENANCY_SHARED_OWNER";
  static readonly explanation = `
Records are recognised as a stack's own by its \`owner\`. Two stacks with one owner at one service would each take the other's records for
its own leftovers, and delete them. Give each stack an owner of its own; a stack that takes over from another names the other's owner in
\`previous_owners\`.`;

  constructor(stack: string, other: string) {
    const [first, second] = [stack, other].sort();
    super(`the stacks "${first}" and "${second}" have the same owner at the same service`, {
      advice: "Give each stack an owner of its own.",
    });
  }
}

/** Problems of stacks or provider configurations that share an owner: each would delete the objects that only the other one declares. */
import { problem } from "./problem";

/** Two provider configurations of one stack have the same owner, or of two stacks of an app at one service. */
export const sharedOwner = problem<{
  of: "stacks" | "provider configurations";
  /** `tenancy` or `tenancy.alias`; of a stack, its name. */
  first: string;
  second: string;
}>({
  code: "TENANCY_SHARED_OWNER",
  summary: ({ of, first, second }) => {
    const names =
      of === "stacks" ? [first, second].sort().map((name) => JSON.stringify(name)) : [first, second];
    return `the ${of} ${names.join(" and ")} have the same owner, and no state`;
  },
  advice: ({ of, first }) =>
    of === "stacks"
      ? "Give each stack an owner of its own."
      : `Declare all objects of this owner through ${first}, or give each of them an owner of its own.`,
});

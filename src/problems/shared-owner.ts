/** Problems of stacks or provider configurations that share an owner: each would delete the objects that only the other one declares. */
import { problem } from "./problem";

/** Two provider configurations, of one stack or of two stacks of an app, have the same owner at the same service. */
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
    return `the ${of} ${names.join(" and ")} have the same owner at the same service`;
  },
  advice: ({ of, first }) =>
    of === "stacks"
      ? "Give each stack an owner of its own."
      : `Declare all objects of this owner through ${first}, or give each of them an owner of its own.`,
});

/** Two provider configurations of a stack use two addresses for one service. */
export const twoAddresses = problem<{
  first: { readonly name: string; readonly origin: string };
  second: { readonly name: string; readonly origin: string };
  owner: string;
  /** A record that both show, as in `account "acme"`. */
  common: string;
}>({
  code: "TENANCY_TWO_ADDRESSES",
  attribute: ["base_url"],
  summary: ({ first, second }) =>
    `the provider configurations ${first.name} (${first.origin}) and ${second.name} (${second.origin}) use two addresses for one service`,
  detail: ({ common, owner }) =>
    `Both show the ${common}: the same id, uuid, serial and creation time. ` +
    `Both have the owner ${JSON.stringify(owner)}, so each would delete the objects that only the other one declares.`,
  advice: ({ first }) =>
    `Declare all objects of this owner through ${first.name}, or give each of them an owner of its own. ` +
    "If they are two services, and one is a copy of the other, declare each in a stack of its own.",
});

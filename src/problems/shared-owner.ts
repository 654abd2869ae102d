/** Problems of stacks or provider configurations that share an owner: each takes what only the other one declares for its own leftovers. */
import { problem, warning } from "./problem";

/** Two stacks of one app have the same owner at the same service. */
export const sharedOwner = problem<{ stack: string; other: string }>({
  code: "TENANCY_SHARED_OWNER",
  summary: ({ stack, other }) => {
    const [first, second] = [stack, other].sort();
    return `the stacks "${first}" and "${second}" have the same owner, present or previous, at the same service`;
  },
  advice: "Give each stack an owner of its own, and no previous owner that another stack has.",
});

/** A provider configuration, or the stack that it is in, and the service that it names. */
interface NamedService {
  /** `tenancy` or `tenancy.alias`; of a stack, its name. */
  readonly name: string;
  readonly origin: string;
}

function bothNamed(
  what: "providers" | "stacks",
  { first, second }: { first: NamedService; second: NamedService },
): string {
  const shown = what === "stacks" ? (name: string) => JSON.stringify(name) : (name: string) => name;
  return `the ${what} ${shown(first.name)} (${first.origin}) and ${shown(second.name)} (${second.origin})`;
}

/** Two provider configurations, of a stack or of two, name one service by two addresses. A warning where that is likely, and not certain. */
export const twoAddresses = problem<{
  of: "providers" | "stacks";
  first: NamedService;
  second: NamedService;
  owner: string;
  /** A record that both show, as in `account "acme"`. */
  common: string;
  isCertain: boolean;
}>({
  code: "TENANCY_TWO_ADDRESSES",
  attribute: ["base_url"],
  summary: (facts) =>
    `${bothNamed(facts.of, facts)} ${facts.isCertain ? "name" : "may name"} one service by two addresses`,
  detail: ({ common, owner, isCertain }) =>
    `Both show the ${common}: the same id, uuid, serial and creation time. ` +
    (isCertain
      ? `Both have the owner ${JSON.stringify(owner)}, so each would delete what only the other one declares.`
      : `Both have the owner ${JSON.stringify(owner)}. If they are one service, the runs after the first apply are refused.`),
  advice: ({ of, isCertain }, say) =>
    of === "stacks"
      ? "Declare in one stack what belongs to this owner, or give each stack an owner of its own. If they are two services, and one is a copy of the other, declare each in an app of its own."
      : isCertain
        ? `Give both the same ${say.name("base_url")}. If they are two services, and one is a copy of the other, declare each in a stack of its own.`
        : `If they are one service, give both the same ${say.name("base_url")} before the first apply. If they are two, there is nothing to do.`,
});

/** Whether the service of another stack with the same owner is this one by another address could not be found out. */
export const otherStackNotVerified = warning<{
  first: NamedService;
  second: NamedService;
  owner: string;
  /** What the other stack declares and this plan does not keep, as in `user profile "joe@acme"`. */
  declares: readonly string[];
  /** Why nobody can tell. */
  why: string;
}>({
  code: "TENANCY_OTHER_STACK_NOT_VERIFIED",
  title: "Another stack of the project could not be verified",
  attribute: ["base_url"],
  summary: (both) => `${bothNamed("stacks", both)} may name one service by two addresses`,
  detail: ({ second, owner, declares, why }) =>
    `Both have the owner ${JSON.stringify(owner)}, and "${second.name}" declares ${declares.join(", ")}, which this plan takes for undeclared. ` +
    `Whether they are one service is not known: ${why}.`,
  advice: ({ second }) =>
    `If they are one service, do not apply this: it would delete what "${second.name}" declares. If they are two, there is nothing to do.`,
});

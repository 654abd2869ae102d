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
  explain: `
Records are recognised as a stack's own by its \`owner\`, and by its \`previous_owners\`. Two stacks with one owner at one service, be it the
present or a previous one, would each take the other's records for its own leftovers, and delete them. Give each stack owners of its own. A stack
that takes over from another may name the other's owner in \`previous_owners\` once that stack is gone, or has another owner.`,
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
  explain: `
Two provider configurations of one stack, or of two stacks of an app, have resources and a common owner, and name different addresses (\`localhost\` and \`127.0.0.1\`, a name
and its alias) that show the same records. What is ours at a service and not declared for it is deleted, so each configuration would delete
what only the other one declares. Nothing was written. Give both configurations the same \`base_url\`. Two stacks with one owner at one address are
refused, too: declare in one stack what belongs to the owner, or give each stack an owner of its own. Stacks are looked at where a plan would
delete, or list as retained, what the other stack declares.

The credential store keeps tokens for each address by itself. A token that was created under the address that you give up is created again, and the
plan says so. Revoke the old one before you change the address: \`tenancy token list\` shows it, and \`tenancy token revoke\` revokes it.

It is an error where a record that we made has the same uuid, id, serial and creation time at both addresses. Uuids and ids may be the same at two
services; serials and creation times are not. It is a warning where nothing of ours is live yet, and the records that the service came with are
the same: two installations of one image may have those in common. A service that was restored from the backup of another one has all its
records, and cannot be told from it: declare each of the two in a stack of its own, and where it has the same owner, in an app of its own.

A provider configuration without resources, such as one for data sources, may name another address: nothing is deleted through it.`,
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
  explain: `
Two stacks of an app have a common owner and name different addresses. The plan of one would delete, or lists as retained, what the other declares. If
both addresses are one service, the apply would delete what the other stack has made. The services themselves can tell, by records of ours that
both show, but the other one could not be asked, gave lists that may be incomplete, or shows nothing of ours to the other stack's credentials. Let the
run have the credentials of both (\`TENANCY_PASSWORD__…\` for each service), or make sure that they are two services. Give each stack an owner of its own,
and nobody has to ask.`,
});

/** Errors and warnings of looking for drift. */
import { shellWord } from "../lib/values";
import { problem, warning } from "./problem";
import { sentences, type Words } from "./words";

/** The state was replaced each time while the service was read. */
export const stateUnsettled = problem<{
  /** As in "platform/state.json" or "kept by vault-helper". */
  state: string;
  /** Number of attempts to read both. */
  attempts: number;
}>({
  code: "TENANCY_STATE_LOCKED",
  summary: ({ state, attempts }) =>
    `the state ${state} was written while the service was read, ${attempts} times in a row`,
  advice: "Run again when the other run has ended.",
});

/** `--ignore` names something that has not drifted. */
export const ignoresNothing = warning<string>({
  code: "TENANCY_IGNORES_NOTHING",
  title: "A pattern of --ignore matches nothing",
  summary: (pattern) => `--ignore ${JSON.stringify(pattern)} matches nothing`,
  advice: "Leave it out, or write the address as the report does.",
});

/** Undeclared privileges of one object. */
interface UndeclaredPrivileges {
  readonly stack: string;
  /** Login of the user, or name of the account. */
  readonly login: string;
  /** Each with its name, and as it is shown: "level 3 -> 5". */
  readonly privileges: readonly { readonly name: string; readonly text: string }[];
}

/** A warning: undeclared privileges were changed outside Tenancy. */
export const privilegesChanged = warning<UndeclaredPrivileges>({
  code: "TENANCY_PRIVILEGES_CHANGED",
  title: "Undeclared privileges were changed outside Tenancy",
  summary: ({ login, privileges }) =>
    `undeclared privileges of ${JSON.stringify(login)} were changed outside Tenancy: ${privileges.map(({ text }) => text).join(", ")}`,
  advice: (facts, say) =>
    sentences("Declare them, change them back at the service, or accept them.", acceptance(facts, say)),
});

/** Longer commands accept all of a user's privileges. */
const MOST_ACCEPTED_BY_NAME = 3;

function acceptance({ stack, login, privileges }: UndeclaredPrivileges, say: Words): string | undefined {
  const names =
    privileges.length > MOST_ACCEPTED_BY_NAME
      ? [`${login}.*`]
      : privileges.map(({ name }) => `${login}.${name}`);
  return say.command(`To accept: ${acceptCommand(stack, names)}`);
}

/** @param names of privileges, such as `jane@acme.level` */
export function acceptCommand(stack: string, names: readonly string[]): string {
  return ["tenancy drift", shellWord(stack), ...names.map((name) => `--accept ${shellWord(name)}`)].join(" ");
}

/** `--accept` names a privilege that needs no acceptance. */
export const acceptsNothing = problem<{
  name: string;
  /** Names of privileges that can be accepted. */
  acceptable: readonly string[];
}>({
  code: "TENANCY_UNKNOWN_NAME",
  summary: ({ name }) => `--accept ${JSON.stringify(name)} matches no changed undeclared privilege`,
  advice: ({ acceptable }) => {
    const more = acceptable.length - MOST_SUGGESTED;
    const names = acceptable.slice(0, MOST_SUGGESTED).join(", ");
    return acceptable.length === 0
      ? "Nothing was accepted. There is no such privilege."
      : `Nothing was accepted. These can be: ${names}${more > 0 ? `, and ${more} more` : ""}.`;
  },
});

const MOST_SUGGESTED = 10;

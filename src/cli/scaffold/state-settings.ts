/** Settings that the pipelines of every host need: the keys and branches of the states. */
import { type Place, stateBranch } from "../../pipeline";

export interface SettingsPlan {
  readonly stacks: readonly {
    readonly name: string;
    /** Scheme, host and port of its service; undefined if that is not known. */
    readonly origin?: string | undefined;
  }[];
  readonly place: Place;
  /** As CODEOWNERS names them; undefined if no owners are configured. */
  readonly codeOwners: string | undefined;
  readonly defaultBranch: string;
}

/**
 * Makes the key of each stack's state in a file that git ignores, unless it is there already, and the branches. The only copy of a key is never deleted.
 * @param handOver the command that gives a key to an environment
 */
export function stateSettings(
  { stacks, place }: SettingsPlan,
  handOver: (secret: string, environment: string, file: string) => string,
): string {
  const keys = stacks.map(({ name }) => {
    const file = `state-key-${place.prefix}${name}`;
    const environments = ["", "-read", "-ended"].map((ending) => place.prefix + name + ending);
    return `test -s ${file} || (umask 077 && npx tenancy key new > ${file})
${environments.map((environment) => handOver("TENANCY_STATE_KEY", environment, file)).join("\n")}
TENANCY_STATE=git:origin/${stateBranch(place)} TENANCY_STATE_KEY="$(cat ${file})" npx tenancy state init ${name}`;
  });
  return `# The keys of the states, and a branch for each.
${keys.join("\n")}

# Put each state-key-... and snapshot-key into your team's password manager: lost keys cannot be recovered. Only then: rm state-key-* snapshot-key
# To prove that a key opens the state: TENANCY_STATE=git:origin/${stateBranch(place)} TENANCY_STATE_KEY=... npx tenancy state status ${stacks.length === 1 ? (stacks[0]?.name ?? "") : "STACK"}`;
}

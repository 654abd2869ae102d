import { seriesOf, uuidVersion } from "../../../src/ownership";
import type { Invariant } from "./invariant";

export const uniqueness: Invariant = {
  title: "no two live records share a series of uuids, or a key",
  violations: ({ after: { accounts, profiles }, makers }) => [
    ...twice([...accounts.values()].map(({ name }) => `account ${name}`)),
    ...twice([...profiles.values()].map(({ login }) => `user ${login}`)),
    ...twice(
      [...accounts.values(), ...profiles.values()]
        // Others may make a twin of our user.
        .filter(({ serial }) => !makers.has(serial))
        .filter(({ uuid }) => [5, 8].includes(uuidVersion(uuid) ?? 0))
        .map(({ uuid }) => `series ${seriesOf(uuid)}`),
    ),
  ],
};

function twice(names: readonly string[]): readonly string[] {
  const earlier = new Set<string>();
  return names
    .filter((name) => earlier.has(name) || !earlier.add(name))
    .map((name) => `there are two of ${name}`);
}

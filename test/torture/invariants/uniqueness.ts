import type { Invariant } from "./invariant";

export const uniqueness: Invariant = {
  title: "no two live records share a key",
  violations: ({ after: { accounts, profiles } }) => [
    ...twice([...accounts.values()].map(({ name }) => `account ${name}`)),
    ...twice([...profiles.values()].map(({ login }) => `user ${login}`)),
  ],
};

function twice(names: readonly string[]): readonly string[] {
  const earlier = new Set<string>();
  return names
    .filter((name) => earlier.has(name) || !earlier.add(name))
    .map((name) => `there are two of ${name}`);
}

/** The records of the service at one moment, and the differences between two moments. */
import type { Account, Authorization, Simulator, UserProfile } from "../../../src/lib/simulator";

export interface Snapshot {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly profiles: ReadonlyMap<string, UserProfile>;
  readonly tokens: ReadonlyMap<string, Authorization>;
}

/** A record that came, went or was changed. */
export type Commit =
  Committed<"account", Account> | Committed<"profile", UserProfile> | Committed<"token", Authorization>;

interface Committed<Kind extends string, Row> {
  readonly kind: Kind;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

export function snapshotOf({ records }: Simulator): Snapshot {
  return {
    accounts: byId(records.accounts),
    profiles: byId(records.profiles),
    tokens: byId(records.authorizations),
  };
}

/** Stored records never change, they are replaced: two that are the same object are the same. */
export function commitsBetween(before: Snapshot, after: Snapshot): readonly Commit[] {
  return [
    ...differences(before.accounts, after.accounts).map((pair): Commit => ({ kind: "account", ...pair })),
    ...differences(before.profiles, after.profiles).map((pair): Commit => ({ kind: "profile", ...pair })),
    ...differences(before.tokens, after.tokens).map((pair): Commit => ({ kind: "token", ...pair })),
  ];
}

function differences<Row>(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>) {
  const ids = new Set([...before.keys(), ...after.keys()]);
  return [...ids]
    .map((id) => ({ before: before.get(id), after: after.get(id) }))
    .filter((pair) => pair.before !== pair.after);
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

export function accountNamed({ accounts }: Snapshot, name: string): Account | undefined {
  return [...accounts.values()].find((account) => account.name === name);
}

export function profileWithLogin({ profiles }: Snapshot, login: string): UserProfile | undefined {
  return [...profiles.values()].find((profile) => profile.login === login);
}

/** The token with a serial number: a restored service gives ids again. */
export function tokenWith(serial: string, { tokens }: Snapshot): Authorization | undefined {
  return [...tokens.values()].find((token) => token.serial === serial);
}

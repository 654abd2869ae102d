/** One apply in which everything happens, for tests that go through its requests one by one. */
import { edited, NOTHING, type Declaration, type Edit } from "../model/declaration";
import { ALL_ALLOWED, type ServiceTraits } from "../model/history";

export const SERVICE: ServiceTraits = {
  contacts: "names",
  accountDelete: "cascade",
  duplicateStatus: 409,
  reuseUuids: false,
  revocation: true,
  revokes: "as asked",
  suspendedStatus: 403,
  passwordEndsTokens: false,
  describeCaller: { permissions: true, user: true },
};

/** Requests of two runs share the limit of the process: one that is held must not hold up the others. */
export const APPLY = { verb: "apply", flags: ALL_ALLOWED, faults: [], parallelism: 4 } as const;

const user = { rights: [], imported: false };
const token = { retainFor: "7d", retain: 1 } as const;

const START: readonly Edit[] = [
  { kind: "user", account: "acme", user: "jane", settings: { ...user, email: "a@example.com" } },
  { kind: "token", account: "acme", user: "csi", token: "prod", settings: { ...token, keepers: 1 } },
  { kind: "token", account: "acme", user: "csi", token: "dev", settings: { ...token, keepers: 1 } },
];

const CHANGES: readonly Edit[] = [
  { kind: "user", account: "globex", user: "jane", settings: user },
  { kind: "account", account: "acme", settings: { company: "Acme", protected: false, imported: false } },
  { kind: "token", account: "acme", user: "csi", token: "prod", settings: { ...token, keepers: 2 } },
  { kind: "token", account: "globex", user: "csi", token: "prod", settings: { ...token, keepers: 1 } },
  { kind: "no token", account: "acme", user: "csi", token: "dev" },
  { kind: "no user", account: "acme", user: "jane" },
];

export interface Change {
  readonly before: Declaration;
  readonly after: Declaration;
}

/** It takes creates, an update, a rotation, new tokens, a revocation and a delete. */
export const EVERYTHING: Change = changeOf(START, CHANGES);

/** Without tokens: those are known to one state alone. */
export const RECORDS: Change = changeOf(START.filter(isOfRecord), CHANGES.filter(isOfRecord));

function changeOf(start: readonly Edit[], changes: readonly Edit[]): Change {
  const before = start.reduce(edited, NOTHING);
  return { before, after: changes.reduce(edited, before) };
}

function isOfRecord({ kind }: Edit): boolean {
  return kind !== "token" && kind !== "no token";
}

/** What others do to tenants behind both engines' backs, at random. */
import fc from "fast-check";
import type { BackDoor } from "../../../src/lib/simulator";
import type { NewerService } from "./newer-service";

/** One change; it does nothing where its object does not exist. */
export type Drift = (records: BackDoor, account: string, service: NewerService) => void;

const users = fc.constantFrom("ann", "ben", "machine");

function onUser(operation: (records: BackDoor, login: string) => void): fc.Arbitrary<Drift> {
  return users.map((username) => (records, account) => {
    const login = `${username}@${account}`;
    if (records.profiles.some((profile) => profile.login === login)) operation(records, login);
  });
}

/** Changes a user, or the account's primary user. */
function onProfile(operation: (service: NewerService, id: string) => void): fc.Arbitrary<Drift> {
  return fc.option(users, { freq: 3 }).map((username) => (records, account, service) => {
    const login = username === null ? account : `${username}@${account}`;
    const profile = records.profiles.find((one) => one.login === login);
    if (profile !== undefined) operation(service, profile.id);
  });
}

export const drift: fc.Arbitrary<Drift> = fc.oneof(
  fc.constantFrom<Drift>(
    (records, account) => records.patchAccount(account, { limits: { vss_num: 7 } }),
    (records, account) => records.patchAccount(account, { limits: { vss_num: null, size_reserve_total: 5 } }),
    (records, account) =>
      records.patchAccount(account, { primary_contact: { first_name: "Eve", phone: "1" } }),
    (records, account) => records.patchAccount(account, { billing_contact: { company: "Evil" } }),
    (records, account) =>
      records.patchAccount(account, { provisioning: { tags_include: ["drift"], tags_permit: null } }),
    (records, account) => records.patchAccount(account, { disabled: true }),
    (records, account) => records.patchProfile(account, { level: 9, access: { web: false } }),
    (records, account) =>
      records.patchProfile(account, { permissions: { vss: { rights: { manage_targets: true } } } }),
    (records, account) => {
      if (tokensOf(records, account).length === 0) records.deleteAccount(account);
    },
  ),
  onUser((records, login) => records.patchProfile(login, { email: "eve@evil.example", level: 9 })),
  onUser((records, login) => records.patchProfile(login, { sms: "+1999" })),
  onUser((records, login) => records.patchProfile(login, { email: null, xref: "drift" })),
  onUser((records, login) =>
    records.patchProfile(login, {
      permissions: {
        account: { rights: { view_events: true } },
        realm: { rights: { manage_accounts: true } },
      },
    }),
  ),
  onUser((records, login) =>
    records.patchProfile(login, {
      permissions: { vss: { all_account_scope: false, vsses: ["drift"] }, node: { all_realm_scope: true } },
    }),
  ),
  onUser((records, login) =>
    records.patchProfile(login, {
      permissions: {
        vss: { rights: { resize_disks: true, manage_snapshots: false } },
        user: { rights: { manage_users: true } },
      },
    }),
  ),
  onProfile((service, id) => service.grant(id, "vss.fold_space")),
  onProfile((service, id) => service.grant(id, "future.read_minds")),
  onProfile((service, id) => service.leaveFlagsOut(id)),
  onUser((records, login) =>
    records.patchProfile(login, { xmd_refs: ["drift"], app_default: "securedrive" }),
  ),
  // A token outlives its user in Terraform's state until the user is live again, so users that have one stay.
  onUser((records, login) => {
    if (!login.startsWith("machine@")) records.deleteProfile(login);
  }),
  fc.nat(3).map<Drift>((index) => (records, account) => {
    const tokens = tokensOf(records, account);
    const token = tokens[index % Math.max(tokens.length, 1)];
    if (token !== undefined) records.revokeToken(token.id);
  }),
);

function tokensOf(records: BackDoor, account: string): BackDoor["authorizations"] {
  const users = new Set(
    records.profiles.filter(({ login }) => login.endsWith(`@${account}`)).map(({ id }) => id),
  );
  return records.authorizations.filter(({ user_id: user }) => users.has(user));
}

import { account } from "../../../src/resources/account/description";
import { proposeAccount } from "../../../src/resources/account/propose";
import { accountState } from "../../../src/resources/account/inventory";
import { isUnknown, UNKNOWN, type ObjectValue } from "../../../src/values";

const LIVE: ObjectValue = {
  id: "account:1:2",
  uuid: "13e1ec49-e2ce-5fd8-8c07-aebe705cf700",
  serial: "ACT07",
  name: "globex",
  admin_profile_id: "user:1:2",
  primary_contact: { first_name: "Jo", last_name: "" },
  billing_contact: null,
  limits: { vss_num: 10, size_reserve_total: null },
  provisioning: {
    size_reserve_max: null,
    iops_reserve_max: null,
    tags_include: ["ssd"],
    tags_exclude: [],
    tags_permit: null,
  },
};
const PRIMARY: ObjectValue = { id: "user:1:2", uuid: "11f75701-4b03-5f8f-abb5-e2e3a7d06a00", level: 3 };

/** State as it is once an account with this configuration was made and refreshed. */
function stateWith(remembered: ObjectValue = {}): ObjectValue {
  return accountState(
    { self: LIVE, primary: PRIMARY },
    { deletion_protection: true, allow_nonempty_delete: false, undeclared_rights: "deny", ...remembered },
  );
}

const paths = (proposal: ReturnType<typeof proposeAccount>) =>
  proposal.changes.map(({ path }) => path.join("."));

test("an empty group is planned as it is declared, and is no change, neither where there is none nor when it is read again", () => {
  const prior = stateWith();
  const config = { name: "globex", billing_contact: { address: {} }, primary_contact: { address: {} } };
  const { action, changes, planned } = proposeAccount(config, prior);
  expect({ action, changes }).toEqual({ action: "none", changes: [] });
  expect(planned).toMatchObject({
    billing_contact: { first_name: null, address: { city: null } },
    primary_contact: { first_name: "Jo", address: { city: null } },
  });
  const later = stateWith(planned);
  expect(later).toEqual(planned);
  expect(proposeAccount(config, later).planned).toBe(later);
});

test("an account that is declared as it is stays as it is", () => {
  const prior = stateWith();
  const proposal = proposeAccount({ name: "globex", limits: { vss_num: 10 } }, prior);
  expect(proposal.action).toBe("none");
  expect(proposal.planned).toBe(prior);
});

test("a quota that is no longer named in declared limits is taken away", () => {
  const proposal = proposeAccount({ name: "globex", limits: { size_reserve_total: 5 } }, stateWith());
  expect(proposal.action).toBe("update");
  expect(paths(proposal)).toEqual(["limits.vss_num", "limits.size_reserve_total"]);
  expect(proposal.planned["limits"]).toEqual({ vss_num: null, size_reserve_total: 5 });
});

test("limits that are not declared at all keep what the service has", () => {
  expect(proposeAccount({ name: "globex" }, stateWith()).action).toBe("none");
});

test("tags that are no longer named in declared provisioning are taken away", () => {
  const proposal = proposeAccount({ name: "globex", provisioning: {} }, stateWith());
  expect(paths(proposal)).toEqual(["provisioning.tags_include"]);
});

test("the order of tags means nothing", () => {
  const prior = stateWith();
  const shuffled = {
    ...prior,
    provisioning: { ...(prior["provisioning"] as ObjectValue), tags_include: ["a", "b"] },
  };
  const config = { name: "globex", provisioning: { tags_include: ["b", "a"] } };
  expect(proposeAccount(config, shuffled).action).toBe("none");
});

test("another name replaces the account, and everything about the new one is unknown", () => {
  const proposal = proposeAccount({ name: "initech" }, stateWith());
  expect(proposal.action).toBe("replace");
  expect(proposal.replacedBy).toEqual([["name"]]);
  expect(isUnknown(proposal.planned["id"])).toBe(true);
  expect(isUnknown(proposal.planned["uuid"])).toBe(true);
});

test("a name that is not known yet replaces the account", () => {
  expect(proposeAccount({ name: UNKNOWN }, stateWith()).action).toBe("replace");
});

test("a uuid in other letters is the same uuid", () => {
  const config = { name: "globex", uuid: "13E1EC49-E2CE-5FD8-8C07-AEBE705CF700" };
  expect(proposeAccount(config, stateWith()).action).toBe("none");
});

test("another uuid replaces the account", () => {
  const config = { name: "globex", uuid: "00000000-0000-4000-8000-000000000000" };
  expect(proposeAccount(config, stateWith()).replacedBy).toEqual([["uuid"]]);
});

test("a changed template is recorded with a warning", () => {
  const proposal = proposeAccount({ name: "globex", template: "gold" }, stateWith({ template: "silver" }));
  expect(proposal.action).toBe("update");
  expect(proposal.diagnostics).toEqual([
    expect.objectContaining({
      severity: "warning",
      code: "TENANCY_TEMPLATE_RECORDED",
      attribute: ["template"],
    }),
  ]);
});

test("an unset billing contact is planned away, and stays away", () => {
  const prior = { ...stateWith({ unset: ["billing_contact"] }), billing_contact: { company: "Globex" } };
  const proposal = proposeAccount({ name: "globex", unset: ["billing_contact"] }, prior);
  expect(paths(proposal)).toEqual(["billing_contact"]);
  const gone = { ...prior, billing_contact: null };
  expect(proposeAccount({ name: "globex", unset: ["billing_contact"] }, gone).action).toBe("none");
});

test("what is to be unset must be known while planning", () => {
  expect(proposeAccount({ name: "globex", unset: UNKNOWN }, stateWith()).diagnostics).toEqual([
    expect.objectContaining({ severity: "error", attribute: ["unset"] }),
  ]);
  expect(proposeAccount({ name: "globex", unset: [UNKNOWN] }, null).diagnostics).toHaveLength(1);
});

test("a right that is not named is denied", () => {
  const proposal = proposeAccount(
    { name: "globex", permissions: { vss: { rights: { manage_rules: true } } } },
    null,
  );
  const permissions = proposal.planned["permissions"] as Record<string, { rights: Record<string, unknown> }>;
  expect(permissions["vss"]?.rights).toMatchObject({ manage_rules: true, remove_vss: false });
  expect(permissions["realm"]?.rights).toMatchObject({ manage_accounts: false });
  expect(isUnknown((permissions["vss"] as unknown as ObjectValue)["all_account_scope"])).toBe(true);
});

test("rights that are kept without being declared are listed at every plan", () => {
  const config = {
    name: "globex",
    undeclared_rights: "keep",
    permissions: { vss: { rights: { manage_rules: true } } },
  };
  const rights = { manage_rules: true, remove_vss: true, resize_disks: false };
  const prior = { ...stateWith({ undeclared_rights: "keep" }), permissions: { vss: { rights } } };
  const proposal = proposeAccount(config, prior);
  expect(proposal.diagnostics).toEqual([
    expect.objectContaining({
      code: "TENANCY_RIGHTS_KEPT",
      summary: "granted without being declared: vss.remove_vss",
    }),
  ]);
});

test("every attribute of the description is planned", () => {
  const { planned } = proposeAccount({ name: "globex" }, null);
  expect(Object.keys(planned)).toEqual(Object.keys(account.attributes));
});

/** What is planned for an account: covers src/resources/common.ts, src/resources/account/index.ts, description.ts and src/resources/record/plan.ts. */
import { resource } from "../../../src/resources/account";
import { account } from "../../../src/resources/account/description";
import type { Resource } from "../../../src/resources/family";
import { isUnknown, UNKNOWN, type ObjectValue } from "../../../src/lib/values";

type Context = Partial<Parameters<Resource["propose"]>[2]>;
const proposeAccount = (config: ObjectValue, prior: ObjectValue | null, context: Context = {}) =>
  resource.propose(config, prior, { asOf: undefined, ...context });
const accountState = (...given: Parameters<typeof resource.inventory.stateOf>) =>
  resource.inventory.stateOf(...given);

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
  const proposal = proposeAccount({ name: "globex", limits_vss_num: 10 }, prior);
  expect(proposal.action).toBe("none");
  expect(proposal.planned).toBe(prior);
});

test("a quota that is not declared stays, and goes where it is unset", () => {
  const proposal = proposeAccount({ name: "globex", limits_size_reserve_total: 5 }, stateWith());
  expect(proposal.action).toBe("update");
  expect(paths(proposal)).toEqual(["limits_size_reserve_total"]);
  expect(proposal.planned).toMatchObject({ limits_vss_num: 10, limits_size_reserve_total: 5 });
  const unset = proposeAccount({ name: "globex", unset: ["limits_vss_num"] }, stateWith());
  expect(paths(unset)).toEqual(["limits_vss_num", "unset"]);
  expect(unset.planned["limits_vss_num"]).toBeNull();
});

test("limits that are not declared at all keep what the service has", () => {
  expect(proposeAccount({ name: "globex" }, stateWith()).action).toBe("none");
});

test("a star in `unset` takes away every nullable value that is not declared, and nothing else", () => {
  const prior = { ...stateWith(), billing_contact: { company: "Globex" }, provisioning_tags_permit: ["a"] };
  const config = { name: "globex", limits_size_reserve_total: 5, unset: ["*"] };
  const { planned } = proposeAccount(config, prior);
  expect(planned).toMatchObject({
    billing_contact: null,
    limits_vss_num: null,
    limits_size_reserve_total: 5,
    provisioning_tags_include: ["ssd"],
    provisioning_tags_permit: null,
    primary_contact: { first_name: "Jo" },
    password_wo: null,
  });
  expect(proposeAccount(config, planned).action).toBe("none");
});

test("tags are taken away where an empty list is declared", () => {
  const proposal = proposeAccount({ name: "globex", provisioning_tags_include: [] }, stateWith());
  expect(paths(proposal)).toEqual(["provisioning_tags_include"]);
});

test("the order of tags means nothing", () => {
  const prior = stateWith();
  const shuffled = {
    ...prior,
    provisioning_tags_include: ["a", "b"],
  };
  const config = { name: "globex", provisioning_tags_include: ["b", "a"] };
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
  expect(proposal.findings).toContainEqual(
    expect.objectContaining({
      severity: "warning",
      code: "TENANCY_CREATE_ONLY",
      attribute: ["template"],
    }),
  );
});

test("an unset billing contact is planned away, and stays away", () => {
  const prior = { ...stateWith({ unset: ["billing_contact"] }), billing_contact: { company: "Globex" } };
  const proposal = proposeAccount({ name: "globex", unset: ["billing_contact"] }, prior);
  expect(paths(proposal)).toEqual(["billing_contact"]);
  const gone = { ...prior, billing_contact: null };
  expect(proposeAccount({ name: "globex", unset: ["billing_contact"] }, gone).action).toBe("none");
});

test("what is to be unset must be known while planning", () => {
  const errors = (config: ObjectValue, prior: ObjectValue | null) =>
    proposeAccount({ name: "globex", permissions: {}, ...config }, prior).findings.map(
      ({ severity, attribute }) => [severity, attribute],
    );
  expect(errors({ unset: UNKNOWN }, stateWith())).toEqual([["error", ["unset"]]]);
  expect(errors({ unset: [UNKNOWN] }, null)).toEqual([["error", ["unset"]]]);
  expect(errors({ undeclared_rights: UNKNOWN }, stateWith())).toEqual([["error", ["undeclared_rights"]]]);
});

test("permissions are planned as they are declared, and scopes are left to the service", () => {
  const { planned, findings } = proposeAccount(
    { name: "globex", permissions: { "vss.manage_rules": true, "vss.remove_vss": false } },
    null,
  );
  expect(planned["permissions"]).toEqual({ "vss.manage_rules": true, "vss.remove_vss": false });
  expect(isUnknown(planned["vss_scope"]) && isUnknown(planned["node_scope"])).toBe(true);
  expect(findings).toEqual([]);
});

test("a right that is granted and not named is taken away", () => {
  const prior = { ...stateWith(), permissions: { "vss.manage_rules": true, "vss.remove_vss": true } };
  const { changes } = proposeAccount({ name: "globex", permissions: { "vss.manage_rules": true } }, prior);
  expect(changes.map(({ path, after }) => [path.join("."), after])).toEqual([
    ["permissions", { "vss.manage_rules": true }],
  ]);
});

test("permissions that are declared nowhere earn a warning at every plan, with what the user has or will have", () => {
  const findings = (prior: ObjectValue | null) =>
    proposeAccount({ name: "globex" }, prior, { granted: ["account.view_events"] }).findings;
  expect(findings(null)).toMatchObject([
    {
      severity: "warning",
      code: "TENANCY_UNDECLARED_PERMISSIONS",
      summary: expect.stringMatching(
        /^"globex" gets by the service's default \d+ rights .*destructive and privileged/,
      ) as string,
    },
  ]);
  expect(findings(stateWith())).toMatchObject([
    {
      code: "TENANCY_UNDECLARED_PERMISSIONS",
      summary: "a user has permissions that no configuration declares",
      detail: '"globex" has account.view_events.',
    },
  ]);
});

test("rights that are kept without being declared are listed at every plan", () => {
  const config = {
    name: "globex",
    undeclared_rights: "keep",
    permissions: { "vss.manage_rules": true },
  };
  const prior = {
    ...stateWith({ undeclared_rights: "keep" }),
    permissions: { "vss.manage_rules": true },
  };
  const proposal = proposeAccount(config, prior, { granted: ["vss.manage_rules", "vss.remove_vss"] });
  expect(proposal.action).toBe("none");
  expect(proposal.findings).toEqual([
    expect.objectContaining({
      code: "TENANCY_RIGHTS_KEPT",
      summary: '"globex" keeps destructive rights that are not declared',
      detail: '"globex" keeps vss.remove_vss.',
    }),
  ]);
});

test("permissions that become authoritative say which rights that takes away, for the plan shows none of them", () => {
  const config = { name: "globex", permissions: { "vss.manage_rules": true } };
  const prior = { ...stateWith({ undeclared_rights: "keep" }), ...config };
  const { findings } = proposeAccount(config, prior, {
    granted: ["vss.manage_rules", "account.view_events"],
  });
  expect(findings).toMatchObject([
    {
      severity: "warning",
      code: "TENANCY_RIGHTS_TAKEN",
      summary: "rights that are not declared are taken away",
      detail: '"globex" loses account.view_events.',
    },
  ]);
});

test("every attribute of the description is planned", () => {
  const { planned } = proposeAccount({ name: "globex" }, null);
  expect(Object.keys(planned)).toEqual(Object.keys(account.attributes));
});

/** Warnings of values that stay although they are no longer declared. */
import { createProvider } from "../../src/provider";
import type { ObjectValue } from "../../src/lib/values";
import { call } from "../support/provider";

describe("an attribute that the last apply declared", () => {
  const RIGHTS = { "vss.manage_targets": true };

  /** What a plan tells of it, by its path. No service is asked. */
  async function toldOf(
    type: "tenancy_account" | "tenancy_user_profile",
    prior: ObjectValue,
    config: ObjectValue,
    declared: readonly string[],
  ): Promise<Readonly<Record<string, string>>> {
    const resource = createProvider({}).resources?.[type];
    const planned = await resource?.plan?.({ prior, config, private: { declared } } as never, call);
    const told = planned?.diagnostics?.filter(({ detail = "" }) =>
      detail.endsWith("TENANCY_NO_LONGER_DECLARED"),
    );
    return Object.fromEntries(
      (told ?? []).map(({ attribute = [], detail = "" }) => [attribute.join("."), detail]),
    );
  }

  const ACCOUNT = { name: "acme", permissions: RIGHTS };
  const PRIOR: ObjectValue = {
    ...ACCOUNT,
    id: "account:1:1",
    limits_vss_num: 20,
    limits_size_reserve_total: null,
    provisioning_tags_include: ["ssd"],
    provisioning_tags_exclude: [],
    provisioning_tags_permit: ["hdd"],
    level: 4,
    deletion_protection: false,
    primary_contact: { address: { addr: ["1 Main Street"], city: "Springfield" }, company: "Acme" },
    billing_contact: { company: "Acme" },
  };

  test("keeps its value once it is declared no more, and the plan says which, and what would take it away", async () => {
    const told = await toldOf("tenancy_account", PRIOR, ACCOUNT, [
      ...["limits_vss_num", "level", "provisioning_tags_include", "provisioning_tags_permit"],
      ...["primary_contact.company", "primary_contact.address.addr", "billing_contact"],
      "billing_contact.company",
    ]);
    expect(Object.keys(told).sort()).toEqual([
      ...["billing_contact", "level", "limits_vss_num", "primary_contact.address.addr"],
      ...["primary_contact.company", "provisioning_tags_include", "provisioning_tags_permit"],
    ]);
    expect(told["level"]).toContain('For "acme" it keeps 4.\nDeclare the value that it is to have.');
    expect(told["limits_vss_num"]).toContain(
      'keeps 20.\nTo take the value away, add "limits_vss_num" to `unset`.',
    );
    expect(told["provisioning_tags_permit"]).toContain('add "provisioning_tags_permit" to `unset`');
    expect(told["provisioning_tags_include"]).toContain("declare `provisioning_tags_include = []`");
    expect(told["primary_contact.address.addr"]).toContain(
      "To empty it, declare `addr = []` in `primary_contact.address`.",
    );
    expect(told["primary_contact.company"]).toContain("Declare the value that it is to have.");
  });

  test.each<[string, ObjectValue, readonly string[]]>([
    ["it is still declared", { limits_vss_num: 20 }, ["limits_vss_num"]],
    ["it is unset", { unset: ["limits_vss_num"] }, ["limits_vss_num"]],
    ["whatever can be unset is", { unset: ["*"] }, ["limits_vss_num", "billing_contact.company"]],
    ["it has no value", {}, ["limits_size_reserve_total", "provisioning_tags_exclude"]],
    ["only the client knows it", {}, ["deletion_protection"]],
    ["every plan warns of it", { permissions: null }, ["permissions"]],
    ["this version of the provider does not know it", {}, ["limits_of_another_version"]],
  ])("is not told of where %s", async (_where, config, declared) => {
    expect(await toldOf("tenancy_account", PRIOR, { ...ACCOUNT, ...config }, declared)).toEqual({});
  });

  test("is told of where others are unset, or cannot be", async () => {
    const declared = ["level", "limits_vss_num"];
    const told = async (unset: readonly string[]) =>
      Object.keys(await toldOf("tenancy_account", PRIOR, { ...ACCOUNT, unset }, declared)).sort();
    expect(await told(["provisioning_tags_permit"])).toEqual(declared);
    expect(await told(["*"])).toEqual(["level"]);
  });

  test("is told of with the login of its user", async () => {
    const user = { username: "csi", account_id: "account:1:1", permissions: RIGHTS };
    const prior = { ...user, id: "user_profile:1:2", login: "csi@acme", email: "csi@acme.example" };
    expect(await toldOf("tenancy_user_profile", prior, user, ["email"])).toEqual({
      email: expect.stringContaining('For "csi@acme" it keeps "csi@acme.example".') as string,
    });
  });
});

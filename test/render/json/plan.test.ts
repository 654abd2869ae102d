/** The JSON of a plan: covers src/render/json/address.ts, objects.ts and src/render/secrecy.ts, besides its own source. */
import { jsonOutput, jsonPlan } from "../../../src/render/json";
import { stringifyJson, UNKNOWN } from "../../../src/lib/values";
import { change, plan } from "../../support/plans";

test("a create leaves out what is unknown, and says where", () => {
  const made = change({
    kind: "user_profile",
    name: "jane",
    key: "jane@acme",
    after: { username: "jane", id: UNKNOWN, xmd_refs: ["b", "a"], access_api: true, access_web: UNKNOWN },
  });
  const [resource] = jsonPlan(plan([made])).resource_changes;
  expect(resource).toMatchObject({
    address: "tenancy_user_profile.jane",
    mode: "managed",
    type: "tenancy_user_profile",
    name: "jane",
    provider_name: "registry.terraform.io/tenancy/tenancy",
    change: { actions: ["create"], before: null, before_sensitive: false },
  });
  const after = resource?.change.after as Record<string, unknown>;
  expect(after["username"]).toBe("jane");
  expect(after["email"]).toBeNull();
  expect(after["xmd_refs"]).toEqual(["a", "b"]);
  expect(after["access_api"]).toBe(true);
  expect(after).not.toHaveProperty("access_web");
  expect(after).not.toHaveProperty("id");
  expect(resource?.change.after_unknown).toMatchObject({
    id: true,
    access_web: true,
    xmd_refs: [false, false],
  });
});

test("sensitive and write-only values are null everywhere, and marked", () => {
  const token = change({
    kind: "authorization",
    name: "csi",
    before: { name: "csi", keepers: { a: "s3cret" }, access_token: "1/s3cret", password_wo: "s3cret" },
    after: {
      name: "csi",
      keepers: { a: "s3cret", b: "x" },
      access_token: "1/s3cret",
      previous: [{ serial: "ATH1", access_token: "1/s3cret" }],
    },
    sensitive: [["keepers", "a"]],
  });
  const document = jsonPlan(
    plan([token], {
      outputs: [
        {
          name: "t",
          action: "create",
          after: "s3cret",
          type: "string",
          sensitive: true,
          description: undefined,
        },
      ],
      evaluated: [
        {
          address: 'null_resource.n["x"]',
          mode: "managed",
          type: "null_resource",
          values: { id: "42", triggers: { a: "s3cret", b: "shown", c: UNKNOWN } },
          sensitive: [["triggers", "a"]],
          constructPath: undefined,
        },
      ],
    }),
  );
  expect(stringifyJson(document)).not.toContain("s3cret");
  const [resource] = document.resource_changes;
  expect(resource?.change.after_sensitive).toMatchObject({
    access_token: true,
    keepers: { a: true },
    previous: [{ access_token: true }],
  });
  expect(resource?.change.after).toMatchObject({
    access_token: null,
    previous: [{ serial: "ATH1", access_token: null }],
  });
  expect(document.planned_values.outputs["t"]).toEqual({ sensitive: true, type: "string", value: null });
  expect(document.planned_values.root_module.resources[1]).toMatchObject({
    address: 'null_resource.n["x"]',
    index: "x",
    provider_name: "registry.terraform.io/hashicorp/null",
    values: { id: "42", triggers: { a: null, b: "shown" } },
    sensitive_values: { triggers: { a: true } },
  });
});

test("a plan of a part is not complete", () => {
  expect(jsonPlan(plan([])).complete).toBe(true);
  expect(jsonPlan(plan([], { partial: true })).complete).toBe(false);
});

test("replacements, deletes and imports say why", () => {
  const replaced = change({
    kind: "account",
    name: "a",
    action: "replace",
    before: { name: "a" },
    after: { name: "b" },
    replacedBy: [["name"]],
  });
  const gone = change({ kind: "account", name: 'undeclared["c"]', key: "c", before: { name: "c" } });
  const imported = change({
    kind: "account",
    name: "d",
    action: "none",
    before: { name: "d" },
    after: { name: "d" },
    importId: "account:1:4",
    claim: "imported",
  });
  const document = jsonPlan(plan([replaced, gone, imported]));
  expect(document.resource_changes).toMatchObject([
    {
      change: { actions: ["delete", "create"], replace_paths: [["name"]] },
      action_reason: "replace_because_cannot_update",
    },
    {
      name: "undeclared",
      index: "c",
      change: { actions: ["delete"], after: null },
      action_reason: "delete_because_no_resource_config",
    },
    { change: { actions: ["no-op"], importing: { id: "account:1:4" } } },
  ]);
  expect(document.prior_state.values.root_module.resources.map(({ address }) => address)).toEqual([
    "tenancy_account.a",
    'tenancy_account.undeclared["c"]',
    "tenancy_account.d",
  ]);
  expect(document.configuration).toMatchObject({
    provider_config: { tenancy: { full_name: "registry.terraform.io/tenancy/tenancy" } },
    root_module: { resources: [{ address: "tenancy_account.a" }, { address: "tenancy_account.d" }] },
  });
});

test("outputs have their type, and no value before it is known", () => {
  const document = jsonPlan(
    plan([], {
      outputs: [
        {
          name: "known",
          action: "create",
          after: { a: ["x"], c: null },
          type: ["object", { a: ["list", "string"], c: "dynamic" }],
          sensitive: false,
          description: "d",
        },
        {
          name: "later",
          action: "create",
          after: { a: UNKNOWN },
          type: ["object", { a: "dynamic" }],
          sensitive: false,
          description: undefined,
        },
      ],
    }),
  );
  expect(document.planned_values.outputs["known"]).toEqual({
    sensitive: false,
    type: ["object", { a: ["list", "string"], c: "dynamic" }],
    value: { a: ["x"], c: null },
  });
  expect(document.planned_values.outputs["later"]).toEqual({ sensitive: false });
  expect(document.output_changes["later"]?.after_unknown).toEqual({ a: true });
});

test("a sensitive output tells no names of members, unless the user asks for it", () => {
  const secret = {
    name: "byToken",
    action: "create",
    after: { "1/secret": 1 },
    type: ["object", { "1/secret": "number" }],
    sensitive: true,
    description: undefined,
  } as const;
  const { planned_values, output_changes } = jsonPlan(plan([], { outputs: [secret] }));
  expect(planned_values.outputs["byToken"]).toEqual({ sensitive: true, type: "dynamic", value: null });
  expect(JSON.stringify([planned_values, output_changes])).not.toContain("1/secret");
  expect(jsonOutput(secret, true)).toEqual({ sensitive: true, type: secret.type, value: secret.after });
});

test("names such as __proto__ are names like any other", () => {
  const keepers = JSON.parse('{"__proto__": "x"}') as Record<string, string>;
  const token = change({ kind: "authorization", name: "t", after: { name: "t", keepers } });
  const [resource] = jsonPlan(plan([token])).resource_changes;
  expect(stringifyJson(resource?.change.after)).toContain('"keepers":{"__proto__":"x"}');
});

test("integers beyond 2^53 stay exact", () => {
  const account = change({
    kind: "account",
    name: "a",
    after: { limits_size_reserve_total: 2n ** 60n },
  });
  expect(stringifyJson(jsonPlan(plan([account])))).toContain(
    '"limits_size_reserve_total":1152921504606846976',
  );
});

/** Plans that are read back to be shown: covers src/engine/shown.ts, representation.ts and, with test/e2e/terraform/shown.test.ts, terraform-plan.ts. */
import * as fc from "fast-check";
import { approvalNeeds, readPlans } from "../../src/engine";
import { factsToShow, joinedPlans, splitPlans } from "../../src/engine/shown";
import { isApproved, judgeApproval, type Plan } from "../../src/plan";
import { jsonPlan } from "../../src/render/json";
import { paint, planText, viewText } from "../../src/render/text";
import { planView } from "../../src/render/view";
import { stringifyJson, UNKNOWN, type ObjectValue } from "../../src/lib/values";
import { change, plan } from "../support/plans";
import { rounds } from "../support/rounds";

const plain = paint(false);

/** The file that `plan --out` writes, without the promises that only `apply` reads. */
function saved(made: Plan): string {
  const json = jsonPlan(made);
  return stringifyJson({ ...json, tenancy: { ...json.tenancy, saved: { shown: factsToShow(made) } } });
}

const shown = (text: string, all = false) => readPlans(text).map((one) => planText(one.plan, plain, { all }));

const user = (name: string, facts = {}) =>
  change({ kind: "user_profile", name, key: `${name}@acme`, ...facts });

const rich = plan(
  [
    change({
      kind: "account",
      name: "globex",
      after: { name: "globex", id: UNKNOWN, limits_vss_num: 20, permissions: UNKNOWN, access_web: UNKNOWN },
      declared: new Set(["name", "limits_vss_num"]),
    }),
    user("jane", {
      before: {
        email: "j@old",
        level: 1,
        sms: UNKNOWN,
        xref: "s3cret",
        permissions: { "vss.remove_vss": true },
      },
      after: { email: "j@new", level: UNKNOWN, xref: "s3cret2", permissions: { "vss.manage_targets": true } },
      sensitive: [["xref"]],
      notes: ["password version 1 recorded, not sent"],
      declared: new Set(["email", "level", "xref", "permissions"]),
    }),
    change({
      kind: "authorization",
      name: "csi",
      key: "csi@acme/prod",
      before: { keepers: { a: "s3cret", b: "x" }, access_token: "1/s3cret" },
      after: {
        keepers: { a: "s3cret2", b: "y" },
        access_token: UNKNOWN,
        previous: [
          {
            serial: "A",
            access_token: "1/s3cret",
            access_token_sealed: null,
            created_at: null,
            retired_at: null,
          },
        ],
      },
      sensitive: [["keepers", "a"]],
    }),
    change({
      kind: "account",
      name: "old",
      action: "replace",
      before: { name: "old", id: "1" },
      after: { name: "older", id: UNKNOWN },
      replacedBy: [["name"]],
    }),
    user("imported", {
      action: "none",
      before: { email: "a" },
      after: { email: "a" },
      importId: "x",
      claim: "imported",
    }),
    user('undeclared["bob@acme"]', {
      before: { permissions: { "vss.remove_vss": true } },
      reason: "removed",
    }),
  ],
  {
    retained: [{ type: "t", key: "initech", id: "9", reason: "no longer declared", users: 2, tokens: 1 }],
    unmanagedUsers: [
      {
        type: "t",
        key: "eve@acme",
        id: "1",
        origin: "o",
        rights: ["a"],
        preset: null,
        marks: ["privileged"],
        active: true,
      },
    ],
    renames: [{ from: "a", id: "1", to: "b", address: "x" }],
    deletedWithAccount: [
      user("gone", { before: { permissions: {} }, reason: "cascade", claim: "unmanaged" }),
    ],
    evaluated: [
      {
        address: "null_resource.x",
        mode: "managed",
        type: "null_resource",
        values: {},
        sensitive: [],
        constructPath: undefined,
      },
    ],
    outputs: [
      {
        name: "t",
        action: "create",
        after: "s3cret",
        type: "string",
        sensitive: true,
        description: undefined,
      },
      {
        name: "u",
        action: "create",
        after: UNKNOWN,
        type: "dynamic",
        sensitive: false,
        description: undefined,
      },
      {
        name: "v",
        action: "create",
        after: ["a"],
        type: ["list", "string"],
        sensitive: false,
        description: "d",
      },
    ],
    warnings: [
      {
        severity: "warning",
        code: "TENANCY_SECRET_NOT_SENT",
        summary: "w",
        address: "a.b",
        attribute: ["x", 0],
      },
    ],
    partial: true,
  },
);

test("a saved plan reads as it was shown, and holds no secret", () => {
  const text = saved(rich);
  expect(text).not.toContain("s3cret");
  expect(shown(text)).toEqual([planText(rich, plain)]);
  expect(shown(text, true)).toEqual([planText(rich, plain, { all: true })]);
});

test("the plan of a destroy is read as one", () => {
  const made = plan([user("bob", { before: {}, reason: "destroy" })], { destroy: true });
  expect(shown(saved(made))).toEqual([planText(made, plain)]);
});

test("--json of a saved plan is the JSON that was printed", () => {
  const [read] = readPlans(saved(rich));
  expect(JSON.parse(stringifyJson(read?.json))).toEqual(JSON.parse(stringifyJson(jsonPlan(rich))));
});

test("each change of a saved plan needs the approval of the owners of its own service", () => {
  const rights = (name: string, provider: string) => ({
    ...user(name, { action: "create", after: { username: name, permissions: { "vss.format_disks": true } } }),
    provider,
  });
  const [target] = rich.targets;
  const west = { ...target!, provider: "tenancy.west", origin: "https://west.example" };
  const made = {
    ...plan([rights("jane", "tenancy"), rights("bob", "tenancy.west")]),
    targets: [target!, west],
  };
  const [read] = readPlans(saved(made));
  expect(approvalNeeds(read!.plan)).toEqual(approvalNeeds(made));
  expect(approvalNeeds(made).map(({ service }) => service)).toEqual([target!.origin, west.origin]);
});

test("several plans stand in one file, each as by itself", () => {
  const others = [rich, { ...rich, stack: "staging" }].map(saved);
  const text = joinedPlans(others);
  expect(readPlans(text).map((one) => one.plan.stack)).toEqual(["storage", "staging"]);
  expect(splitPlans(text).map((one) => JSON.parse(one) as unknown)).toEqual(
    others.map((one) => JSON.parse(one) as unknown),
  );
  const [only = ""] = others;
  expect(joinedPlans([only])).toBe(only);
  expect(splitPlans(only)).toEqual([only]);
});

const document = JSON.parse(saved(rich)) as Record<string, ObjectValue>;

test.each<[what: string, text: string]>([
  ["no JSON", "hello"],
  ["a list", "[]"],
  ["another document", "{}"],
  ["Terraform's own form", "PK\u0003\u0004"],
  [
    "a state",
    '{"format_version":"1.0","terraform_version":"1.9.0","values":{"root_module":{}}, "resource_changes": 1}',
  ],
  ["a plan that was printed only", stringifyJson(jsonPlan(rich))],
  ["another version", JSON.stringify({ ...document, format_version: "2.0" })],
  ["another version of a file of several", '{"format":"tenancy-plans","version":2,"plans":[]}'],
  ["fewer facts than changes", JSON.stringify({ ...document, resource_changes: [] })],
  [
    "an access of another shape",
    JSON.stringify({ ...document, tenancy: { ...document["tenancy"], access: [{ who: 1 }] } }),
  ],
  ["an unknown type", saved(rich).replaceAll("tenancy_authorization", "tenancy_disk")],
])("%s is refused", (_what, text) => {
  expect(() => readPlans(text)).toThrow(expect.objectContaining({ code: "TENANCY_BROKEN_PLAN" }) as Error);
});

/** What `terraform show -json` prints. */
function terraform(changes: unknown, more: object = {}): string {
  return JSON.stringify({
    format_version: "1.2",
    terraform_version: "1.12.0",
    resource_changes: changes,
    ...more,
  });
}

/** The document with another value at one of its places. */
function altered(document: unknown, place: number, value: unknown): unknown {
  let count = 0;
  const walk = (part: unknown): unknown => {
    if (count++ === place) return value;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, walk(member)]));
  };
  return walk(document);
}

function placesIn(part: unknown): number {
  if (typeof part !== "object" || part === null) return 1;
  return Object.values(part).reduce<number>((sum, member) => sum + placesIn(member), 1);
}

const ANYTHING = [null, true, 7, "x", [], {}, [null], [[]], { x: 1 }, [{ x: null }]] as const;

test("whatever a file holds is shown, or refused in words", () => {
  const documents = [document, JSON.parse(terraform(document["resource_changes"])) as unknown];
  fc.assert(
    fc.property(
      fc.constantFrom(...documents),
      fc.nat(9_999).map((share) => share / 10_000),
      fc.constantFrom(...ANYTHING),
      (one, share, value) => {
        const place = Math.floor(share * placesIn(one));
        const text = JSON.stringify(altered(one, place, value));
        try {
          for (const { plan: read, drift, missingFacts, json } of readPlans(text)) {
            viewText(planView(read, { drift, missingFacts }), plain);
            stringifyJson(json);
          }
        } catch (error) {
          expect(error).toMatchObject({ code: "TENANCY_BROKEN_PLAN" });
        }
      },
    ),
    { numRuns: rounds(60) },
  );
});

// Plans of Terraform, written by hand where Terraform would take a configuration for each.

const PROVIDER = "registry.terraform.io/tenancy/tenancy";

const resource = (
  address: string,
  type: string,
  actions: readonly string[],
  change: object,
  more: object = {},
) => ({
  address,
  mode: "managed",
  type,
  provider_name: PROVIDER,
  change: {
    actions,
    before: null,
    after: null,
    after_unknown: {},
    before_sensitive: false,
    after_sensitive: {},
    ...change,
  },
  ...more,
});

test("a plan of Terraform has names of people, access, deletes and counts as ours have", () => {
  const text = terraform(
    [
      resource("tenancy_account.acme", "tenancy_account", ["create"], {
        after: { name: "acme" },
        after_unknown: { id: true, permissions: true },
      }),
      resource('module.a["x"].tenancy_user_profile.u["jane"]', "tenancy_user_profile", ["create"], {
        after: { username: "jane", permissions: { "vss.remove_vss": true } },
        after_unknown: { account_id: true, login: true, id: true },
      }),
      resource("tenancy_user_profile.bob", "tenancy_user_profile", ["create"], {
        after: { username: "bob" },
        after_unknown: { account_id: true, permissions: true },
      }),
      resource(
        "tenancy_user_profile.old",
        "tenancy_user_profile",
        ["delete"],
        { before: { username: "old", login: "old@acme", permissions: { "vss.manage_targets": true } } },
        { action_reason: "delete_because_no_resource_config" },
      ),
      resource("tenancy_authorization.t", "tenancy_authorization", ["create"], {
        after: { name: "prod" },
        after_unknown: { login: true, access_token: true },
        after_sensitive: { access_token: true },
      }),
      {
        ...resource("aws_s3_bucket.b", "aws_s3_bucket", ["create"], {}),
        provider_name: "registry.terraform.io/hashicorp/aws",
      },
      { ...resource("data.tenancy_account.d", "tenancy_account", ["read"], {}), mode: "data" },
    ],
    {
      configuration: {
        provider_config: {
          tenancy: {
            name: "tenancy",
            full_name: PROVIDER,
            expressions: {
              base_url: { constant_value: "https://storage.example" },
              owner: { references: ["var.owner"] },
            },
          },
        },
        root_module: {
          resources: [
            { address: "tenancy_account.acme", expressions: { name: { constant_value: "acme" } } },
            {
              address: "tenancy_user_profile.bob",
              expressions: {
                username: {},
                account_id: { references: ["tenancy_account.acme.id", "tenancy_account.acme"] },
              },
            },
            {
              address: "tenancy_authorization.t",
              expressions: { name: {}, login: { references: ["tenancy_user_profile.bob.login"] } },
            },
          ],
          module_calls: {
            a: {
              module: {
                resources: [
                  {
                    address: "tenancy_user_profile.u",
                    expressions: {
                      username: { constant_value: "jane" },
                      permissions: { constant_value: {} },
                      account_id: { references: ["var.id"] },
                    },
                  },
                ],
              },
            },
          },
        },
      },
      variables: { owner: { value: "acme-platform" } },
      resource_drift: [
        resource("tenancy_account.acme", "tenancy_account", ["update"], {
          before: { name: "acme", comment: "a" },
          after: { name: "acme", comment: "b" },
        }),
      ],
    },
  );
  const [read] = readPlans(text);
  expect(read?.missingFacts[0]).toBe("1 change of other providers.");
  expect(read?.missingFacts.at(-1)).toContain("Not in Terraform's JSON");
  expect(read?.drift.map(({ address }) => address)).toEqual(["tenancy_account.acme"]);
  const { resource_drift: drift } = read?.json as { resource_drift: readonly unknown[] };
  expect(drift).toHaveLength(1);
  expect(shown(text)[0]).toBe(`terraform · https://storage.example as (not in the plan)

Access
  + 2 alike                     39 rights   account_admin (destructive, privileged), by the service's default
                                acme, bob@acme
  + jane@(known after apply)    1 right     vss.remove_vss (destructive)
  + bob@acme/prod               gains       a token
  - old@acme                    loses       vss.manage_targets

Changes
  + tenancy_account.acme                          acme
  + module.a["x"].tenancy_user_profile.u["jane"]  jane@(known after apply)
      username                                    "jane"
      account_id                                  (known after apply)
  + tenancy_user_profile.bob                      bob@acme
      username                                    "bob"
      account_id                                  (known after apply)
  + tenancy_authorization.t                       bob@acme/prod
      login                                       (known after apply)
      name                                        "prod"
  - tenancy_user_profile.old                      old@acme · no longer declared

Grants access to 3 users (3 with dangerous permissions), creates 1 token, removes access from old@acme.
4 to create, 1 to delete.`);
});

test("of a provider's configuration only constants are known, and nothing else is approved", () => {
  const created = resource("tenancy_user_profile.jane", "tenancy_user_profile", ["create"], {
    after: { username: "jane", login: "jane@acme", permissions: { "vss.format_disks": true } },
  });
  const needsOf = (expressions: object) =>
    readPlans(
      terraform([created], {
        configuration: {
          provider_config: { tenancy: { name: "tenancy", full_name: PROVIDER, expressions } },
        },
        variables: { host: { value: "https://storage.example" }, owner: { value: "platform" } },
      }),
    )[0]?.needs ?? [];
  const constant = (value: string) => ({ constant_value: value });
  const variable = (name: string) => ({ references: [`var.${name}`] });
  const [origin, owner] = [constant("https://storage.example"), constant("platform")];
  const known = needsOf({ base_url: origin, owner });
  const now = new Date("2026-11-24T00:00:00Z");
  const verdictsOf = (needs: ReturnType<typeof needsOf>) => {
    const approvals = [...needs, ...known].map(({ stack, service, pairs }) => ({
      ...{ stack, service, until: "2026-11-30" },
      pairs: pairs.map(({ pair }) => pair),
    }));
    return judgeApproval(needs, { level: "broadening", approvals, now });
  };
  expect(verdictsOf(known).every(isApproved)).toBe(true);
  // `"https://${var.host}.evil.example"` stands there as `var.host` does.
  for (const expressions of [{ base_url: variable("host"), owner }, { owner }]) {
    const needs = needsOf(expressions);
    expect(JSON.stringify(needs)).toContain("(not in the plan)");
    const [verdict] = verdictsOf(needs);
    expect(verdict).toMatchObject({ approved: [], missing: [] });
    expect(verdict?.unknown).toContain("{ user: jane@acme, permission: vss.format_disks, until: never }");
  }
});

test("each change of a plan of Terraform needs the approval of the owners of its own service", () => {
  const provider = (origin: string, more: object = {}) => ({
    name: "tenancy",
    full_name: PROVIDER,
    expressions: { base_url: { constant_value: origin }, owner: { constant_value: "platform" } },
    ...more,
  });
  const created = (address: string, name: string) =>
    resource(address, "tenancy_user_profile", ["create"], {
      after: { username: name, login: `${name}@acme`, permissions: { "vss.format_disks": true } },
    });
  const text = terraform(
    [
      created("tenancy_user_profile.jane", "jane"),
      created("tenancy_user_profile.bob", "bob"),
      created('module.m["x"].tenancy_user_profile.eve[0]', "eve"),
    ],
    {
      configuration: {
        provider_config: {
          tenancy: provider("https://east.example"),
          "tenancy.west": provider("https://west.example", { alias: "west" }),
          "module.m:tenancy": provider("https://m.example", { module_address: "module.m" }),
        },
        root_module: {
          resources: [
            { address: "tenancy_user_profile.jane", provider_config_key: "tenancy", expressions: {} },
            { address: "tenancy_user_profile.bob", provider_config_key: "tenancy.west", expressions: {} },
          ],
          module_calls: {
            m: {
              module: {
                resources: [
                  {
                    address: "tenancy_user_profile.eve",
                    provider_config_key: "module.m:tenancy",
                    expressions: {},
                  },
                ],
              },
            },
          },
        },
      },
    },
  );
  const [read] = readPlans(text);
  expect(
    approvalNeeds(read!.plan).map(({ service, pairs }) => [service, pairs.map(({ pair }) => pair["user"])]),
  ).toEqual([
    ["https://east.example", expect.arrayContaining(["jane@acme"])],
    ["https://west.example", expect.arrayContaining(["bob@acme"])],
    ["https://m.example", expect.arrayContaining(["eve@acme"])],
  ]);
});

test("a plan of Terraform that only forgets says so", () => {
  const forgotten = resource("tenancy_account.acme", "tenancy_account", ["forget"], {
    before: { name: "acme" },
  });
  const [read] = readPlans(terraform([forgotten], {}));
  expect(read?.missingFacts[0]).toContain("Terraform forgets tenancy_account.acme");
  const text = viewText(planView(read?.plan as Plan, { missingFacts: read?.missingFacts ?? [] }), plain);
  expect(text).toContain("1 retained");
  expect(text).not.toContain("The live objects match the declaration");
});

test.each([
  ["another mode", { mode: "ephemeral" }],
  ["another provider", { provider_name: "registry.terraform.io/evil/tenancy" }],
])("a change of our types with %s is refused", (_what, more) => {
  const change = { ...resource("tenancy_account.acme", "tenancy_account", ["create"], {}), ...more };
  expect(() => readPlans(terraform([change], {}))).toThrow(/tenancy_account\.acme/);
});

test("a plan that contains a member twice is refused", () => {
  const text = terraform([resource("tenancy_account.acme", "tenancy_account", ["no-op"], {})], {});
  expect(() =>
    readPlans(text.replace('"actions":["no-op"]', '"actions":["delete"],"actions":["no-op"]')),
  ).toThrow(/contains a member twice/);
});

/** What a terminal shows of views: covers src/render/text/layout.ts, paint.ts, src/render/view/access.ts and changes.ts, besides its own source. */
import { plain, paint } from "../../../src/render/text/paint";
import { planText } from "../../../src/render/text";
import { UNKNOWN, type ObjectValue } from "../../../src/lib/values";
import { change, plan } from "../../support/plans";

const rights = (vss: ObjectValue): ObjectValue =>
  Object.fromEntries(Object.entries(vss).map(([name, value]) => [`vss.${name}`, value]));

const globex = change({
  kind: "account",
  name: "globex",
  after: {
    name: "globex",
    id: UNKNOWN,
    limits_vss_num: 20,
    limits_size_reserve_total: null,
    primary_contact: { email: "storage@globex.example" },
    deletion_protection: true,
  },
});
const csi = change({
  kind: "user_profile",
  name: "globex_csi",
  key: "csi@globex",
  after: {
    username: "csi",
    account_id: UNKNOWN,
    login: UNKNOWN,
    permissions: rights({ manage_snapshots: true, remove_vss: false }),
  },
});
const jane = change({
  kind: "user_profile",
  name: "acme_jane",
  key: "jane@acme",
  before: { email: "j@old.example", permissions: rights({ manage_targets: false, remove_vss: true }) },
  after: { email: "jane@acme.example", permissions: rights({ manage_targets: true, remove_vss: false }) },
});
const bob = change({
  kind: "user_profile",
  name: 'undeclared["bob@acme"]',
  key: "bob@acme",
  before: { username: "bob", permissions: rights({ remove_vss: true }) },
});

test("a plan opens with who gains and loses which right, and ends with how much changes", () => {
  const text = planText(
    plan([globex, csi, jane, bob], {
      retained: [
        {
          type: "tenancy_account",
          key: "initech",
          id: "account:1:9",
          reason: "no longer declared; `new Deletion(...)` deletes it",
        },
      ],
    }),
    plain,
  );
  expect(text).toBe(`storage · https://storage.example as system

Access
  ~ jane@acme     gains       vss.manage_targets
                  loses       vss.remove_vss
  + csi@globex    1 right     vss.manage_snapshots
  - bob@acme      loses       vss.remove_vss

Changes
  + tenancy_account.globex                       globex
      primary_contact.email                      "storage@globex.example"
      limits_vss_num                             20
  ~ tenancy_user_profile.acme_jane               jane@acme
      email                                      "j@old.example" -> "jane@acme.example"
  + tenancy_user_profile.globex_csi              csi@globex
      username                                   "csi"
      account_id                                 (known after apply)
  - tenancy_user_profile.undeclared["bob@acme"]  bob@acme · no longer declared

Retained
    initech (account:1:9)                 no longer declared; \`new Deletion(...)\` deletes it

Grants access to 2 users, removes access from 2 users.
2 to create, 1 to update, 1 to delete, 1 retained.`);
});

test("objects stand in the order of their addresses, accounts before users, however the work is ordered", () => {
  const users = ["b", "a[10]", "a[9]"].map((name) => change({ kind: "user_profile", name, after: {} }));
  const text = planText(plan([globex, ...users]), plain);
  expect([...text.matchAll(/tenancy_\S+/g)].map(([address]) => address)).toEqual([
    "tenancy_account.globex",
    "tenancy_user_profile.a[9]",
    "tenancy_user_profile.a[10]",
    "tenancy_user_profile.b",
  ]);
});

test("rights that destroy data are marked where somebody gains them", () => {
  const admin = change({
    kind: "user_profile",
    name: "acme_root",
    key: "root@acme",
    after: { access_api: true, permissions: rights({ remove_vss: true, manage_targets: true }) },
  });
  expect(planText(plan([admin]), plain)).toContain(`Access
  + root@acme    2 rights    vss.remove_vss (destructive), vss.manage_targets
                 gains       API access
`);
});

const jobs = (count: number, permissions: ObjectValue) =>
  Array.from({ length: count }, (_unused, index) =>
    change({
      kind: "user_profile",
      name: `u${index}`,
      key: `u${index}@acme`,
      before: { permissions: {} },
      after: { permissions },
    }),
  );

test("dangerous rows stand first, equal changes of several people are one row, and --all shows each", () => {
  const harmless = change({
    kind: "user_profile",
    name: "a",
    key: "a@acme",
    before: { permissions: {} },
    after: { permissions: rights({ manage_targets: true }) },
  });
  const changes = [harmless, ...jobs(6, { "user.reset_user_password": true, "vss.remove_vss": true })];
  const text = planText(plan(changes), plain);
  expect(text).toContain(`Access
  ~ 6 alike    gains       user.reset_user_password (privileged), vss.remove_vss (destructive)
               u0@acme, u1@acme, u2@acme, u3@acme, … 2 more
  ~ a@acme     gains       vss.manage_targets

Changes
`);
  const all = planText(plan(changes), plain, { all: true });
  for (let index = 0; index < 6; index++)
    expect(all).toContain(`  ~ u${index}@acme    gains       user.reset`);
  expect(all).not.toContain("more");
});

test("the rights of a new tenant's primary profile are told, by preset and as the service's default", () => {
  const bare = change({
    kind: "account",
    name: "globex",
    after: { name: "globex", permissions: UNKNOWN, vss_scope: UNKNOWN, access_web: UNKNOWN },
    declared: new Set(["name"]),
  });
  expect(planText(plan([bare]), plain)).toContain(`Access
  + globex    39 rights   account_admin (destructive, privileged), by the service's default
              gains       vss_scope * (default), web access (default)
`);
  expect(planText(plan([bare]), plain, { all: true })).toContain("user.reset_user_password (privileged)");
});

test("a replaced user who is active again by the service's default is told under Access", () => {
  const permissions = rights({ manage_targets: true });
  const anew = change({
    kind: "user_profile",
    name: "jane",
    key: "jane@acme",
    action: "replace",
    before: { permissions, activated: false, allow_su: false },
    after: { permissions, activated: UNKNOWN, allow_su: UNKNOWN },
    declared: new Set(["permissions"]),
  });
  expect(planText(plan([anew]), plain)).toMatch(
    /jane@acme +gains +activation \(default\), switching to it by administrators \(default\)\n/,
  );
});

test("the rights after a change are told by preset", () => {
  const observer = {
    "account.view_events": true,
    "account.view_statistics": true,
    "account.query_catalog": true,
  };
  const grown = change({
    kind: "user_profile",
    name: "jane",
    key: "jane@acme",
    before: { permissions: { "account.view_events": true } },
    after: { permissions: observer },
  });
  expect(planText(plan([grown]), plain)).toContain(`
  ~ jane@acme    gains       account.view_statistics, account.query_catalog
                 now         observer
`);
});

test("Access tells scopes, level, second factor and password in words, and Changes does not repeat it", () => {
  const before = { level: 1, vss_scope: ["a"], two_factor_auth: "google", password_set: true, xref: "a" };
  const after = { level: 5, vss_scope: ["*"], two_factor_auth: "none", password_wo_version: 2, xref: "b" };
  const text = planText(
    plan([change({ kind: "user_profile", name: "u", key: "u@acme", before, after })]),
    plain,
  );
  expect(text).toContain(`Access
  ~ u@acme    gains       vss_scope *, level 1 -> 5, access without a second factor (was google)
              changes     a new password

Changes
  ~ tenancy_user_profile.u                u@acme
      xref                                "a" -> "b"
      password_set                        true -> null

`);
});

test("a value that happens to be the name of the object is shown all the same", () => {
  const token = change({ kind: "user_profile", name: "jane", key: "jane", after: { username: "jane" } });
  expect(planText(plan([token]), plain)).toContain('username                            "jane"');
});

test("a replacement shows what forces it", () => {
  const renamed = change({
    kind: "account",
    name: "acme",
    action: "replace",
    before: { name: "acme", id: "account:1:7", deletion_protection: false },
    after: { name: "acme2", id: UNKNOWN, deletion_protection: false },
    replacedBy: [["name"]],
  });
  expect(planText(plan([renamed]), plain)).toContain(`Changes
-/+ tenancy_account.acme                  acme · destroyed and created again
      name                                "acme" -> "acme2" (forces replacement)
`);
});

test("neither secrets nor values made from secrets are shown", () => {
  const token = change({
    kind: "authorization",
    name: "csi",
    key: "csi@acme/prod",
    before: { keepers: { a: "s3cret", b: "old" }, access_token: "1/s3cret", previous: [] },
    after: {
      keepers: { a: "s3cret2", b: "new" },
      access_token: "1/s3cret2",
      previous: [{ serial: "ATH1", access_token: "1/s3cret" }],
    },
    sensitive: [["keepers", "a"]],
  });
  const text = planText(
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
    }),
    plain,
  );
  expect(text).not.toContain("s3cret");
  expect(text).toContain(
    `      keepers                             { a = (sensitive value), b = "old" } -> { a = (sensitive value), b = "new" }
      access_token                        (sensitive value)
      previous                            [] -> [{ serial = "ATH1", access_token = (sensitive value) }]
`,
  );
  expect(text).toContain("    t = (sensitive value)\n");
});

test("imported objects and notes are told although nothing changes", () => {
  const imported = change({
    kind: "account",
    name: "acme",
    action: "none",
    before: { name: "acme" },
    after: { name: "acme" },
    claim: "imported",
    importId: "acme",
    notes: ["password version 1 recorded, not sent"],
  });
  expect(planText(plan([imported]), plain)).toBe(`storage · https://storage.example as system

Imported
    tenancy_account.acme                  acme (acme)

Notes
    tenancy_account.acme                  password version 1 recorded, not sent

No changes. The live objects match the declaration. 1 to import.`);
});

test("a plan of nothing says so", () => {
  expect(planText(plan([], { targets: [] }), plain)).toBe("storage\n\nNo changes. Nothing is declared.");
  expect(planText(plan([], { targets: [], partial: true }), plain)).toBe(
    "storage\n\nNo changes. Nothing is selected.",
  );
  expect(planText(plan([], { targets: [], partial: true, onlyEnded: true }), plain)).toBe(
    "storage\n\nNo changes. No access has ended.",
  );
  expect(planText(plan([], { destroy: true, targets: [] }), plain)).toBe(
    "storage · destroy\n\nNo changes. There is no managed object to destroy.",
  );
});

test("where somebody receives codes to log in is listed for each user, however many there are", () => {
  const changed = Array.from({ length: 320 }, (_unused, index) =>
    change({
      kind: "user_profile",
      name: `u${index}`,
      key: `u${index}@acme`,
      before: { email: `u${index}@old.example`, timezone: "local" },
      after: { email: `u${index}@new.example`, timezone: "UTC" },
    }),
  );
  const text = planText(plan(changed), plain);
  for (const { key } of changed)
    expect(text).toContain(
      `"${key.replace("acme", "old.example")}" -> "${key.replace("acme", "new.example")}"`,
    );
});

test("so it is for new users, who are shown together else; what all of them share stands there once", () => {
  const created = Array.from({ length: 320 }, (_unused, index) =>
    change({
      kind: "user_profile",
      name: `u${index}`,
      key: `u${index}@acme`,
      after: { email: `u${index}@x.example`, sms: "+49301", timezone: "UTC" },
    }),
  );
  const text = planText(plan(created), plain);
  expect(text).toContain("+ 320 × tenancy_user_profile");
  for (const { key } of created)
    expect(text).toMatch(new RegExp(`^ +${key} +email "${key.replace("acme", "x.example")}"$`, "m"));
  expect(text.match(/\+49301/g)).toHaveLength(1);
  expect(planText(plan(created.slice(0, 3)), plain)).not.toContain("Addresses of new users");
});

test("a quota that is taken away reads as no limit", () => {
  const account = change({
    kind: "account",
    name: "acme",
    before: { name: "acme", limits_vss_num: 5 },
    after: { name: "acme", limits_vss_num: null },
  });
  expect(planText(plan([account]), plain)).toContain("5 -> no limit");
});

test("a large plan groups what is alike, and shows every delete", () => {
  const created = Array.from({ length: 40 }, (_unused, index) =>
    change({
      kind: "account",
      name: `t${index}`,
      after: { name: `t${index}`, limits_vss_num: 5, primary_contact: { email: `t${index}@x.example` } },
    }),
  );
  const deleted = Array.from({ length: 30 }, (_unused, index) =>
    change({
      kind: "user_profile",
      name: `u${index}`,
      key: `u${index}@acme`,
      before: { username: `u${index}` },
    }),
  );
  const text = planText(plan([...created, ...deleted]), plain);
  expect(text).toContain(`Changes
  + 40 × tenancy_account                  t0, t1, t2, t3, … 36 more
      primary_contact.email               40 different values: "t0@x.example", "t1@x.example", "t2@x.example", … 37 more
      limits_vss_num                      5
  - tenancy_user_profile.u0               u0@acme · no longer declared
`);
  for (const { key } of deleted) expect(text).toContain(`${key} · no longer declared`);
});

test("colours say what comes and goes, and take nothing away", () => {
  const coloured = planText(plan([csi, jane, bob]), paint(true));
  expect(coloured).toContain("\u001b[31m  - tenancy_user_profile");
  // eslint-disable-next-line no-control-regex -- the codes of colours
  expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(planText(plan([csi, jane, bob]), plain));
});

test("control characters in names and values cannot touch the terminal", () => {
  const hostile = change({
    kind: "account",
    name: "x",
    key: "ev\u001b[2Jil\u202e",
    before: { template: "a" },
    after: { template: "b\u001b]0;x\u0007\u200b" },
  });
  const text = planText(plan([hostile]), plain);
  expect(text).toContain(String.raw`ev\u001b[2Jil\u202e`);
  expect(text).toContain(String.raw`"a" -> "b\u001b]0;x\u0007\u200b"`);
  // eslint-disable-next-line no-control-regex -- what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u200b]/);
});

test("several services are told apart by their provider", () => {
  const text = planText(
    plan([], {
      targets: [
        { provider: "tenancy", origin: "https://a.example", caller: "system" },
        { provider: "tenancy.eu", origin: "https://b.example", caller: "root@eu" },
      ],
    }),
    plain,
  );
  expect(text).toContain(`storage · https://a.example as system · tenancy
storage · https://b.example as root@eu · tenancy.eu
`);
});

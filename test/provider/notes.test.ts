/** What the provider notes of an object between Terraform's calls, and what it tells of these notes. */
import { createProvider } from "../../src/provider";
import { notesOf, type Notes, privateStateOf, WrittenPermissions } from "../../src/provider/notes";
import { resource as userProfile } from "../../src/resources/user-profile";
import { parseJson, stringifyJson, type ObjectValue, UNKNOWN, type Value } from "../../src/lib/values";
import { alteredService } from "../support/altered-service";
import { asSystem, call, configured } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

test("notes come back from private state as they went in, digit by digit", () => {
  const notes: Notes = {
    seq: 9007199254740993n,
    partSeq: 7,
    imported: true,
    notedAt: new Date("2025-01-02T03:04:05.678Z"),
    declared: ["email", "primary_contact.phone"],
    rights: ["vss.manage_targets"],
    granted: [],
    replacedObject: { id: "account:1:2", deletion_protection: false },
  };
  const stored = parseJson(stringifyJson(privateStateOf(notes))) as ObjectValue;
  expect(notesOf(stored)).toEqual(notes);
});

test("private state without notes, or with somebody else's values, gives no notes", () => {
  expect(privateStateOf({})).toStrictEqual({});
  expect(privateStateOf({ imported: false })).toStrictEqual({});
  expect(
    notesOf({ seq: "7", part_seq: null, imported: "yes", noted_at: "yesterday", replaced_object: [] }),
  ).toEqual({});
  expect(notesOf({ noted_at: 2025, declared: "email", rights: ["a", 7], granted: [7] })).toEqual({});
});

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
    expect(told["level"]).toContain('Of "acme" it stays 4.\nDeclare the value that it is to have.');
    expect(told["limits_vss_num"]).toContain(
      'stays 20.\nTo take the value away, add "limits_vss_num" to `unset`.',
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
      email: expect.stringContaining('Of "csi@acme" it stays "csi@acme.example".') as string,
    });
  });
});

describe("the notes of a write", () => {
  async function written(type: "account" | "user" | "token", config: ObjectValue) {
    const { simulator } = await start();
    simulator.records.createAccount({ name: "acme" });
    const provider = await configured(simulator, asSystem(simulator));
    const { planned } =
      (await provider[type].plan?.({ prior: null, config, private: {} } as never, call)) ?? {};
    return (await provider[type].create({ planned, config, private: {} } as never, call)).private;
  }

  test("name what is declared, with the members of contacts, and the rights that are named and granted", async () => {
    const permissions = { "vss.manage_targets": true, "vss.format_disks": false };
    const config = {
      ...{ name: "globex", permissions, deletion_protection: false, template: "small" },
      primary_contact: { company: "Globex", email: null, address: { city: "Springfield" } },
      limits_vss_num: null,
    };
    const notes = await written("account", config);
    expect(notes).toMatchObject({
      declared: [
        ...["primary_contact", "primary_contact.company", "primary_contact.address"],
        ...["primary_contact.address.city", "permissions", "deletion_protection"],
      ],
      granted: ["vss.manage_targets"],
    });
    expect((notes?.["rights"] as string[]).toSorted()).toEqual(["vss.format_disks", "vss.manage_targets"]);
  });

  test("name no rights where permissions are not declared, but those that the service grants", async () => {
    const notes = await written("user", { username: "jane", account_id: "account:1:1" });
    expect(notes).toMatchObject({ rights: [] });
    expect(notes?.["granted"]).toContain("vss.format_disks");
  });

  test("know nothing of rights where the object has none", async () => {
    const notes = await written("token", { login: "system", name: "prod", login_with: "password" });
    expect(Object.keys(notes ?? {})).toEqual(["declared"]);
  });
});

describe("a refresh of permissions", () => {
  const permissions = { "vss.manage_targets": true, "user.manage_users": true };
  const rights = ["vss.manage_targets", "vss.format_disks"];

  test.each([
    ["live", { "vss.manage_targets": true, "vss.format_disks": false }, { private: { rights } }],
    ["live, as far as the state names them", { ...permissions, "user.manage_users": false }, { private: {} }],
    [
      "in the state, where no answer shows any",
      { "vss.manage_targets": true, "vss.format_disks": false },
      { private: { rights }, isHidden: true },
    ],
    ["unknown as before, where the state has none", null, { private: { rights }, isHidden: true, had: null }],
  ])("shows the rights that the last apply named as they are %s", async (_how, shown, given) => {
    const {
      private: notes,
      isHidden = false,
      had = permissions,
    } = given as {
      readonly private: object;
      readonly isHidden?: boolean;
      readonly had?: object | null;
    };
    const { simulator } = await start();
    const { id: account_id } = simulator.records.createAccount({ name: "acme" });
    const baseUrl = await alteredService(simulator.baseUrl, ({ method, path }, { status, body }) =>
      isHidden && method === "GET" && path.includes("/user-profile")
        ? { status, body: parseJson(stringifyJson(body).replaceAll('"permissions"', '"hidden"')) }
        : { status, body },
    );
    const { user } = await configured({ baseUrl }, asSystem(simulator));
    const config = { username: "csi", account_id, permissions: { "vss.manage_targets": true } };
    const { planned } = (await user.plan?.({ prior: null, config, private: {} } as never, call)) ?? {};
    const made = await user.create({ planned, config, private: {} } as never, call);
    const state = { ...made.state, permissions: had };
    const found = await user.read({ state, private: notes } as never, call);
    expect(found.state?.["permissions"]).toEqual(shown);
  });
});

describe("permissions that only ignore_changes has put into a configuration", () => {
  const ALL = { "vss.format_disks": true, "vss.manage_targets": true };
  const KEY = { "vss.format_disks": true };
  const ACME = { account_id: "account:1:2" };
  const jane = (permissions: ObjectValue | null) => ({ ...ACME, username: "jane", permissions });
  const janet = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "janet" });
  const bob = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "bob" });
  const PRIOR = { ...jane(ALL), uuid: "11111111-1111-5111-8111-111111111111", id: "user_profile:1:3" };
  const REFUSED = [{ code: "TENANCY_IGNORED_RIGHT" }];

  /** What is told of each configuration that Core plans, after the one as it is written was validated. */
  const toldOf = (
    ...calls: readonly [written: ObjectValue, planned: ObjectValue, prior?: ObjectValue | null][]
  ) => {
    const noted = new WrittenPermissions();
    return calls.flatMap(([written, planned, prior = PRIOR]) => {
      noted.note(userProfile, written);
      return noted.findings(userProfile, planned, prior);
    });
  };

  test("are refused", () => {
    expect(toldOf([jane(null), jane(KEY)])).toMatchObject(REFUSED);
  });

  test.each<[string, ObjectValue, ObjectValue]>([
    ["its username", janet(null), jane(KEY)],
    ["its uuid", jane(null), { ...jane(KEY), uuid: PRIOR.uuid }],
    ["its account", { ...jane(null), account_id: "account:1:9" }, jane(KEY)],
  ])("are refused where %s is ignored, too", (_which, written, planned) => {
    expect(toldOf([written, planned])).toMatchObject(REFUSED);
    expect(toldOf([bob({}), bob({}), null], [written, planned])).toMatchObject(REFUSED);
  });

  test.each<[string, ObjectValue, ObjectValue]>([
    [
      "declared, and a key of them is ignored",
      janet({ "vss.update_vss": true }),
      jane({ ...KEY, "vss.update_vss": true }),
    ],
    ["declared, and no key is ignored", janet({ "vss.update_vss": true }), jane({ "vss.update_vss": true })],
    ["declared to be none", janet({}), jane({})],
    ["not declared", janet(null), jane(null)],
    ["ignored as a whole", janet(null), jane(ALL)],
  ])("are none where the username is ignored, and permissions are %s", (_how, written, planned) => {
    expect(toldOf([written, planned])).toEqual([]);
    expect(toldOf([bob(null), bob(null), null], [written, planned])).toEqual([]);
  });

  test("are not looked for where another object may be the one that is planned", () => {
    const noted = new WrittenPermissions();
    noted.note(userProfile, janet(KEY));
    noted.note(userProfile, bob(null));
    expect(noted.findings(userProfile, jane(KEY), PRIOR)).toEqual([]);
    // Which of the two it was stays open, for the other one, too.
    expect(noted.findings(userProfile, jill(KEY), jill(ALL))).toEqual([]);
  });

  const jill = (permissions: ObjectValue | null) => ({ ...jane(permissions), username: "jill" });
  /** An object whose username is ignored, and whose permissions only ignore_changes has put there. */
  const IGNORED = [bob(null), jill(KEY), jill(ALL)] as const;

  test.each<[string, Value, ObjectValue]>([
    ["are as they were written", { "vss.update_vss": true }, { "vss.update_vss": true }],
    ["were not known when they were written", UNKNOWN, { "vss.update_vss": true }],
    ["were not all known when they were written", { "vss.update_vss": UNKNOWN }, { "vss.update_vss": true }],
    ["are ignored as a whole", { "vss.update_vss": true }, ALL],
  ])("are refused after another object was planned whose permissions %s", (_how, written, planned) => {
    const other = { ...janet(null), permissions: written };
    expect(toldOf([other, jane(planned)], [...IGNORED])).toMatchObject(REFUSED);
  });

  test("are refused after two others that nothing tells from each other: both in accounts that are yet to be made", () => {
    const noted = new WrittenPermissions();
    const anew = (permissions: ObjectValue) => ({ ...jane(permissions), account_id: UNKNOWN });
    const others = [anew(KEY), anew(KEY)];
    for (const other of others) noted.note(userProfile, other);
    for (const other of others) expect(noted.findings(userProfile, other, null)).toEqual([]);
    const [written, planned, prior] = IGNORED;
    noted.note(userProfile, written);
    expect(noted.findings(userProfile, planned, prior)).toMatchObject(REFUSED);
  });

  test.each<[string, ObjectValue, ObjectValue, ObjectValue]>([
    ["has other permissions", bob({ "vss.manage_targets": false }), janet(null), jane(KEY)],
    [
      "is in another account",
      bob(KEY),
      { ...janet(null), account_id: "account:1:9" },
      { ...jane(KEY), account_id: "account:1:9" },
    ],
  ])("are refused while another object that %s is yet to be planned", (_how, other, written, planned) => {
    const noted = new WrittenPermissions();
    noted.note(userProfile, other);
    noted.note(userProfile, written);
    expect(noted.findings(userProfile, planned, PRIOR)).toMatchObject(REFUSED);
  });

  test("are none for what is declared as it was, once another object of its former name has been planned", () => {
    const noted = new WrittenPermissions();
    const declared = { "vss.update_vss": true };
    noted.note(userProfile, janet(declared));
    noted.note(userProfile, jane(null));
    expect(noted.findings(userProfile, jane(null), PRIOR)).toEqual([]);
    expect(noted.findings(userProfile, jill(declared), jill({ ...ALL, ...declared }))).toEqual([]);
  });

  test("are judged by the configuration of this run alone", () => {
    const noted = new WrittenPermissions();
    noted.note(userProfile, jane(KEY));
    noted.note(userProfile, bob(KEY));
    noted.clear();
    noted.note(userProfile, jane(null));
    expect(noted.findings(userProfile, jane(KEY), PRIOR)).toMatchObject(REFUSED);
  });
});

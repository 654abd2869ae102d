/** Updates and what keeps them from being sent: covers src/resources/record/update.ts and src/resources/user-profile/index.ts. */
import { resource as account } from "../../../src/resources/account";
import { resource as userProfile, updatesPassword } from "../../../src/resources/user-profile";
import type { UpdateRequest } from "../../../src/resources/family";
import { worded } from "../../../src/problems";
import type { AttributeChange } from "../../../src/schema";
import { ALL_RIGHTS } from "../../../src/service/rights";
import type { ObjectValue, Value } from "../../../src/lib/values";
import { connected } from "../../support/connections";
import { created, refreshed, refusal, textIn, updated } from "../../support/life";

const GLOBEX: ObjectValue = { name: "globex", limits_vss_num: 20, permissions: {}, level: 1 };
const JANE: ObjectValue = { username: "jane", permissions: {} };

/** An account that is live, and what is sent from then on. */
async function globex(config: ObjectValue = GLOBEX) {
  const { simulator, connection, anew } = await connected();
  const { state } = await created(account, connection, config);
  simulator.clearRequests();
  const sent = () => simulator.requests.map(({ method, path }) => `${method} ${path.split("/")[2] ?? ""}`);
  const patches = () => simulator.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
  const update = (more: ObjectValue, options: Partial<UpdateRequest> = {}, prior = state) =>
    updated(account, connection, prior, { ...config, ...more }, options);
  return { simulator, connection, anew, state, sent, patches, update };
}

/** A user of that account. */
async function jane(config: ObjectValue = JANE) {
  const it = await globex();
  const whole = { ...config, account_id: it.state["id"]! };
  const { state } = await created(userProfile, it.connection, whole);
  it.simulator.clearRequests();
  const update = (more: ObjectValue, options: Partial<UpdateRequest> = {}, prior = state) =>
    updated(userProfile, it.connection, prior, { ...whole, ...more }, options);
  return { ...it, config: whole, tenant: it.state, state, update };
}

const told = async (promise: Promise<unknown>) =>
  worded(await refusal(promise)).map(({ code, summary, detail = "", attribute }) => ({
    code,
    text: `${summary} ${detail}`,
    attribute,
  }));
const message = (text: string) => expect.stringContaining(text) as string;

describe("an update of an account and of its primary user profile", () => {
  const both = { limits_vss_num: 30, level: 4 };
  const BOTH = ["PATCH account", "PATCH user-profile"];
  const AGAIN = ["GET account", "GET user-profile"];

  test("reads nothing again where both answers show the whole record, and else reads what there is", async () => {
    const { simulator, state, sent, update } = await globex();
    const judged = { expected: "compared" } as const;
    const { state: after, findings, records } = await update(both, judged);
    expect([sent(), findings]).toEqual([BOTH, []]);
    expect(records).toMatchObject({ self: { name: "globex" }, primary: { login: "globex" } });
    expect(after).toMatchObject(both);
    for (const path of [/account/, /user-profile/]) {
      simulator.clearRequests();
      simulator.fail({ method: "PATCH", path, alter: () => ({ id: state["id"] }) });
      const outcome = await update(both, judged);
      expect([sent(), outcome.findings]).toEqual([[...BOTH, ...AGAIN], []]);
      expect(outcome.state).toMatchObject(both);
    }
    for (const [more, method] of [
      [{ level: 5 }, "PATCH user-profile"],
      [{ limits_vss_num: 40 }, "PATCH account"],
    ] as const) {
      simulator.clearRequests();
      const outcome = await update(more, judged);
      expect([sent(), outcome.findings]).toEqual([[method], []]);
      expect(outcome.state).toMatchObject(more);
    }
  });

  test.each<[string, ObjectValue]>([
    ["both were", both],
    ["it was", { level: 4 }],
  ])("sends nothing where no primary user profile is known, and %s to change", async (_what, change) => {
    const { simulator, state, update } = await globex();
    const prior = { ...state, admin_profile_id: null };
    simulator.clearRequests();
    expect(await told(update(change, { expected: "compared" }, prior))).toMatchObject([
      {
        code: "TENANCY_PLAN_OUTDATED",
        text: message('account "globex" has changed since it was planned: it has no primary user profile'),
      },
    ]);
    expect(simulator.requests).toEqual([]);
  });

  test("ends with the refusal where only the primary user profile was to change", async () => {
    const { simulator, update } = await globex();
    simulator.fail({ method: "PATCH", status: 403, times: 9 });
    expect(await told(update({ level: 4 }))).toMatchObject([{ code: "TENANCY_API_FORBIDDEN" }]);
    expect(await told(update(both))).toMatchObject([{ code: "TENANCY_API_FORBIDDEN" }]);
  });

  test("that is done in part says of the account alone what the service did not take", async () => {
    const { simulator, update } = await globex();
    simulator.fail({ method: "PATCH", path: /user-profile/, status: 403 });
    const ignoring = (body: unknown) => ({ ...(body as object), limits: { vss_num: 5 } });
    simulator.fail({ path: /account/, skip: 1, times: 9, alter: ignoring });
    const { state, findings } = await update(both);
    expect(findings.map(({ code, attribute }) => [code, attribute?.join(".")])).toEqual([
      ["TENANCY_API_FORBIDDEN", undefined],
      ["TENANCY_NOT_TAKEN", "limits_vss_num"],
    ]);
    expect(state).toMatchObject({ limits_vss_num: 5, level: 1 });
  });
});

describe("before it is written to, a record is read again", () => {
  test("and one that is gone gets nothing", async () => {
    const { simulator, state, patches, update } = await globex();
    simulator.records.deleteAccount("globex");
    expect(await told(update({ level: 4 }))).toMatchObject([
      {
        code: "TENANCY_PLAN_OUTDATED",
        text: message('account "globex" has changed since it was planned: it is gone'),
      },
    ]);
    const nameless = { ...state, name: null };
    expect(await told(update({ level: 4 }, {}, nameless))).toMatchObject([
      { text: message(`account ${JSON.stringify(state["id"])} has changed`) },
    ]);
    expect(patches()).toEqual([]);
  });

  test("by default it has to be the same record, changed or not", async () => {
    const { simulator, patches, update } = await globex();
    simulator.records.patchAccount("globex", { limits: { vss_num: 1 } });
    expect((await update({ limits_vss_num: 30 })).findings).toEqual([]);
    expect(patches()).toHaveLength(1);
    const uuid = "00000000-0000-4000-8000-000000000000";
    simulator.records.patchAccount("globex", { uuid });
    expect(await told(update({ limits_vss_num: 40 }))).toMatchObject([
      {
        code: "TENANCY_PLAN_OUTDATED",
        text: message(`account "globex" has changed since it was planned: its uuid is ${uuid}, not `),
      },
    ]);
    expect(patches()).toHaveLength(1);
  });

  test("its primary user profile only where that is written to and has been compared", async () => {
    const { simulator, state, sent, update } = await globex();
    const { seq: partSeq } = simulator.records.profile("globex");
    const outcome = await update({ level: 4 }, { expected: { partSeq } });
    expect(outcome.findings).toEqual([]);
    expect(sent()).toEqual(["GET account", "GET user-profile", "PATCH user-profile"]);
    simulator.clearRequests();
    await update({ level: 5 });
    expect(sent()).toEqual(["GET account", "PATCH user-profile"]);
    const { admin_profile_id: primary } = state;
    const path = `/api/account/${textIn(state, "id")}`;
    simulator.fail({
      method: "GET",
      path,
      alter: (body) => ({ ...(body as object), admin_profile_id: null }),
    });
    simulator.clearRequests();
    expect(primary).toBeDefined();
    expect(await told(update({ level: 6 }))).toMatchObject([
      { text: message("it has no primary user profile") },
    ]);
    expect(sent()).toEqual(["GET account"]);
  });
});

test("permissions are sent with the undeclared rights of the live record, not with those of the plan", async () => {
  const { patches, update } = await jane();
  const declaration = { permissions: { "vss.manage_rules": true }, undeclared_rights: "keep" };
  await update(declaration, { granted: ["vss.remove_vss"] });
  expect(patches()).toEqual([
    {
      permissions: {
        vss: { rights: { manage_rules: true }, all_account_scope: true, vsses: [] },
        node: { all_realm_scope: true, nodes: [] },
      },
    },
  ]);
});

describe("permissions that become authoritative", () => {
  const rule = { "vss.manage_rules": true };
  const KEPT = { ...JANE, permissions: rule, undeclared_rights: "keep" };
  const granted = ["vss.manage_rules", "vss.remove_vss", "future.read_minds"];
  const rightsIn = (body: unknown) => {
    const groups = (body as { permissions: Record<string, { rights: Record<string, boolean> }> }).permissions;
    return Object.entries(groups).flatMap(([group, { rights }]) =>
      Object.entries(rights).map(([name, value]) => [`${group}.${name}`, value] as const),
    );
  };
  const denied = (names: readonly string[]) => names.map((name) => [name, false]);
  const others = ALL_RIGHTS.filter((right) => right !== "vss.manage_rules");

  test("deny every other right, those too that this version does not know", async () => {
    const { patches, update } = await jane(KEPT);
    const { state, findings } = await update({ undeclared_rights: "deny" }, { granted });
    expect(findings).toEqual([]);
    expect(state).toMatchObject({ permissions: rule, undeclared_rights: "deny" });
    expect(patches()).toHaveLength(1);
    expect(rightsIn(patches()[0]).filter(([, value]) => !value)).toEqual(
      denied([...others, "future.read_minds"]),
    );
  });

  test("are sent once with those that are declared anew", async () => {
    const { patches, update } = await jane(KEPT);
    const permissions = { ...rule, "vss.resize_disks": true };
    await update({ permissions, undeclared_rights: null }, { granted });
    expect(patches()).toHaveLength(1);
    const wanted = new Map(rightsIn(patches()[0]));
    expect([wanted.get("vss.resize_disks"), wanted.get("future.read_minds")]).toEqual([true, false]);
  });

  test.each([rule, { ...rule, "vss.resize_disks": true }])(
    "are told once where the service leaves a right granted: %j",
    async (permissions) => {
      const { simulator, update } = await jane(KEPT);
      const leaving = (body: unknown) => {
        const { permissions: shown } = body as { permissions: { vss: object } };
        const rights = {
          manage_rules: true,
          resize_disks: "vss.resize_disks" in permissions,
          remove_vss: true,
        };
        return { ...(body as object), permissions: { ...shown, vss: { ...shown.vss, rights } } };
      };
      simulator.fail({ path: /user-profile\//, times: 9, alter: leaving });
      const { findings } = await update({ permissions, undeclared_rights: "deny" }, { granted });
      expect(findings.map(({ code, attribute }) => [code, attribute])).toEqual([
        ["TENANCY_NOT_TAKEN", ["permissions", "vss.remove_vss"]],
      ]);
    },
  );

  test("are nothing to send where they are not declared, or were exact before", async () => {
    const { simulator, patches, update, state } = await jane(KEPT);
    await update({ permissions: null, undeclared_rights: "deny" }, { granted });
    expect(simulator.requests).toEqual([]);
    const exact = { ...state, undeclared_rights: "deny" };
    // What others have granted since is no matter of an update that changes something else.
    expect((await update({ undeclared_rights: "deny", xref: "a" }, { granted }, exact)).findings).toEqual([]);
    await update({ xref: "b" }, { granted });
    expect(patches()).toEqual([{ xref: "a" }, { xref: "b" }]);
  });

  test("name what an unseen right's state knows, where prior holds no permissions", async () => {
    const { patches, update, state } = await jane(KEPT);
    await update({ undeclared_rights: "deny" }, { granted }, { ...state, permissions: null });
    expect(new Map(rightsIn(patches()[0])).get("future.read_minds")).toBe(false);
  });
});

test("a number of which only a mask is known is sent, also where it fits the mask", async () => {
  const { patches, update, state } = await jane({ ...JANE, sms: "4155554567" });
  const masked = { ...state, sms: "******4567" };
  await update({}, {}, masked);
  await update({ sms: "4155550000" }, {}, masked);
  await update({ sms: "4155551111" }, {}, { ...state, sms: null });
  await update({ sms: null, unset: ["sms"] }, {}, masked);
  expect(patches()).toEqual([
    { sms: "4155554567" },
    { sms: "4155550000" },
    { sms: "4155551111" },
    { sms: null },
  ]);
});

test("a value that only looks masked is sent like any other", async () => {
  const { patches, update, state } = await jane();
  await update({ xref: "1234567" }, {}, { ...state, xref: "****567" });
  expect(patches()).toEqual([{ xref: "1234567" }]);
});

test("after an update the lists are read anew", async () => {
  const { connection, update, state } = await jane();
  const xref = async () =>
    (await connection.directory.snapshot()).profile(textIn(state, "id"))?.["xref"] ?? null;
  expect(await xref()).toBeNull();
  await update({ xref: "a" });
  expect(await xref()).toBe("a");
});

test("what the service says of a member is told at its attribute, or else with the member's name", async () => {
  const { simulator, update } = await jane();
  const refusing = (...errors: object[]) =>
    simulator.fail({ method: "PATCH", status: 400, body: { status: 400, errors } });
  refusing(
    { type: "range", field: "/xref", msg: "is odd" },
    { type: "t", field: "/moon/phase", msg: "is full" },
  );
  const [first, second] = await told(update({ xref: "a" }));
  expect(first).toMatchObject({ code: "TENANCY_API_VALIDATION", attribute: ["xref"] });
  expect(first?.text).not.toContain("xref: is odd");
  expect(second?.attribute ?? []).toEqual([]);
  expect(second?.text).toContain("moon.phase: is full");
  refusing({ type: "t", field: "", msg: "it is too late" });
  const [whole] = await told(update({ xref: "a" }));
  expect(whole?.text).toContain("the service does not accept this value: it is too late ");
});

describe("a user who is not found is gone", () => {
  const unproven = async (promise: Promise<unknown>, reason: string) => {
    const [finding, ...others] = await told(promise);
    expect([finding?.code, others]).toEqual(["TENANCY_NOT_VERIFIED", []]);
    expect(finding?.text).toMatch(
      /^user profile "jane@globex" \(id [^ ]+\) is not found, and that proves nothing/,
    );
    expect(finding?.text).toContain(`nothing: ${reason}`);
  };

  test("only where the lists do not hold it, and its account is listed or gone itself", async () => {
    const { simulator, connection, anew, state, tenant } = await jane();
    const path = `/api/user-profile/${textIn(state, "id")}`;
    simulator.fail({ method: "GET", path, status: 404, times: 99 });
    const hidden = () => ({
      ...anew(),
      directory: { ...connection.directory, record: () => Promise.resolve(undefined) },
    });
    connection.directory.invalidate();
    await unproven(userProfile.read(hidden(), state), "the list still has it");
    simulator.records.deleteProfile("jane@globex");
    const hide = (list: unknown) =>
      (list as { name?: string; login?: string }[]).filter(
        ({ name, login }) => name !== "globex" && login !== "globex",
      );
    const list = simulator.fail({ method: "GET", path: "/api/account", times: 99, alter: hide });
    const users = simulator.fail({ method: "GET", path: "/api/user-profile", times: 99, alter: hide });
    await unproven(userProfile.read(anew(), state), `its account ${textIn(tenant, "id")} is not listed`);
    await unproven(userProfile.read(anew(), { ...state, account_id: null }), "its account  is not listed");
    list.remove();
    users.remove();
    expect(await refreshed(userProfile, anew(), state)).toBeUndefined();
    simulator.records.deleteAccount("globex");
    expect(await refreshed(userProfile, anew(), state)).toBeUndefined();
  });

  test("only to a caller who would see it, or its account", async () => {
    const { simulator, connection, anew, state } = await jane();
    await created(account, connection, { name: "initech", password_wo: "password", permissions: {} });
    const initech = () => anew({ username: "initech", password: "password" });
    simulator.records.deleteProfile("jane@globex");
    simulator.records.deleteAccount("globex");
    await unproven(userProfile.read(initech(), state), "the caller lacks the right realm.manage_accounts");
  });
});

describe("a password", () => {
  test("that the service does not take away is an error at what shows it", async () => {
    const { simulator, patches, update } = await jane({ ...JANE, password_wo: "secret" });
    const keeping = (body: unknown) => ({ ...(body as object), password_set: true });
    simulator.fail({ path: /user-profile\//, times: 9, alter: keeping });
    const { findings } = await update({ password_wo: null, unset: ["password_wo"] });
    expect(findings).toMatchObject([
      { severity: "error", code: "TENANCY_NOT_TAKEN", attribute: ["password_set"] },
    ]);
    expect(patches()).toEqual([{ password: null }]);
  });

  test("that may be there is taken away when `unset` comes to name it, and not at each later update", async () => {
    const { config, patches, update, state } = await jane();
    const unknown = { ...state, password_set: null };
    await update({ unset: ["password_wo"] }, {}, unknown);
    expect(patches()).toEqual([{ password: null }]);
    await update({ unset: ["password_wo"], xref: "a" }, {}, { ...unknown, unset: ["password_wo"] });
    const set = { ...state, password_set: true };
    await update({ unset: ["email"], xref: "b" }, {}, set);
    await update({ unset: ["password_wo"], xref: "c" }, {}, state);
    await update({ unset: ["password_wo"] }, {}, { ...set, unset: ["password_wo"] });
    expect(patches().slice(1)).toEqual([{ xref: "a" }, { xref: "b" }, { xref: "c" }, { password: null }]);
    const asBefore = { ...config, unset: ["password_wo"] };
    const prior = { ...unknown, unset: ["password_wo"] };
    expect(userProfile.propose(asBefore, prior, { asOf: undefined }).action).toBe("none");
  });

  const changed = (name: string, before: Value, after: Value): AttributeChange => ({
    path: [name],
    attribute: userProfile.description.attributes[name]!,
    before,
    after,
  });
  test.each<[string, string, ObjectValue | null, AttributeChange, boolean]>([
    ["a new version", "update", {}, changed("password_wo_version", 1, 2), true],
    ["a version that is no longer declared", "update", {}, changed("password_wo_version", 1, null), false],
    ["a password that is taken away", "update", {}, changed("password_set", true, false), true],
    ["a password that comes", "update", {}, changed("password_set", false, true), false],
    ["`unset` that names it", "update", {}, changed("unset", null, ["password_wo"]), true],
    [
      "`unset` that names it, where there is none",
      "update",
      { password_set: false },
      changed("unset", null, ["password_wo"]),
      false,
    ],
    ["`unset` that names something else", "update", {}, changed("unset", null, ["email"]), false],
    [
      "`unset` that named it",
      "update",
      {},
      changed("unset", ["password_wo"], ["password_wo", "email"]),
      false,
    ],
    ["`unset` of nothing known", "update", null, changed("unset", null, ["password_wo"]), true],
    ["another attribute", "update", {}, changed("xref", "a", "b"), false],
    ["a create", "create", null, changed("password_wo_version", null, 1), false],
  ])("is changed by %s, or is not", (_what, action, before, change, expected) => {
    const other = changed("email", null, "a@b.example");
    expect(updatesPassword({ action, before, attributes: [other, change] })).toBe(expected);
  });
});

test("a user of ours with the account's own name is no primary one, and the key follows the account's name", async () => {
  const { simulator, connection, anew, tenant } = await jane();
  const locate = async (config: ObjectValue) => {
    const { directory } = anew();
    return userProfile.inventory.locate(config, await directory.snapshot());
  };
  const namesake = { username: "globex", account_id: tenant["id"]!, permissions: {} };
  expect((await locate(namesake)).kind).toBe("absent");
  simulator.records.createProfile("globex", { username: "globex" });
  expect(await locate(namesake)).toMatchObject({
    kind: "live",
    records: { self: { login: "globex@globex" } },
  });
  expect(await refusal(created(userProfile, connection, { ...namesake, username: "globex" }))).not.toEqual(
    [],
  );
});

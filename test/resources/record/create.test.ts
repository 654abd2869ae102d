/** An object is created once, under a uuid that proves it to be ours: covers src/resources/record/create.ts. */
import { ownedUuid, parseOwnerKey } from "../../../src/ownership";
import { type Finding, worded } from "../../../src/problems";
import { resource as account } from "../../../src/resources/account";
import { resource as userProfile } from "../../../src/resources/user-profile";
import type { Connection, Snapshot } from "../../../src/service";
import type { Simulator } from "../../../src/lib/simulator";
import type { ObjectValue } from "../../../src/lib/values";
import { connected, type ConnectionOptions } from "../../support/connections";
import { created, deleted, refreshed, refusal, textIn } from "../../support/life";
import { watchedService } from "../../support/watched-service";

const OWNER = "acme-platform";
const uuidOf = (kind: string, names: readonly string[], generation = 0) =>
  ownedUuid({ kind, names, owner: OWNER }, generation);

/** Refuses creates of users from now on. */
function refuse(simulator: Simulator, status: number, message: string, errors: readonly object[] = []) {
  const body = { status, message, errors };
  simulator.fail({ method: "POST", path: "/api/user-profile", status, times: 999, body });
}

/** A run that has read these lists before its first create. */
function having(connection: Connection, lists: Snapshot): Connection {
  return {
    ...connection,
    directory: { ...connection.directory, beforeCreates: () => Promise.resolve(lists) },
  };
}

const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code);
const told = async (promise: Promise<unknown>) =>
  worded(await refusal(promise)).map(({ code, summary, detail = "" }) => `${code} ${summary} ${detail}`);
const without = (login: string) => (list: unknown) =>
  (list as { login: string }[]).filter((user) => user.login !== login);

describe("the uuids of what is created", () => {
  test("are the owner's, for an account and its primary user profile, and the user's where they are declared", async () => {
    const { connection, bodies } = await watchedService();
    await created(account, connection, { name: "initech", permissions: {} });
    const own = {
      uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f",
      user_uuid: "1b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f",
    };
    const { state, findings } = await created(account, connection, {
      name: "hooli",
      permissions: {},
      ...own,
    });
    expect([state, findings]).toMatchObject([own, []]);
    expect(bodies("POST")).toMatchObject([
      { uuid: uuidOf("account", ["initech"]), user_uuid: uuidOf("primary", ["initech"]) },
      own,
    ]);
  });

  test("of a user are made of the account's name, be it listed, made since, or the caller's own", async () => {
    const { simulator, connection, create, bodies } = await watchedService();
    await create("jane");
    await created(userProfile, connection, { username: "bob", permissions: {} });
    const { id } = simulator.records.createAccount({ name: "initech" });
    await create("eve", { account_id: id });
    expect(bodies("POST").map(({ uuid }) => uuid)).toEqual([
      uuidOf("user_profile", ["globex", "jane"]),
      uuidOf("user_profile", ["system", "bob"]),
      uuidOf("user_profile", ["initech", "eve"]),
    ]);
    expect(bodies("POST")[0]).not.toHaveProperty("user_uuid");
  });

  test("go without the account that only the plan names, since the caller may be unable to name any", async () => {
    const { simulator, connection, bodies } = await watchedService();
    const config = { username: "bob", permissions: {} };
    const { planned } = userProfile.propose(config, null, { asOf: undefined });
    const account_id = simulator.records.account("system").id;
    await userProfile.create(connection, { config, planned: { ...planned, account_id } });
    expect(bodies("POST")[0]).not.toHaveProperty("account_id");
  });

  test("are random without an owner, also the primary user profile's", async () => {
    const { connection, bodies } = await watchedService({}, { owner: null });
    await created(account, connection, { name: "initech", permissions: {} });
    const { uuid, user_uuid: primary } = bodies("POST")[0] as { uuid: string; user_uuid: string };
    expect([uuid, primary].map((one) => one.charAt(14))).toEqual(["4", "4"]);
    expect(uuid).not.toBe(primary);
  });

  test("are made with the owner key where there is one", async () => {
    const ownerKey = "the key of the platform team";
    const { create, bodies } = await watchedService({}, { ownerKey });
    await create("jane");
    const key = { kind: "user_profile", names: ["globex", "jane"], owner: OWNER };
    expect(bodies("POST")[0]?.["uuid"]).toBe(ownedUuid({ ...key, ownerKey: parseOwnerKey(ownerKey) }));
  });
});

describe("a create that is refused as a duplicate", () => {
  test("looks again where another create of the run came between the reading of one list and the next", async () => {
    const { simulator, connection, anew } = await connected({ reuseUuids: false });
    const names = ["acme", "initech"];
    await Promise.all(names.map((name) => created(account, connection, { name, permissions: {} })));
    for (const name of names) simulator.records.deleteAccount(name);
    const run = anew();
    await run.directory.snapshot();
    // The list of accounts comes when the other account has been made; the list of users came before.
    simulator.fail({ method: "GET", path: "/api/account", delay: 300 });
    const states = await Promise.all(
      names.map(async (name) => (await created(account, run, { name, permissions: {} })).state),
    );
    expect(states.map(({ uuid }) => uuid)).toEqual(names.map((name) => uuidOf("account", [name], 1)));
  });

  test.each<[number, string, readonly object[], number]>([
    [409, "the uuid is taken", [], 33],
    [409, "the uuid of jane@globex is taken", [], 33],
    [409, "conflict", [], 33],
    [409, "the login is taken", [], 5],
    [409, "jane@globex exists already", [], 1],
    [409, "'jane@globex' is there", [], 1],
    [400, "", [{ type: "t", field: "/uuid", msg: "was used" }], 33],
    [400, "this UUID was used", [], 33],
    [400, "", [{ type: "t", field: "/email", msg: "another uuid, please" }], 33],
    [400, "", [{ type: "t", field: "/username", msg: "no" }], 1],
    [400, "such an object exists", [], 1],
    [400, "", [{ type: "t", field: "/email", msg: "is in use" }], 1],
    [400, "", [{ type: "t", field: "/email", msg: "is too long" }], 1],
  ])(
    "with %d, %j and %j is tried under as many uuids as its words allow: %d",
    async (status, message, errors, times) => {
      const { simulator, create, bodies } = await watchedService();
      refuse(simulator, status, message, errors);
      expect(codes(await refusal(create("jane")))).toContain(
        status === 409 ? "TENANCY_API_CONFLICT" : "TENANCY_API_VALIDATION",
      );
      expect(bodies("POST").map(({ uuid }) => uuid)).toEqual(
        Array.from({ length: times }, (_, generation) =>
          uuidOf("user_profile", ["globex", "jane"], generation),
        ),
      );
    },
  );

  test.each<[string, ObjectValue, ConnectionOptions]>([
    ["a uuid of the user's", { uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f" }, {}],
    ["no owner", {}, { owner: null }],
  ])("is tried once with %s", async (_what, more, how) => {
    const { simulator, create, bodies } = await watchedService({}, how);
    refuse(simulator, 409, "the uuid is taken");
    expect(codes(await refusal(create("jane", more)))).toEqual(["TENANCY_API_CONFLICT"]);
    expect(bodies("POST")).toHaveLength(1);
  });

  test("is tried under further uuids where the primary user profile's is named", async () => {
    const { simulator, connection, bodies } = await watchedService();
    const errors = [{ type: "t", field: "/user_uuid", msg: "was used" }];
    simulator.fail({ method: "POST", path: "/api/account", status: 400, body: { status: 400, errors } });
    await created(account, connection, { name: "initech", permissions: {} });
    expect(bodies("POST").map((body) => body["user_uuid"])).toEqual([
      uuidOf("primary", ["initech"]),
      uuidOf("primary", ["initech"], 1),
    ]);
  });

  test("is asked about in the lists only where it may be one", async () => {
    const { simulator, create, sent } = await watchedService();
    const LISTS = ["GET account", "GET user-profile"];
    refuse(simulator, 400, "", [{ type: "t", field: "/email", msg: "is too long" }]);
    expect(codes(await refusal(create("jane")))).toEqual(["TENANCY_API_VALIDATION"]);
    expect(sent().sort()).toEqual([...LISTS, "POST user-profile"].sort());
  });

  /** Another run makes the user, or somebody else does, after this run has looked. */
  const meanwhile = async (uuid: string | undefined, more: ObjectValue = {}) => {
    const it = await watchedService();
    await it.connection.directory.beforeCreates();
    it.simulator.records.createProfile("globex", { username: "jane", ...(uuid !== undefined && { uuid }) });
    it.simulator.clearRequests();
    return { ...it, made: it.create("jane", more) };
  };

  test("is a success where ours is live by now", async () => {
    const later = uuidOf("user_profile", ["globex", "jane"], 3);
    expect((await (await meanwhile(later)).made).state["uuid"]).toBe(later);
  });

  test("is an error where a user of somebody else's has the declared uuid by now", async () => {
    const own = "0B8E7D2C-4c1b-4f5e-9d64-0a2b3c4d5e6f";
    const { made, bodies } = await meanwhile(own.toLowerCase(), { uuid: own });
    expect(codes(await refusal(made))).toEqual(["TENANCY_UNMANAGED"]);
    expect(bodies("POST")).toHaveLength(1);
  });

  test("is an error where another owner's user has the declared uuid by now", async () => {
    const uuid = ownedUuid({ kind: "user_profile", names: ["globex", "jane"], owner: "others" }, 0);
    const { made } = await meanwhile(uuid, { uuid });
    expect(codes(await refusal(made))).toEqual(["TENANCY_OTHER_OWNER"]);
  });

  test("is a success, too, where the service finds something else besides to refuse", async () => {
    const it = await watchedService();
    await it.connection.directory.beforeCreates();
    const uuid = uuidOf("user_profile", ["globex", "jane"]);
    it.simulator.records.createProfile("globex", { username: "jane", uuid });
    refuse(it.simulator, 400, "", [
      { type: "t", field: "/username", msg: "no" },
      { type: "t", field: "/email", msg: "is too long" },
    ]);
    expect((await it.create("jane")).state["uuid"]).toBe(uuid);
  });

  test.each([
    ["without an owner", { owner: null }, {}],
    ["under a declared uuid", {}, { uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f" }],
  ])("by what its own lost request made is a success, %s, too", async (_how, options, more) => {
    const { simulator, create, bodies } = await watchedService({}, options);
    simulator.fail({ method: "POST", path: "/api/user-profile", when: "after", status: 503 });
    const hidden = { method: "GET", path: "/api/user-profile", alter: without("jane@globex") };
    simulator.fail({ ...hidden, skip: 1, times: 2 });
    const { state } = await create("jane", more);
    expect(state["id"]).toBe(simulator.records.profile("jane@globex").id);
    expect(bodies("POST")).toHaveLength(2);
  });

  test("is an error that says whose it is where somebody else's is live by now", async () => {
    const { made, simulator, bodies } = await meanwhile(undefined);
    const [text] = await told(made);
    const { id } = simulator.records.profile("jane@globex");
    expect(text).toContain(
      `TENANCY_UNMANAGED user profile "jane@globex" exists, and this owner does not manage it`,
    );
    expect(text).toContain(id);
    expect(bodies("POST")).toHaveLength(1);
  });

  test("is an error that names the obstacle where ours has another name, or the uuid of the user's is another's", async () => {
    const it = await watchedService();
    await it.connection.directory.beforeCreates();
    const uuid = uuidOf("user_profile", ["globex", "jane"]);
    it.simulator.records.createProfile("globex", { username: "bob", uuid });
    expect(codes(await refusal(it.create("jane")))).toEqual(["TENANCY_RENAMED_OUTSIDE"]);
    expect(it.bodies("POST")).toHaveLength(1);
  });

  test("stays refused where the lists are not whole, read three times more, or another user has the uuid", async () => {
    const { simulator, create, bodies, sent } = await watchedService();
    refuse(simulator, 409, "the uuid is taken");
    simulator.fail({ method: "GET", path: "/api/account", skip: 1, times: 99, alter: () => [] });
    expect(codes(await refusal(create("jane")))).toEqual(["TENANCY_API_CONFLICT"]);
    expect(bodies("POST")).toHaveLength(1);
    const after = sent().slice(sent().indexOf("POST user-profile"));
    expect(after.filter((request) => request === "GET account")).toHaveLength(1 + 3);
    const other = await watchedService({}, { owner: null });
    const uuid = "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f";
    await other.connection.directory.beforeCreates();
    other.simulator.records.createProfile("globex", { username: "bob", uuid });
    expect(codes(await refusal(other.create("jane", { uuid })))).toEqual(["TENANCY_RENAMED_OUTSIDE"]);
  });

  test.each(["ours", "somebody else's"])(
    "goes on where what is listed as %s has gone by now",
    async (whose) => {
      const { simulator, id, create, bodies } = await watchedService();
      const [first, second] = [0, 1].map((generation) =>
        uuidOf("user_profile", ["globex", "jane"], generation),
      );
      const isFirst = ({ body }: { body: unknown }) => (body as ObjectValue | undefined)?.["uuid"] === first;
      simulator.fail({ method: "POST", where: isFirst, status: 409, body: { message: "the uuid is taken" } });
      const gone = { id: "user_profile:1:99", serial: "USR99", login: "jane@globex", account_id: id };
      const alter = (list: unknown) => [
        ...(list as object[]),
        { ...gone, uuid: whose === "ours" ? first : null },
      ];
      simulator.fail({ method: "GET", path: "/api/user-profile", skip: 1, alter });
      expect((await create("jane")).state["uuid"]).toBe(second);
      expect(bodies("POST").map(({ uuid }) => uuid)).toEqual([first, second]);
    },
  );

  test("of what this run has handed out is an error, also where the lists hide it at first", async () => {
    const { connection, create } = await watchedService();
    const before = await connection.directory.snapshot();
    const { state } = await create("jane");
    const [text] = await told(create("jane", {}, having(connection, before)));
    expect(text).toContain("TENANCY_ALREADY_LIVE");
    expect(text).toContain(textIn(state, "id"));
    connection.directory.invalidate();
    expect(codes(await refusal(create("jane")))).toEqual(["TENANCY_ALREADY_LIVE"]);
  });
});

describe("before anything is sent", () => {
  test.each([undefined, uuidOf("user_profile", ["globex", "bob"])])(
    "what is listed and has gone since is no obstacle, be its uuid %s",
    async (uuid) => {
      const { simulator, connection, create, bodies } = await watchedService();
      simulator.records.createProfile("globex", { username: "jane", ...(uuid !== undefined && { uuid }) });
      const before = await connection.directory.snapshot();
      simulator.records.deleteProfile("jane@globex");
      await create(uuid === undefined ? "jane" : "bob", {}, having(connection, before));
      expect(bodies("POST")).toHaveLength(1);
    },
  );

  test("what was renamed outside is an error", async () => {
    const { simulator, create, bodies } = await watchedService();
    const uuid = uuidOf("user_profile", ["globex", "jane"]);
    simulator.records.createProfile("globex", { username: "bob", uuid });
    expect(codes(await refusal(create("jane")))).toEqual(["TENANCY_RENAMED_OUTSIDE"]);
    expect(bodies("POST")).toEqual([]);
  });

  test.each(["globex", "system"])(
    "an account that the list shows without its name is an error: %s",
    async (name) => {
      const { simulator, create, bodies } = await watchedService();
      const alter = (list: unknown) =>
        (list as { name: string }[]).map((one) => (one.name === name ? { ...one, name: null } : one));
      simulator.fail({ method: "GET", path: "/api/account", times: 99, alter });
      const [text] = await told(create("jane", name === "system" ? { account_id: null } : {}));
      expect(text).toContain("TENANCY_NOT_VERIFIED");
      expect(bodies("POST")).toEqual([]);
    },
  );

  test("what may be there unseen is told, and with what reason", async () => {
    const { simulator, create, sent } = await watchedService();
    simulator.fail({ method: "GET", path: "/api/account", times: 9, alter: () => [] });
    const [text] = await told(create("jane"));
    expect(text).toContain(
      'user profile "jane@globex" is not listed, and that proves nothing: the lists are',
    );
    expect(sent()).not.toContain("POST user-profile");
  });
});

describe("an answer that does not tell what was made", () => {
  test("is completed from the lists, or else by a later reading", async () => {
    const { simulator, create } = await watchedService();
    simulator.fail({ method: "POST", path: "/api/user-profile", alter: () => ({ username: "jane" }) });
    const { state, findings } = await create("jane");
    expect(state["id"]).toBe(simulator.records.profile("jane@globex").id);
    expect(findings).toEqual([]);
    simulator.fail({ method: "POST", path: "/api/user-profile", alter: () => ({ username: "bob" }) });
    simulator.fail({ method: "GET", path: "/api/user-profile", skip: 0, status: 403, times: 9 });
    const blind = await create("bob");
    expect(codes(blind.findings)).toEqual(["TENANCY_WRITTEN_UNREAD"]);
    expect(blind.state).toMatchObject({ username: "bob", id: null });
  });

  describe("nor do the lists", () => {
    const blindly = async () => {
      const service = await watchedService();
      const { simulator, connection, create } = service;
      simulator.fail({ method: "POST", path: "/api/user-profile", alter: () => ({ username: "bob" }) });
      const lists = simulator.fail({
        method: "GET",
        path: "/api/user-profile",
        skip: 1,
        status: 403,
        times: 9,
      });
      const { state } = await create("bob");
      lists.remove();
      connection.directory.invalidate();
      return { ...service, state };
    };

    test("leaves a state by whose uuid a later refresh finds the record", async () => {
      const { simulator, connection, state } = await blindly();
      const { id } = simulator.records.profile("bob@globex");
      expect(await refreshed(userProfile, connection, state)).toMatchObject({ id, login: "bob@globex" });
    });

    test("leaves a state that is forgotten only where complete lists prove that the record is gone", async () => {
      const { simulator, connection, state } = await blindly();
      simulator.records.deleteProfile("bob@globex");
      const short = simulator.fail({ method: "GET", path: "/api/account", alter: () => [], times: 9 });
      expect(codes(await refusal(refreshed(userProfile, connection, state)))).toEqual([
        "TENANCY_NOT_VERIFIED",
      ]);
      short.remove();
      connection.directory.invalidate();
      expect(await refreshed(userProfile, connection, state)).toBeUndefined();
    });

    test("leaves a state that is neither changed nor deleted before a refresh has found the record", async () => {
      const { connection, state } = await blindly();
      const [finding] = await refusal(deleted(userProfile, connection, state));
      expect(finding).toMatchObject({ code: "TENANCY_NOT_VERIFIED" });
      expect(finding?.summary).toContain("a refresh looks for the object");
    });
  });

  test.each(["id", "serial"])("leads to the record where it shows the %s alone", async (member) => {
    const { simulator, create, sent } = await watchedService();
    await create("anna");
    const alter = (body: unknown) => ({ [member]: (body as ObjectValue)[member] });
    simulator.fail({ method: "POST", path: "/api/user-profile", alter });
    simulator.clearRequests();
    const { state } = await create("jane");
    expect(state["id"]).toBe(simulator.records.profile("jane@globex").id);
    expect(sent()).toEqual(["POST user-profile", "GET user-profile"]);
  });

  test("and was given before anything was made is asked for again", async () => {
    const { simulator, create, bodies } = await watchedService();
    simulator.fail({ method: "POST", path: "/api/user-profile", status: 503 });
    const { state, findings } = await create("jane");
    expect([state["login"], findings]).toEqual(["jane@globex", []]);
    expect(bodies("POST")).toHaveLength(2);
  });

  test.each([
    ["of the same provider, which sends it once more", 1],
    ["of a provider whose lists show it already, which sends nothing", 0],
  ])(
    "and cannot be looked for leaves in doubt whether there is one, until the next declaration of it takes it: one %s",
    async (_whose, again) => {
      const { simulator, connection, create, bodies } = await watchedService();
      const list = { method: "GET", skip: 1, times: 99 };
      const faults = [
        simulator.fail({ method: "POST", path: "/api/user-profile", when: "after", status: 503, times: 9 }),
        simulator.fail({ ...list, path: "/api/account", alter: () => [] }),
        simulator.fail({ ...list, path: "/api/user-profile", alter: without("jane@globex") }),
      ];
      const [text] = await told(create("jane"));
      expect(text).toContain("TENANCY_ANSWER_LOST");
      expect(text).toContain(
        "cannot find out whether the user profile was created: the lists are incomplete",
      );
      for (const fault of faults) fault.remove();
      const next = again === 0 ? having(connection, await connection.directory.snapshot()) : connection;
      simulator.clearRequests();
      const { state } = await create("jane", {}, next);
      expect(state["id"]).toBe(simulator.records.profile("jane@globex").id);
      expect(bodies("POST")).toHaveLength(again);
      expect(codes(await refusal(create("jane", {}, next)))).toEqual(["TENANCY_ALREADY_LIVE"]);
    },
  );
});

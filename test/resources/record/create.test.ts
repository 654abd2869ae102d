/** An object is created once, under a uuid that nobody can foresee: covers src/resources/record/create.ts. */
import { type Finding, worded } from "../../../src/problems";
import { resource as account } from "../../../src/resources/account";
import { resource as userProfile } from "../../../src/resources/user-profile";
import type { Connection, Snapshot } from "../../../src/service";
import type { Simulator } from "../../../src/lib/simulator";
import type { ObjectValue } from "../../../src/lib/values";
import { created, deleted, refreshed, refusal, textIn } from "../../support/life";
import { watchedService } from "../../support/watched-service";

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
  test("are the declared ones", async () => {
    const { connection, bodies } = await watchedService();
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
    expect(bodies("POST")).toMatchObject([own]);
  });

  test("go without the account that only the plan names, since the caller may be unable to name any", async () => {
    const { simulator, connection, bodies } = await watchedService();
    const config = { username: "bob", permissions: {} };
    const { planned } = userProfile.propose(config, null, { asOf: undefined });
    const account_id = simulator.records.account("system").id;
    await userProfile.create(connection, { config, planned: { ...planned, account_id } });
    expect(bodies("POST")[0]).not.toHaveProperty("account_id");
  });

  test("are random where none is declared, also the primary user profile's", async () => {
    const { connection, bodies } = await watchedService();
    await created(account, connection, { name: "initech", permissions: {} });
    const { uuid, user_uuid: primary } = bodies("POST")[0] as { uuid: string; user_uuid: string };
    expect([uuid, primary].map((one) => one.charAt(14))).toEqual(["4", "4"]);
    expect(uuid).not.toBe(primary);
  });
});

describe("a create that is refused as a duplicate", () => {
  test.each<[number, string, readonly object[]]>([
    [409, "the uuid is taken", []],
    [409, "the uuid of jane@globex is taken", []],
    [409, "conflict", []],
    [409, "the login is taken", []],
    [409, "jane@globex exists already", []],
    [409, "'jane@globex' is there", []],
    [400, "", [{ type: "t", field: "/uuid", msg: "was used" }]],
    [400, "this UUID was used", []],
    [400, "", [{ type: "t", field: "/email", msg: "another uuid, please" }]],
    [400, "", [{ type: "t", field: "/username", msg: "no" }]],
    [400, "such an object exists", []],
    [400, "", [{ type: "t", field: "/email", msg: "is in use" }]],
    [400, "", [{ type: "t", field: "/email", msg: "is too long" }]],
  ])("with %d, %j and %j is tried once", async (status, message, errors) => {
    const { simulator, create, bodies } = await watchedService();
    refuse(simulator, status, message, errors);
    expect(codes(await refusal(create("jane")))).toContain(
      status === 409 ? "TENANCY_API_CONFLICT" : "TENANCY_API_VALIDATION",
    );
    expect(bodies("POST")).toHaveLength(1);
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

  test("is an error where a user of somebody else's has the declared uuid by now", async () => {
    const own = "0B8E7D2C-4c1b-4f5e-9d64-0a2b3c4d5e6f";
    const { made, bodies } = await meanwhile(own.toLowerCase(), { uuid: own });
    expect(codes(await refusal(made))).toEqual(["TENANCY_UNMANAGED"]);
    expect(bodies("POST")).toHaveLength(1);
  });

  test.each([
    ["a random uuid", {}],
    ["a declared uuid", { uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f" }],
  ])("by what its own lost request made is a success, under %s", async (_how, more) => {
    const { simulator, create, bodies } = await watchedService();
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
      `TENANCY_UNMANAGED user profile "jane@globex" exists, and this configuration does not manage it`,
    );
    expect(text).toContain(id);
    expect(bodies("POST")).toHaveLength(1);
  });

  test("stays refused where the lists are not whole, read twice", async () => {
    const { simulator, create, bodies, sent } = await watchedService();
    refuse(simulator, 409, "the uuid is taken");
    simulator.fail({ method: "GET", path: "/api/account", skip: 1, times: 99, alter: () => [] });
    expect(codes(await refusal(create("jane")))).toEqual(["TENANCY_API_CONFLICT"]);
    expect(bodies("POST")).toHaveLength(1);
    const after = sent().slice(sent().indexOf("POST user-profile"));
    expect(after.filter((request) => request === "GET account")).toHaveLength(2);
  });

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
  test("what is listed and has gone since is no obstacle", async () => {
    const { simulator, connection, create, bodies } = await watchedService();
    simulator.records.createProfile("globex", { username: "jane" });
    const before = await connection.directory.snapshot();
    simulator.records.deleteProfile("jane@globex");
    await create("jane", {}, having(connection, before));
    expect(bodies("POST")).toHaveLength(1);
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
      const own = { uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f" };
      const [text] = await told(create("jane", own));
      expect(text).toContain("TENANCY_ANSWER_LOST");
      expect(text).toContain(
        "cannot find out whether the user profile was created: the lists are incomplete",
      );
      for (const fault of faults) fault.remove();
      const next = again === 0 ? having(connection, await connection.directory.snapshot()) : connection;
      simulator.clearRequests();
      const { state } = await create("jane", own, next);
      expect(state["id"]).toBe(simulator.records.profile("jane@globex").id);
      expect(bodies("POST")).toHaveLength(again);
      expect(codes(await refusal(create("jane", own, next)))).toEqual(["TENANCY_ALREADY_LIVE"]);
    },
  );
});

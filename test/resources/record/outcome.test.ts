/** What the service made of a write, and what is told of it: covers src/resources/record/outcome.ts. */
import { resource as account } from "../../../src/resources/account";
import { fillPlanned } from "../../../src/resources/record/outcome";
import type { Simulator } from "../../../src/lib/simulator";
import { isObject, type ObjectValue, UNKNOWN } from "../../../src/lib/values";
import { connected } from "../../support/connections";
import { created, updated } from "../../support/life";
import { watchedService } from "../../support/watched-service";

const GLOBEX: ObjectValue = { name: "globex", permissions: {} };

describe("after a create", () => {
  test("an answer that shows the whole record is not read again", async () => {
    const { connection, create, sent, simulator } = await watchedService();
    await create("jane");
    expect(sent().slice(2)).toEqual(["POST user-profile"]);
    simulator.clearRequests();
    await created(account, connection, { name: "initech" });
    expect(sent().slice(-2)).toEqual(["POST account", "GET user-profile"]);
  });

  /** Answers about a user, or a primary one, that show a right which this version does not know, until it is denied. */
  const unknownRight = (simulator: Simulator, login: string) => {
    const isDenied = () =>
      simulator.requests.some(
        ({ method, status = 500, body }) =>
          method === "PATCH" && status < 300 && JSON.stringify(body).includes("future"),
      );
    return simulator.fail({
      path: /user-profile/,
      times: 99,
      alter: (body) => {
        const record = body as { login?: string; permissions?: object };
        return record.login !== login || isDenied()
          ? body
          : { ...record, permissions: { ...record.permissions, future: { rights: { read_minds: true } } } };
      },
    });
  };
  const DENIAL = { permissions: { future: { rights: { read_minds: false } } } };

  test("a right that this version does not know is taken away where permissions are exact", async () => {
    const { simulator, connection, create, bodies } = await watchedService();
    const users = unknownRight(simulator, "jane@globex");
    const { state, findings } = await create("jane");
    expect([bodies("PATCH"), findings, state["permissions"]]).toMatchObject([[DENIAL], [], {}]);
    simulator.clearRequests();
    users.remove();
    unknownRight(simulator, "initech");
    expect((await created(account, connection, { name: "initech", permissions: {} })).findings).toEqual([]);
    const [patch] = simulator.requests.filter(({ method }) => method === "PATCH");
    expect(patch?.path).toBe(`/api/user-profile/${simulator.records.profile("initech").id}`);
    expect(patch?.body).toMatchObject(DENIAL);
  });

  test.each<[string, ObjectValue]>([
    ["kept", { undeclared_rights: "keep" }],
    ["not declared", { permissions: null }],
  ])("such a right stays where permissions are %s", async (_what, more) => {
    const { simulator, create, bodies } = await watchedService();
    unknownRight(simulator, "jane@globex");
    expect((await create("jane", more)).findings).toEqual([]);
    expect(bodies("PATCH")).toEqual([]);
  });

  test("such a right that cannot be taken away is told, and that it stays", async () => {
    const { simulator, create } = await watchedService();
    simulator.fail({ method: "PATCH", status: 403, times: 9 });
    unknownRight(simulator, "jane@globex");
    const { findings } = await create("jane");
    expect(findings.map(({ code, severity, attribute }) => [code, severity, attribute?.join(" ")])).toEqual([
      ["TENANCY_WRITTEN_UNREAD", "warning", undefined],
      ["TENANCY_NOT_TAKEN", "warning", "permissions future.read_minds"],
    ]);
    expect(findings[0]?.summary).toContain("access denied");
  });

  test("rights that are declared and known stay, and nothing is sent for them", async () => {
    const { create, bodies } = await watchedService();
    const permissions = { "vss.manage_rules": true };
    const { state, findings } = await create("jane", { permissions });
    expect([state["permissions"], findings, bodies("PATCH")]).toEqual([permissions, [], []]);
  });

  test("an account that shows no primary user profile's id is not asked for that profile", async () => {
    const { simulator, connection, sent } = await watchedService();
    const alter = ({ admin_profile_id: _, ...rest }: Record<string, unknown>) => rest;
    simulator.fail({ method: "POST", path: "/api/account", alter: alter as never });
    simulator.fail({ method: "GET", path: /account\//, times: 9, alter: alter as never });
    const { findings } = await created(account, connection, { name: "initech", permissions: {}, level: 3 });
    expect(findings).toEqual([]);
    expect(sent().slice(-2)).toEqual(["POST account", "GET account"]);
  });

  test("another uuid than the declared one is one error, and a uuid that is not shown is none", async () => {
    const { simulator, create } = await watchedService();
    const showing = (uuid: string | null) =>
      simulator.fail({
        where: ({ method, path }) => method === "POST" || path.startsWith("/api/user-profile/"),
        times: 99,
        alter: (body) => ({ ...(body as object), uuid }),
      });
    const others = showing("00000000-0000-4000-8000-000000000000");
    const declared = { uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f" };
    const { findings, state } = await create("jane", declared);
    expect(findings).toMatchObject([{ severity: "error", code: "TENANCY_UUID_IGNORED" }]);
    expect(findings[0]?.summary).toContain(simulator.records.profile("jane@globex").id);
    expect(state).toMatchObject(declared);
    others.remove();
    showing(null);
    expect((await create("bob")).findings).toEqual([]);
  });

  test("another uuid of the primary user profile than the declared one is a warning that names the attribute", async () => {
    const { simulator, connection } = await watchedService();
    const alter = (body: unknown) => ({ ...(body as object), uuid: "00000000-0000-4000-8000-000000000000" });
    simulator.fail({ method: "GET", path: /user-profile\//, times: 99, alter });
    const config = {
      name: "initech",
      permissions: {},
      user_uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f",
    };
    const { findings, state } = await created(account, connection, config);
    expect(findings).toMatchObject([
      { severity: "warning", code: "TENANCY_NOT_TAKEN", attribute: ["user_uuid"] },
    ]);
    expect(state).toMatchObject(config);
    expect((await created(account, connection, { name: "hooli", permissions: {} })).findings).toEqual([]);
  });

  test("a reading that fails once is repeated without a word", async () => {
    const { simulator, connection } = await watchedService();
    simulator.fail({ method: "GET", path: /user-profile\//, status: 403 });
    const { findings, state } = await created(account, connection, {
      name: "initech",
      permissions: {},
      level: 3,
    });
    expect(findings).toEqual([]);
    expect(state["level"]).toBe(3);
  });

  test("a primary user profile that is not there is no difference", async () => {
    const { simulator, connection } = await watchedService();
    simulator.fail({ method: "GET", path: /user-profile\//, status: 404, times: 9 });
    const { findings, state } = await created(account, connection, {
      name: "initech",
      permissions: {},
      level: 3,
    });
    expect([findings, state["level"], state["access_web"]]).toEqual([[], 3, null]);
  });
});

describe("what the service did not take", () => {
  const CONTACT = { first_name: "Jo", company: "Globex", address: { city: "Ghent", addr: ["a", "b"] } };
  const contact = (primary: unknown) => (body: unknown) =>
    isObject(body as never) ? { ...(body as object), primary_contact: primary } : body;
  const made = async (primary: unknown, config: ObjectValue) => {
    const { simulator, connection } = await connected({ contacts: "full" });
    simulator.fail({
      path: /account(\/.*)?$/,
      times: 99,
      alter: contact(primary),
      where: ({ path, method }) => method !== "GET" || path !== "/api/account",
    });
    const { findings, state } = await created(account, connection, { ...GLOBEX, ...config });
    return {
      state,
      told: findings.map(({ severity, summary, attribute }) => [
        severity,
        attribute?.join("."),
        /it shows (.*)$/.exec(summary)?.[1],
      ]),
    };
  };

  test("of a contact is told at its member, and what is shown instead", async () => {
    const shown = { ...CONTACT, first_name: "Joe", company: null, address: { city: 'G "1"', addr: [] } };
    const { told, state } = await made(shown, { primary_contact: CONTACT });
    expect(told).toEqual([
      ["warning", "primary_contact.first_name", '"Joe"'],
      ["warning", "primary_contact.company", "nothing"],
      ["warning", "primary_contact.address.addr", "nothing"],
      ["warning", "primary_contact.address.city", '"G \\"1\\""'],
    ]);
    expect(state["primary_contact"]).toMatchObject(CONTACT);
  });

  test("of a contact that is not shown, or shown as none, is nothing to tell or all of it", async () => {
    expect((await made(undefined, { primary_contact: CONTACT })).told).toEqual([]);
    const { told } = await made(null, { primary_contact: { first_name: "Jo", address: { city: "Ghent" } } });
    expect(told).toEqual([
      ["warning", "primary_contact.first_name", "nothing"],
      ["warning", "primary_contact.address.city", "nothing"],
    ]);
  });

  test("of a number or an address behind a mask is told where the mask does not fit", async () => {
    const declared = { first_name: "Jo", phone: "4155554567", email: "jo@globex.example" };
    const masked = { ...declared, phone: { number: "******0000" }, email: { addr: "j***@globex.example" } };
    expect((await made(masked, { primary_contact: declared })).told).toEqual([
      ["warning", "primary_contact.phone", '"******0000"'],
    ]);
    const others = { ...declared, phone: { number: "4155550000" }, email: {} };
    expect((await made(others, { primary_contact: declared })).told).toEqual([
      ["warning", "primary_contact.phone", '"4155550000"'],
    ]);
  });

  test("of a value that only looks masked is told like any other", async () => {
    const { simulator, create } = await watchedService();
    const alter = (body: unknown) => ({ ...(body as object), xref: "****567" });
    simulator.fail({ method: "POST", path: "/api/user-profile", alter });
    simulator.fail({ path: /user-profile\//, times: 9, alter });
    expect((await create("jane", { xref: "1234567" })).findings).toMatchObject([{ attribute: ["xref"] }]);
  });

  test("is not looked for in members that only happen to be called like an attribute", async () => {
    const { simulator, connection } = await connected();
    const echo = {
      template: "silver",
      host: "other.example",
      deletion_protection: true,
      allow_nonempty_delete: true,
      undeclared_rights: "keep",
      unset: ["limits_vss_num"],
      password_wo: "other",
      password_wo_version: 9,
      password: "other",
    };
    const alter = (body: unknown) => (Array.isArray(body) ? body : { ...(body as object), ...echo });
    simulator.fail({ path: /account|user-profile/, times: 99, alter });
    const config = {
      ...GLOBEX,
      template: "gold",
      host: "storage.example",
      deletion_protection: false,
      undeclared_rights: "deny",
      unset: ["limits_size_reserve_total"],
      password_wo: "secret",
      password_wo_version: 1,
    };
    const { state, findings } = await created(account, connection, config);
    expect(findings).toEqual([]);
    const { undeclared_rights: _, ...others } = config;
    expect(state).toMatchObject({ ...others, password_wo: null });
    const later = {
      ...config,
      template: "bronze",
      host: "new.example",
      allow_nonempty_delete: false,
      unset: [],
      limits_vss_num: 3,
      password_wo_version: 2,
    };
    expect((await updated(account, connection, state, later)).findings).toEqual([]);
  });

  test("is nothing that a create does not send: a quota that is unset", async () => {
    const { simulator, connection } = await connected();
    const alter = (body: unknown) => ({
      ...(body as object),
      limits: { vss_num: 5, size_reserve_total: null },
    });
    simulator.fail({
      path: /account(\/.*)?$/,
      where: ({ method, path }) => method === "POST" || path !== "/api/account",
      times: 99,
      alter,
    });
    const { findings, state } = await created(account, connection, { ...GLOBEX, unset: ["limits_vss_num"] });
    expect([findings, state["limits_vss_num"]]).toEqual([[], null]);
  });

  test("of a contact that is taken away is told as such, and nothing of one that is not shown", async () => {
    const { simulator, connection } = await connected({ contacts: "full" });
    const config = { ...GLOBEX, billing_contact: { first_name: "Jo" } };
    const { state } = await created(account, connection, config);
    const unset = { ...GLOBEX, billing_contact: null, unset: ["billing_contact"] };
    expect((await updated(account, connection, state, unset)).findings).toEqual([]);
    const shown = (billing: unknown) =>
      simulator.fail({
        path: /account\//,
        times: 99,
        alter: (body) => ({ ...(body as object), billing_contact: billing }),
      });
    const kept = shown({ first_name: "Jo" });
    expect((await updated(account, connection, state, unset)).findings).toMatchObject([
      { severity: "error", attribute: ["billing_contact"] },
    ]);
    kept.remove();
    shown(undefined);
    const other = { ...GLOBEX, billing_contact: { first_name: "Joe" } };
    expect((await updated(account, connection, state, other)).findings).toEqual([]);
  });

  test("of an update is an error at its member, with the live value in the state", async () => {
    const { simulator, connection } = await connected({ contacts: "full" });
    const config = { ...GLOBEX, primary_contact: CONTACT, level: 1 };
    const { state } = await created(account, connection, config);
    const city = (body: unknown) => {
      const { primary_contact: shown } = body as { primary_contact: { address: object } };
      return {
        ...(body as object),
        primary_contact: { ...shown, address: { ...shown.address, city: "Bruges" } },
      };
    };
    simulator.fail({ path: /account\//, times: 99, alter: city });
    simulator.fail({
      path: /user-profile\//,
      times: 99,
      alter: (body) => ({ ...(body as object), level: 7 }),
    });
    const moved = { ...CONTACT, company: "Initech", address: { ...CONTACT.address, city: "Antwerp" } };
    const outcome = await updated(account, connection, state, {
      ...config,
      primary_contact: moved,
      level: 2,
    });
    expect(outcome.findings.map(({ severity, attribute }) => [severity, attribute?.join(".")])).toEqual([
      ["error", "primary_contact.address.city"],
      ["error", "level"],
    ]);
    expect(outcome.state).toMatchObject({
      level: 7,
      primary_contact: { company: "Initech", address: { city: "Bruges" } },
    });
  });

  test("of a scope is told with what is shown", async () => {
    const { simulator, create } = await watchedService();
    const unlimited = (body: unknown) => {
      const { permissions } = body as { permissions: { vss: object } };
      const vss = { ...permissions.vss, all_account_scope: true, vsses: [] };
      return { ...(body as object), permissions: { ...permissions, vss } };
    };
    simulator.fail({
      path: /user-profile(\/.*)?$/,
      where: ({ path, method }) => method === "POST" || path !== "/api/user-profile",
      times: 99,
      alter: unlimited,
    });
    const { findings, state } = await create("jane", { vss_scope: ["v1"] });
    expect(findings).toMatchObject([{ code: "TENANCY_NOT_TAKEN", attribute: ["vss_scope"] }]);
    expect(findings[0]?.summary).toContain('it shows ["*"]');
    expect(state["vss_scope"]).toEqual(["v1"]);
  });

  test("after an update that cannot be read is told as such, and the state is as planned", async () => {
    const { simulator, connection } = await connected();
    const { state } = await created(account, connection, { ...GLOBEX, limits_vss_num: 1 });
    simulator.fail({ method: "PATCH", path: /account/, alter: () => ({}) });
    simulator.fail({ method: "GET", path: /account\//, status: 403, times: 9 });
    const config = { ...GLOBEX, limits_vss_num: 2 };
    const outcome = await updated(account, connection, state, config, { expected: "compared" });
    expect(outcome.findings).toMatchObject([
      {
        severity: "warning",
        code: "TENANCY_WRITTEN_UNREAD",
        summary: expect.stringContaining("access denied") as string,
      },
    ]);
    expect(outcome.state).toMatchObject({ limits_vss_num: 2, name: "globex", id: state["id"] });
  });
});

test("a plan is completed where it was not known, group by group, and what is known of it stays", () => {
  const { attributes } = account.description;
  const planned = {
    name: "globex",
    id: UNKNOWN,
    level: UNKNOWN,
    primary_contact: { first_name: "Jo", company: UNKNOWN, address: { city: UNKNOWN } },
    billing_contact: { first_name: UNKNOWN },
  };
  const anew = {
    name: "other",
    id: UNKNOWN,
    level: 3,
    primary_contact: { first_name: "Joe", company: "Globex", address: { city: "Ghent" } },
    billing_contact: null,
  };
  expect(fillPlanned(attributes, planned, anew)).toMatchObject({
    name: "globex",
    id: UNKNOWN,
    level: 3,
    primary_contact: { first_name: "Jo", last_name: null, company: "Globex", address: { city: "Ghent" } },
    billing_contact: { first_name: null },
    host: null,
  });
});

import { simulators } from "../../support/simulators";

const start = simulators();

describe("a request in error", () => {
  test("is answered with every field in error at once, as a JSON pointer each", async () => {
    const { system } = await start();
    const reply = await system("POST", "/account", {
      password: "ab",
      level: 1.5,
      activated: "yes",
      uuid: "no",
      access: { web: null },
      limits: { vss_num: "5" },
      provisioning: { tags_include: ["a", 1], tags_exclude: "x", tags_permit: null },
      primary_contact: { phone: "0".repeat(25), email: "nobody", address: { addr: null, city: 5 } },
      billing_contact: [],
      permissions: { vss: { rights: { manage_targets: 1 } } },
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      status: 400,
      message: "parameter validation failure",
      type: "validation",
    });
    const errors = [
      { type: "missing", field: "/name", msg: "must be present" },
      { type: "length", field: "/password", msg: "must have 3 or more characters" },
      { type: "type", field: "/primary_contact/address/addr", msg: "must be a list" },
      { type: "type", field: "/primary_contact/address/city", msg: "must be a string" },
      { type: "length", field: "/primary_contact/phone", msg: "must have 0 to 24 characters" },
      { type: "format", field: "/primary_contact/email", msg: "must be an email address" },
      { type: "type", field: "/billing_contact", msg: "must be an object" },
      { type: "type", field: "/limits/vss_num", msg: "must be an integer" },
      { type: "type", field: "/provisioning/tags_include/1", msg: "must be a string" },
      { type: "type", field: "/provisioning/tags_exclude", msg: "must be a list" },
      { type: "type", field: "/permissions/vss/rights/manage_targets", msg: "must be true or false" },
      { type: "type", field: "/level", msg: "must be an integer" },
      { type: "type", field: "/access/web", msg: "must be true or false" },
      { type: "type", field: "/activated", msg: "must be true or false" },
      { type: "format", field: "/uuid", msg: "must be a uuid" },
    ];
    expect(reply.body["errors"]).toHaveLength(errors.length);
    expect(reply.body["errors"]).toEqual(expect.arrayContaining(errors));
    expect((await system("GET", "/account")).list).toHaveLength(1);
  });

  test.each([
    ["username", { username: "" }],
    ["username", { username: "u".repeat(65) }],
    ["password", { password: "" }],
    ["password", { password: "p".repeat(65) }],
    ["xref", { xref: "" }],
    ["xref", { xref: "x".repeat(257) }],
    ["email", { email: `${"e".repeat(120)}@a.example` }],
    ["sms", { sms: "1".repeat(25) }],
    ["app_default", { app_default: "games" }],
    ["two_factor/auth", { two_factor: { auth: "sms" } }],
    ["two_factor/secret", { two_factor: { secret: "JBSWY3DP" } }],
    ["two_factor/otp", { two_factor: { otp: "" } }],
    ["permissions/realm/rights/run_tests", { permissions: { realm: { rights: { run_tests: null } } } }],
  ])("names /%s of a user profile", async (field, wrong) => {
    const { system } = await start();
    const reply = await system("POST", "/user-profile", { username: "jane", ...wrong });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ field: `/${field}` }] } });
  });

  test("is one whose body is no JSON object", async () => {
    const { system } = await start();
    for (const body of ["{", "[]", '"text"', "null", "nul"])
      expect(await system("POST", "/account", body)).toMatchObject({ status: 400, body: { status: 400 } });
    const form = await system("POST", "/account", "name=acme", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(form.status).toBe(400);
    expect((await system("POST", "/account")).body["errors"]).toMatchObject([{ type: "missing" }]);
  });

  test("is not one that is just at the limits", async () => {
    const { system, account } = await start();
    const acme = await account("n".repeat(64), { primary_contact: { email: "", phone: "1".repeat(24) } });
    const jane = { username: "é".repeat(64), account_id: acme.id, xref: "x".repeat(256), password: "p" };
    expect((await system("POST", "/user-profile", jane)).status).toBe(201);
  });

  test("may hold parameters that the spec doesn't name, unless the options say otherwise", async () => {
    const body = '{"name":"acme","colour":"red","limits":{"a/b":1},"__proto__":{"level":5}}';
    const lenient = await start();
    expect((await lenient.system("POST", "/account", body)).status).toBe(201);
    const strict = await start({ unknownParameters: "refuse" });
    const { errors } = (await strict.system("POST", "/account", body)).body as unknown as {
      errors: readonly { field: string }[];
    };
    expect(errors.map(({ field }) => field).toSorted()).toEqual(["/__proto__", "/colour", "/limits/a~1b"]);
  });
});

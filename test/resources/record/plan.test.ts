/** Rules between attributes, which changes replace an object, and what is foreseen of a create: covers src/resources/record/plan.ts. */

import { resource as accounts } from "../../../src/resources/account";
import type { Resource } from "../../../src/resources/family";
import { checkRecord } from "../../../src/resources/record/plan";
import { resource as profiles } from "../../../src/resources/user-profile";
import { userProfile } from "../../../src/resources/user-profile/description";
import type { Connection } from "../../../src/service";
import { UNKNOWN, type ObjectValue } from "../../../src/lib/values";
import { connected } from "../../support/connections";

const findings = (config: ObjectValue) =>
  checkRecord(userProfile.attributes, config).map(({ severity, attribute }) => [
    severity,
    attribute?.join("."),
  ]);

test("what is both set and unset is an error; what is not known, or null, is not set", () => {
  expect(findings({ email: "a@b.example", unset: ["email"] })).toEqual([["error", "email"]]);
  expect(findings({ password_wo: "secret", unset: ["password_wo"] })).toEqual([["error", "password_wo"]]);
  expect(
    findings({ two_factor_security_email: "a@b.example", unset: ["two_factor_security_email"] }),
  ).toEqual([["error", "two_factor_security_email"]]);
  expect(findings({ email: null, sms: UNKNOWN, unset: ["email", "sms"] })).toEqual([]);
  expect(findings({ email: "a@b.example", unset: UNKNOWN })).toEqual([]);
  expect(findings({ username: "jane", unset: ["username"] })).toEqual([]);
});

test("a star in `unset` never contradicts what is declared", () => {
  expect(findings({ email: "a@b.example", xref: "hr-17", unset: ["*"] })).toEqual([]);
});

test("a version without a value earns a warning", () => {
  expect(findings({ password_wo_version: 1 })).toEqual([["warning", "password_wo_version"]]);
  expect(checkRecord(userProfile.attributes, { password_wo_version: 1 })).toMatchObject([
    { code: "TENANCY_SECRET_NOT_SENT" },
  ]);
  expect(findings({ password_wo_version: 1, password_wo: UNKNOWN })).toEqual([]);
  expect(findings({ two_factor_otp_wo_version: 1 })).toEqual([["warning", "two_factor_otp_wo_version"]]);
});

describe("a live user", () => {
  const JANE: ObjectValue = {
    id: "user:1:2",
    uuid: "5a8dd3ad-0756-5d8b-a6b4-1bd1e3a1f700",
    login: "jane@globex",
    username: "jane",
    account_id: "account:1:2",
    email: "jane@globex.example",
    permissions: {},
    undeclared_rights: "deny",
  };
  const CONFIG = { username: "jane", account_id: "account:1:2", permissions: {} };
  const proposed = (config: ObjectValue, prior: ObjectValue = JANE) =>
    profiles.propose({ ...CONFIG, ...config }, prior, { asOf: undefined });
  const verdict = (config: ObjectValue, prior?: ObjectValue) => {
    const { action, replacedBy } = proposed(config, prior);
    return [action, ...replacedBy.map((path) => path.join("."))];
  };

  test("is replaced for another name, account or uuid, and for nothing else", () => {
    expect(verdict({})).toEqual(["none"]);
    expect(verdict({ username: "joan" })).toEqual(["replace", "username"]);
    expect(verdict({ account_id: "account:1:3" })).toEqual(["replace", "account_id"]);
    expect(verdict({ uuid: UNKNOWN })).toEqual(["replace", "uuid"]);
    expect(verdict({ email: "joan@globex.example" })).toEqual(["update"]);
  });

  test("whose name or address is declared in other letters is changed, unlike one whose uuid is", () => {
    expect(verdict({ username: "Jane" })).toEqual(["replace", "username"]);
    expect(verdict({ email: "Jane@globex.example" })).toEqual(["update"]);
    expect(verdict({ uuid: "5A8DD3AD-0756-5D8B-A6B4-1BD1E3A1F700" })).toEqual(["none"]);
  });

  test("whose uuid the service does not show is not replaced for the declared one", () => {
    const unseen = { ...JANE, uuid: null };
    expect(verdict({}, unseen)).toEqual(["none"]);
    expect(verdict({ uuid: "5a8dd3ad-0756-5d8b-a6b4-1bd1e3a1f700" }, unseen)).toEqual(["update"]);
  });

  test("whose address is known only after apply is changed, and whether it is verified is not known either", () => {
    expect(verdict({ xref: UNKNOWN })).toEqual(["update"]);
    const { action, changes, planned } = proposed({ email: UNKNOWN }, { ...JANE, email_verified: true });
    expect(action).toBe("update");
    expect(changes.map(({ path }) => path.join("."))).toEqual(["email", "email_verified"]);
    expect(planned).toMatchObject({ email: UNKNOWN, email_verified: UNKNOWN });
  });

  test("who is replaced is called by the old name where that ends what held the user back", () => {
    expect(proposed({ username: "joan" }, { ...JANE, access_web: false }).findings).toMatchObject([
      { code: "TENANCY_RESTRICTIONS_LOST", summary: expect.stringContaining('"jane@globex"') as string },
    ]);
  });

  test("who is replaced has every declared value set anew", () => {
    const { changes } = proposed({ username: "joan", email: "jane@globex.example" });
    expect(
      changes
        .filter(({ after }) => typeof after === "string")
        .map(({ path, before, after }) => [path.join("."), before, after]),
    ).toEqual([
      ["username", null, "joan"],
      ["account_id", null, "account:1:2"],
      ["email", null, "jane@globex.example"],
      ["undeclared_rights", null, "deny"],
    ]);
  });
});

describe("of a create it is foreseen", () => {
  const UNLESS = "Unless the same plan deletes it first, it will not be created when the plan is applied.";
  const UUID = "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f";

  const foreseen = async (
    resource: Resource,
    connection: Connection,
    config: ObjectValue,
    replaced?: ObjectValue,
  ) => (await resource.checkBeforeCreate?.(connection, config, replaced)) ?? [];

  test("that what is live already is in its way, unless the plan deletes that first", async () => {
    const { simulator, connection, anew } = await connected();
    expect(await foreseen(accounts, connection, { name: "globex" })).toEqual([]);
    const { id } = simulator.records.createAccount({ name: "globex" });
    const [foreign] = await foreseen(accounts, anew(), { name: "globex", uuid: UUID });
    expect(foreign).toMatchObject({
      severity: "warning",
      code: "TENANCY_UNMANAGED",
      detail: `It was neither created nor imported by this configuration (id ${id}). ${UNLESS}`,
    });
  });

  test("that a replacement makes place for itself", async () => {
    const { simulator, connection } = await connected();
    const { id } = simulator.records.createAccount({ name: "globex" });
    expect(await foreseen(accounts, connection, { name: "globex", uuid: UUID }, { id })).toEqual([]);
    expect(await foreseen(accounts, connection, { name: "initech" }, { id })).toEqual([]);
  });

  test("nothing of a user who is called like the account, or whose account is yet to be made", async () => {
    const { simulator, connection } = await connected();
    const { id } = simulator.records.createAccount({ name: "globex" });
    // The primary user's login is "globex", and this one's is "globex@globex".
    const namesake = { username: "globex", account_id: id };
    expect(await foreseen(profiles, connection, namesake)).toEqual([]);
    const jane = { username: "jane", account_id: UNKNOWN };
    expect(await profiles.checkBeforeCreate?.(connection, jane)).toEqual([]);
  });

  test("that the serial number of an account does not stand for its id, whether the user is live or not", async () => {
    const { simulator, connection } = await connected();
    const { serial } = simulator.records.createAccount({ name: "globex" });
    const jane = { username: "jane", account_id: serial };
    const refused = [{ severity: "error", code: "TENANCY_INVALID_VALUE", attribute: ["account_id"] }];
    expect(await foreseen(profiles, connection, jane)).toMatchObject(refused);
    const live = simulator.records.createProfile("globex", { username: "jane" });
    expect(await foreseen(profiles, connection, jane, { id: live.id })).toMatchObject(refused);
  });

  test("that what the caller may not see may exist", async () => {
    const { simulator, anew } = await connected();
    simulator.records.createAccount({ name: "initech", password: "password" });
    const initech = anew({ username: "initech", password: "password" });
    expect(await foreseen(accounts, initech, { name: "globex" })).toMatchObject([
      {
        severity: "error",
        code: "TENANCY_NOT_VERIFIED",
        summary: expect.stringMatching(
          /^account "globex" is not listed, and that proves nothing: .*realm\.manage_accounts/,
        ) as string,
      },
    ]);
  });
});

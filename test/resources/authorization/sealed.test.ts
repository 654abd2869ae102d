/** Tokens that are sealed for readers: covers src/resources/authorization/seal.ts, and what others do with sealed tokens. */
import { openSealed, resource as token } from "../../../src/resources/authorization";
import { ephemeralResources } from "../../../src/resources";
import { isUnknown, type ObjectValue, UNKNOWN } from "../../../src/lib/values";
import { ageReader as reader } from "../../support/age";
import { connected, type Connected } from "../../support/connections";
import { created, deleted, refreshed, refusal, textIn, updated } from "../../support/life";

const CONFIG: ObjectValue = { login: "csi@globex", name: "csi-prod", password_wo: "correct horse" };

async function withUser(): Promise<Connected> {
  const service = await connected();
  service.simulator.records.createAccount({ name: "globex" });
  service.simulator.records.createProfile("globex", { username: "csi", password: "correct horse" });
  return service;
}

async function isGood({ connection }: Connected, secret: string): Promise<boolean> {
  return (await connection.client.callerAs({ kind: "bearer", token: secret })).status === 200;
}

const sealedIn = (state: ObjectValue) => textIn(state, "access_token_sealed");
const previous = (state: ObjectValue) => state["previous"] as readonly ObjectValue[];

test("the secret of a sealed token is an age message that its readers open, and plans clean", async () => {
  const service = await withUser();
  const [anna, ben, carl] = [await reader(), await reader(), await reader()];
  const config = { ...CONFIG, seal_to: [anna.recipient, ben.recipient] };
  const { planned } = token.propose(config, null, { asOf: undefined });
  expect(planned["access_token"]).toBeNull();
  expect(isUnknown(planned["access_token_sealed"])).toBe(true);

  const { state } = await created(token, service.connection, config);
  expect(state["access_token"]).toBeNull();
  expect(sealedIn(state)).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
  for (const { identity } of [anna, ben])
    expect(
      await isGood(
        service,
        await openSealed(sealedIn(state), { TENANCY_IDENTITY: `# created: today\n${identity}\n` }),
      ),
    ).toBe(true);
  expect(await refusal(openSealed(sealedIn(state), { TENANCY_IDENTITY: carl.identity }))).toMatchObject([
    { code: "TENANCY_SEALED_UNREADABLE" },
  ]);
  expect(token.propose(config, state, { asOf: new Date() }).action).toBe("none");
  // The order of readers means nothing.
  const turned = { ...config, seal_to: [ben.recipient, anna.recipient] };
  expect(token.propose(turned, state, { asOf: new Date() }).action).toBe("none");
  expect(await refreshed(token, service.connection, state)).toEqual(state);
});

test("setting, changing and removing the readers are rotations, and retired tokens keep their seal or get one", async () => {
  const service = await withUser();
  const [anna, ben] = [await reader(), await reader()];
  const config = { ...CONFIG, retain_previous: 5 };
  const { state: plain } = await created(token, service.connection, config);
  const first = textIn(plain, "access_token");

  const { state: sealed } = await updated(token, service.connection, plain, {
    ...config,
    seal_to: [anna.recipient],
  });
  expect(sealed).toMatchObject({ access_token: null, previous: [{ access_token: null }] });
  expect(await openSealed(sealedIn(previous(sealed)[0]!), { TENANCY_IDENTITY: anna.identity })).toBe(first);
  expect(JSON.stringify(sealed)).not.toContain(first);

  const { state: changed } = await updated(token, service.connection, sealed, {
    ...config,
    seal_to: [ben.recipient],
  });
  expect(previous(changed).map(sealedIn)).toEqual([sealedIn(sealed), sealedIn(previous(sealed)[0]!)]);
  expect(await isGood(service, await openSealed(sealedIn(changed), { TENANCY_IDENTITY: ben.identity }))).toBe(
    true,
  );
  expect(await refusal(openSealed(sealedIn(changed), { TENANCY_IDENTITY: anna.identity }))).toHaveLength(1);

  const { state: open } = await updated(token, service.connection, changed, config);
  expect(open["access_token_sealed"]).toBeNull();
  expect(await isGood(service, textIn(open, "access_token"))).toBe(true);
  expect(sealedIn(previous(open)[0]!)).toBe(sealedIn(changed));
});

test.each([
  ["no recipient at all", [], "contains no reader"],
  ["another text", ["ssh-ed25519 AAAA"], "no X25519 recipient"],
  [
    "one with a typing error",
    ["age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs3290gx"],
    "no X25519 recipient",
  ],
  ["an identity", ["AGE-SECRET-KEY-1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQS"], "is a secret"],
])("%s is refused as a reader", (_what, readers, problem) => {
  const findings = token.check({ ...CONFIG, seal_to: readers });
  expect(findings).toMatchObject([
    { attribute: ["seal_to"], summary: expect.stringContaining(problem) as string },
  ]);
  expect(JSON.stringify(findings)).not.toContain("AGE-SECRET-KEY-1QYQ");
});

test("readers that only the apply will know are refused while planning, and not while validating", () => {
  const config = { ...CONFIG, seal_to: UNKNOWN };
  expect(token.check(config)).toEqual([]);
  expect(token.propose(config, null, { asOf: undefined }).findings).toMatchObject([
    { attribute: ["seal_to"], summary: expect.stringContaining("known while planning") as string },
  ]);
});

describe("the end of a sealed token", () => {
  async function sealedToken() {
    const service = await withUser();
    const config = { ...CONFIG, seal_to: [(await reader()).recipient] };
    const { state } = await created(token, service.connection, config);
    return { service, config, state };
  }

  test("is not proven, and the result says so", async () => {
    const { service, state } = await sealedToken();
    expect(await deleted(token, service.connection, state)).toMatchObject([
      { code: "TENANCY_SEALED_NOT_PROVEN", severity: "warning" },
    ]);
    expect(service.simulator.records.authorizations).toEqual([]);
  });

  test.each([
    ["created_at", { created_at: "2020-01-01T00:00:00.000+00:00" }],
    ["login", { login: "root@other", user_id: "user-profile:9:9" }],
  ])("is refused where the record at its serial number has another %s", async (member, other) => {
    const { service, state } = await sealedToken();
    expect(await refusal(deleted(token, service.connection, { ...state, ...other }))).toMatchObject([
      { code: "TENANCY_NOT_REVOKED", summary: expect.stringContaining(member) as string },
    ]);
    expect(service.simulator.records.authorizations).toHaveLength(1);
  });

  test("is not proven either where the service does not know it", async () => {
    const { service, state } = await sealedToken();
    service.simulator.records.revokeToken(textIn(state, "serial"));
    expect(await refreshed(token, service.connection, state)).toEqual(state);
    expect(await deleted(token, service.connection, state)).toMatchObject([
      { summary: expect.stringContaining("does not know") as string },
    ]);
  });
});

describe("an ephemeral token", () => {
  const ephemeral = ephemeralResources.get("tenancy_access_token")!;

  test("opens a seal with the identity in the environment", async () => {
    const service = await withUser();
    const { identity, recipient } = await reader();
    const { state } = await created(token, service.connection, { ...CONFIG, seal_to: [recipient] });
    const surroundings = { environment: { TENANCY_IDENTITY: identity } };
    const config = { sealed: sealedIn(state) };
    expect(ephemeral.check?.(config, surroundings)).toEqual([]);
    const opened = await ephemeral.open(service.connection, config, surroundings);
    expect(await isGood(service, textIn(opened, "access_token"))).toBe(true);
    expect(service.simulator.records.authorizations).toHaveLength(1);
  });

  test.each<readonly [string, ObjectValue, string]>([
    ["without an identity, known or not", { sealed: UNKNOWN }, "TENANCY_SEALED_UNREADABLE"],
    ["from nothing", {}, "TENANCY_INVALID_VALUE"],
    ["from both", { sealed: "x", login: "a@b", name: "c" }, "TENANCY_INVALID_VALUE"],
    ["by login alone", { login: "a@b" }, "TENANCY_INVALID_VALUE"],
    ["by name where there is no state", { login: "a@b", name: "c" }, "TENANCY_INVALID_VALUE"],
  ])("%s is an error", (_how, config, code) => {
    expect(ephemeral.check?.(config, { environment: {} })).toMatchObject([{ code }]);
  });
});

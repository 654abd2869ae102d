import { Service } from "../../src/provider/service";
import { resource as account } from "../../src/resources/account";
import { UNKNOWN, type Value } from "../../src/lib/values";
import { startSimulator } from "../../src/lib/simulator";
import { created, refusal } from "../support/life";
import { empty, startService } from "../support/scripted-service";

const log = { debug: () => undefined, info: () => undefined } as never;

test("a provider that is not known yet has no connection: what can do without is warned, what cannot is refused", async () => {
  const service = new Service({}, () => new Date());
  await service.configure({ base_url: UNKNOWN, owner: "o", password: null }, log);
  expect(service.connection).toBeUndefined();
  expect(service.stateUnchecked()).toMatchObject([{ severity: "warning", code: "TENANCY_NOT_YET_KNOWN" }]);
  expect(() => service.requireConnection("so nothing can be imported")).toThrow(
    expect.objectContaining({
      code: "TENANCY_NOT_YET_KNOWN",
      message: expect.stringContaining("base_url") as string,
    }) as Error,
  );
});

test("a service that is not allowed gets no connection", async () => {
  const { url, seen } = await startService({});
  const environment = {
    TENANCY_BASE_URL: url,
    TENANCY_TOKEN: "1/token",
    TENANCY_ALLOWED_ORIGINS: "https://storage.example",
  };
  const service = new Service(environment, () => new Date());
  await expect(service.configure({}, log)).rejects.toMatchObject({ code: "TENANCY_ORIGIN_NOT_ALLOWED" });
  expect(service.connection).toBeUndefined();
  expect(seen).toEqual([]);
});

test("a one-time code in the configuration is refused before any request, with what to set instead", () => {
  const validate = (otp: Value) =>
    new Service({}, () => new Date()).validate({ base_url: "https://storage.example", otp });
  expect(validate("123456")).toMatchObject([
    {
      severity: "error",
      attribute: ["otp"],
      summary: expect.stringContaining("works once") as string,
      advice: expect.stringContaining("totp_secret") as string,
    },
  ]);
  // A variable is not known before the plan, and may be null then.
  expect(validate(UNKNOWN)).toEqual([]);
  expect(validate(null)).toEqual([]);
});

test("a one-time code in the environment is not sent: it serves once, and Terraform starts several processes", async () => {
  const { url, seen } = await startService({});
  const environment = {
    TENANCY_BASE_URL: url,
    TENANCY_USERNAME: "jane",
    TENANCY_PASSWORD: "secret",
    TENANCY_OTP: "123456",
    [`TENANCY_OTP__127_0_0_1_${new URL(url).port}`]: "123456",
  };
  const service = new Service(environment, () => new Date());
  await service.configure({}, log);
  await service.connection?.client.caller().catch(() => undefined);
  expect(seen[0]).toMatchObject({ path: "/api/oauth2/token" });
  expect(JSON.stringify(seen)).not.toContain("123456");
  await service.connection?.client.close();
});

test("a run that Terraform stops waits no longer", async () => {
  const { url, seen } = await startService({
    "GET /api/status/authorization": empty(503, { "retry-after": "30" }),
  });
  const service = new Service({ TENANCY_BASE_URL: url, TENANCY_TOKEN: "1/token" }, () => new Date());
  await service.configure({}, log);
  const began = performance.now();
  const asked = service.connection?.client.caller();
  const timer = setInterval(() => seen.length > 0 && service.stop(), 20);
  await expect(asked).rejects.toMatchObject({ code: expect.stringMatching(/^TENANCY_/) as string });
  clearInterval(timer);
  expect(performance.now() - began).toBeLessThan(10_000);
  await service.connection?.client.close();
});

test("the next run of a process that Terraform attaches to again may make what was deleted after an earlier run", async () => {
  const simulator = await startSimulator();
  const { baseUrl, username, password } = simulator;
  const settings = { base_url: baseUrl, username, password, owner: "acme-platform" };
  const service = new Service({}, () => new Date());
  const make = () => created(account, service.connectionForWrite(), { name: "acme", permissions: {} });
  try {
    await service.configure(settings, log);
    await make();
    expect(await refusal(make())).toMatchObject([{ code: "TENANCY_ALREADY_LIVE" }]);
    simulator.records.deleteAccount("acme");
    await service.configure(settings, log);
    simulator.fail({ method: "POST", path: "/api/account", when: "after", status: 409 });
    expect((await make()).state).toMatchObject({ id: simulator.records.account("acme").id });
  } finally {
    await service.connection?.client.close();
    await simulator.close();
  }
});

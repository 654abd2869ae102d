import { Service } from "../../../src/plugin/provider/service";
import { UNKNOWN } from "../../../src/values";

const log = { debug: () => undefined } as never;

test("a provider that is not known yet has no connection: what can do without is warned, what cannot is refused", async () => {
  const service = new Service({}, () => new Date());
  await service.configure({ base_url: UNKNOWN, owner: "o", password: null }, log);
  expect(service.connection).toBeUndefined();
  expect(service.trusted()).toMatchObject([{ severity: "warning", code: "TENANCY_PROVIDER_NOT_YET_KNOWN" }]);
  expect(() => service.required("so nothing can be imported")).toThrow(
    expect.objectContaining({
      code: "TENANCY_PROVIDER_NOT_YET_KNOWN",
      message: expect.stringContaining("base_url") as string,
    }) as Error,
  );
});

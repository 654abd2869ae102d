import { empty, json, startService } from "../support/scripted-service";
import { clientOf } from "../support/test-client";

test("a family that the client does not know by name is reached by its path", async () => {
  const service = await startService({
    "GET /api/node": json(200, [{ id: "node:1:1" }]),
    "PATCH /api/node/node:1:1": empty(204),
  });
  const nodes = clientOf(service).records("node", "node");
  await expect(nodes.list()).resolves.toEqual([{ id: "node:1:1" }]);
  await expect(nodes.update("node:1:1", { label: "a" })).resolves.toBeUndefined();
});

test("a user profile is found by its login, whether or not the service filters", async () => {
  const service = await startService({
    "GET /api/user-profile": json(200, [{ login: "bob@globex" }, { login: "jane@globex" }]),
  });
  const { profiles } = clientOf(service);
  await expect(profiles.withLogin("jane@globex")).resolves.toEqual({ login: "jane@globex" });
  await expect(profiles.withLogin("csi@globex")).resolves.toBeUndefined();
  expect(service.requests("GET /api/user-profile")[0]?.path).toBe("/api/user-profile?login=jane%40globex");
});

test("a user profile is found also where the service filters, and holds the login in another normal form", async () => {
  const decomposed = { login: "rene\u0301@globex" };
  const service = await startService({
    "GET /api/user-profile": (response, request) =>
      json(200, request.path.includes("login=") ? [] : [decomposed])(response, request),
  });
  await expect(clientOf(service).profiles.withLogin("ren\u00e9@globex")).resolves.toEqual(decomposed);
});

test.each([
  [{ link: '</api/node?page=2>; rel="next"' }],
  [{ link: "</api/node?page=1>; rel=prev, </api/node?page=3>; title=x; rel=next" }],
  [{ "x-total-count": "2" }],
])("a list that says that there is more of it is no complete list: %j", async (headers) => {
  const service = await startService({ "GET /api/node": json(200, [{ id: "node:1:1" }], headers) });
  await expect(clientOf(service).records("node", "node").list()).rejects.toMatchObject({
    code: "TENANCY_API_UNEXPECTED",
    message: expect.stringContaining("one page of several") as string,
  });
});

test.each([[{ link: '</api/node>; rel="last"' }], [{ "x-total-count": "1" }], [{ "x-total-count": "?" }]])(
  "a list that is its own last page is complete: %j",
  async (headers) => {
    const service = await startService({ "GET /api/node": json(200, [{ id: "node:1:1" }], headers) });
    await expect(clientOf(service).records("node", "node").list()).resolves.toHaveLength(1);
  },
);

test("a filtered list may tell the number of all records", async () => {
  const service = await startService({
    "GET /api/user-profile": json(200, [{ login: "jane@globex" }], { "x-total-count": "250" }),
  });
  const jane = clientOf(service).profiles.withLogin("jane@globex");
  await expect(jane).resolves.toEqual({ login: "jane@globex" });
});

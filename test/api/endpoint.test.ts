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

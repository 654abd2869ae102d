import { connected } from "../support/connections";
import { dataOf } from "../support/data";

test("health is told without a log-in", async () => {
  const { simulator, connection } = await connected();
  expect(await dataOf("tenancy_status", connection)).toEqual({ status: 200, message: "ok" });
  expect(simulator.requests.map(({ path }) => path)).toEqual(["/api/status"]);
});

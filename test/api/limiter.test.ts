import { Limiter } from "../../src/api/limiter";
import { json, startService, type Scripted } from "../support/scripted-service";
import { clientOf, failure } from "../support/test-client";

/** Answers after a moment, and notes how many requests were there at once. */
function counting(): { answer: Scripted; most: () => number } {
  let present = 0;
  let most = 0;
  return {
    most: () => most,
    answer: (response, request) => {
      most = Math.max(most, ++present);
      setTimeout(() => {
        present--;
        json(200, [])(response, request);
      }, 10);
    },
  };
}

test("a client has no more requests under way than it may, however many are asked for", async () => {
  const { answer, most } = counting();
  const service = await startService({ "GET /api/account": answer });
  const client = clientOf(service, { maxConcurrency: 3 });
  await Promise.all(Array.from({ length: 20 }, () => client.accounts.list()));
  expect(most()).toBe(3);
});

test("clients share the limit of the process", async () => {
  const { answer, most } = counting();
  const service = await startService({ "GET /api/account": answer });
  const clients = [clientOf(service, { maxConcurrency: 4 }), clientOf(service, { maxConcurrency: 4 })];
  await Promise.all(clients.flatMap((client) => Array.from({ length: 10 }, () => client.accounts.list())));
  expect(most()).toBe(4);
});

test("even one request at a time is enough to log in and work", async () => {
  const service = await startService({ "GET /api/account": [json(503, {}), json(401, {}), json(200, [])] });
  const client = clientOf(service, { maxConcurrency: 1, limiter: new Limiter() });
  expect(await client.accounts.list()).toEqual([]);
});

test("work that fails gives its place back", async () => {
  const limiter = new Limiter();
  await failure(limiter.run(1, () => Promise.reject(new Error("failed"))));
  expect(await limiter.run(1, async () => limiter.running)).toBe(1);
  expect(limiter.running).toBe(0);
});

test("a request that waits for its turn can be given up, and holds up no other", async () => {
  const limiter = new Limiter();
  const stop = new AbortController();
  let finish = () => {};
  const first = limiter.run(1, () => new Promise<void>((resolve) => (finish = resolve)));
  const second = failure(limiter.run(1, async () => "never", stop.signal));
  const third = limiter.run(1, async () => "third");
  stop.abort();
  expect(await second).toMatchObject({ code: "TENANCY_CANCELLED" });
  finish();
  await first;
  expect(await third).toBe("third");
});

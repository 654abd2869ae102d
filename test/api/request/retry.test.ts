import { systemClock } from "../../../src/api";
import type { RequestEvent, RetryWait } from "../../../src/api/options";
import { backOff } from "../../../src/api/request";
import { parseRetryAfter } from "../../../src/api/answer";
import { empty, hang, html, json, reset, startService } from "../../support/scripted-service";
import { TestClock } from "../../support/test-clock";
import { clientOf, failure } from "../../support/test-client";

test("delays double, up to ten seconds, and jitter takes up to half of them", () => {
  expect([1, 2, 3, 4].map((failed) => backOff(failed, 1))).toEqual([250, 500, 1000, 2000]);
  expect(backOff(30, 1)).toBe(10_000);
  expect(backOff(3, 0)).toBe(500);
});

test("a retry waits as long as the service asks, up to a minute", () => {
  expect(backOff(1, 1, 3000)).toBe(3000);
  expect(backOff(1, 1, 3_600_000)).toBe(60_000);
});

test("Retry-After is read as seconds and as a date", () => {
  const now = Date.parse("2025-01-01T00:00:00Z");
  expect(parseRetryAfter("120", now)).toBe(120_000);
  expect(parseRetryAfter("Wed, 01 Jan 2025 00:00:30 GMT", now)).toBe(30_000);
  expect(parseRetryAfter("Wed, 01 Jan 2020 00:00:30 GMT", now)).toBe(0);
  expect(parseRetryAfter("soon", now)).toBeUndefined();
  expect(parseRetryAfter(undefined, now)).toBeUndefined();
});

test.each(["GET", "PATCH", "DELETE"])(
  "%s is repeated after 500, 502, 503, 504 and a reset",
  async (method) => {
    const service = await startService({
      [`${method} /api/account/x`]: [
        empty(500),
        html(502, "<p>"),
        empty(503),
        empty(504),
        reset(),
        json(200, {}),
      ],
    });
    const { accounts } = clientOf(service);
    if (method === "GET") await accounts.get("x");
    if (method === "PATCH") await accounts.update("x", {});
    if (method === "DELETE") await accounts.delete("x");
    expect(service.requests(`${method} /api/account/x`)).toHaveLength(6);
  },
);

test("the service's Retry-After is kept", async () => {
  const clock = new TestClock();
  const service = await startService({
    "GET /api/account": [
      json(503, {}, { "retry-after": "7" }),
      json(503, {}, { "retry-after": new Date(clock.wall() + 19_000).toUTCString() }),
      json(200, []),
    ],
  });
  await clientOf(service, { clock }).accounts.list();
  expect(clock.slept).toEqual([7000, 12_000]);
});

describe("a service that is busy for ever", () => {
  test("is asked for two minutes after its first failure, and the error says how often", async () => {
    const clock = new TestClock();
    const service = await startService({ "GET /api/account": empty(503) });
    const started = clock.monotonic();
    const error = await failure(clientOf(service, { clock }).accounts.list());
    expect(clock.monotonic() - started).toBe(120_000);
    const count = service.requests("GET /api/account").length;
    expect(error).toMatchObject({ code: "TENANCY_API_BUSY", detail: `Tried ${count} times.` });
    expect(count).toBeGreaterThan(15);
  });

  test("is asked as long as retry_timeout says, the last time at its end", async () => {
    const clock = new TestClock();
    const service = await startService({ "GET /api/account": empty(503) });
    await failure(clientOf(service, { clock, retryTimeoutMs: 1000 }).accounts.list());
    expect(clock.slept).toEqual([187.5, 375, 437.5]);
  });

  test("is asked once where retry_timeout is 0", async () => {
    const service = await startService({ "GET /api/account": empty(503) });
    await failure(clientOf(service, { retryTimeoutMs: 0 }).accounts.list());
    expect(service.requests("GET /api/account")).toHaveLength(1);
  });

  test("is not waited for if it asks for more time than is left", async () => {
    const clock = new TestClock();
    const service = await startService({ "GET /api/account": json(503, {}, { "retry-after": "30" }) });
    await failure(clientOf(service, { clock, retryTimeoutMs: 20_000 }).accounts.list());
    expect(clock.slept).toEqual([]);
  });
});

describe("a service that has not answered yet", () => {
  test("is asked for ten seconds in all, or as long as a smaller retry_timeout says", async () => {
    const service = await startService({ "GET /api/account": reset() });
    for (const [settings, milliseconds] of [
      [{}, 10_000],
      [{ retryTimeoutMs: 1000 }, 1000],
      [{ contactTimeoutMs: 0 }, 0],
    ] as const) {
      const clock = new TestClock();
      const started = clock.monotonic();
      const credentials = { kind: "token", token: "t" } as const;
      const { accounts } = clientOf(service, { clock, credentials, ...settings });
      await failure(accounts.list());
      expect(clock.monotonic() - started).toBe(milliseconds);
      const count = service.requests("GET /api/account").length;
      if (milliseconds !== 10_000) continue;
      // Another client is the run of the next stack.
      for (const client of [{ accounts }, clientOf(service, { clock, credentials })])
        await failure(client.accounts.list());
      expect(service.requests("GET /api/account")).toHaveLength(count + 2);
    }
  });

  test("is given up on, also when it takes connections and is silent", async () => {
    const service = await startService({ "GET /api/account": hang() });
    const started = performance.now();
    const settings = { clock: systemClock, contactTimeoutMs: 200, requestTimeoutMs: 60_000 };
    const { accounts } = clientOf(service, { credentials: { kind: "token", token: "t" }, ...settings });
    expect(await failure(accounts.list())).toMatchObject({ code: "TENANCY_API_TIMEOUT" });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(service.requests("GET /api/account")).toHaveLength(1);
  });

  test("has time for the rest of an answer that began", async () => {
    const service = await startService({
      "GET /api/account": (response) => {
        response.writeHead(200).write("[");
        setTimeout(() => response.end("]"), 1500);
      },
    });
    const credentials = { kind: "token", token: "t" } as const;
    expect(await clientOf(service, { credentials, contactTimeoutMs: 500 }).accounts.list()).toEqual([]);
  });

  test("gets the whole retry_timeout after its first answer", async () => {
    const clock = new TestClock();
    const service = await startService({ "GET /api/account": [empty(503), reset()] });
    const started = clock.monotonic();
    await failure(clientOf(service, { clock }).accounts.list());
    expect(clock.monotonic() - started).toBe(120_000);
  });
});

test("a request that took longer to fail than retries may last is repeated all the same", async () => {
  const clock = new TestClock();
  const service = await startService({
    "GET /api/account": [
      (response, request) => {
        clock.advance(60_000);
        empty(503)(response, request);
      },
      json(200, []),
    ],
  });
  await clientOf(service, { clock, retryTimeoutMs: 20_000 }).accounts.list();
  expect(service.requests("GET /api/account")).toHaveLength(2);
});

test("each wait is told with its reason", async () => {
  const waits: RetryWait[] = [];
  const service = await startService({ "GET /api/account": [empty(503), reset(), json(200, [])] });
  await clientOf(service, { onWait: (wait) => waits.push(wait) }).accounts.list();
  expect(waits).toEqual([
    { method: "GET", path: "/api/account", status: 503, attempt: 1, ms: 187.5 },
    { method: "GET", path: "/api/account", status: undefined, attempt: 2, ms: 375 },
  ]);
});

test("a delete that finds nothing any more, after a lost answer, has deleted", async () => {
  const service = await startService({
    "DELETE /api/account/x": [reset(), empty(404)],
    "DELETE /api/user-profile/y": [empty(502), empty(410)],
  });
  const client = clientOf(service);
  expect(await client.accounts.delete("x")).toBe("deleted");
  expect(await client.profiles.delete("y")).toBe("deleted");
});

test("a refusal is not repeated", async () => {
  const service = await startService({ "PATCH /api/account/x": json(403, {}) });
  await failure(clientOf(service).accounts.update("x", {}));
  expect(service.requests("PATCH /api/account/x")).toHaveLength(1);
});

describe("a run that is stopped", () => {
  test("can still take back what it has half done", async () => {
    const stop = new AbortController();
    const service = await startService({
      "GET /api/account": json(200, []),
      "DELETE /api/account/x": empty(204),
    });
    const client = clientOf(service, { signal: stop.signal });
    await client.accounts.list();
    stop.abort();
    expect(await failure(client.accounts.delete("x"))).toMatchObject({ code: "TENANCY_CANCELLED" });
    await client.unstoppable().accounts.delete("x");
    expect(service.requests("DELETE /api/account/x")).toHaveLength(1);
  });

  test("begins nothing new, and waits for no retry", async () => {
    const stop = new AbortController();
    const service = await startService({
      "GET /api/account": (response, request) => {
        stop.abort();
        empty(503)(response, request);
      },
    });
    const client = clientOf(service, { signal: stop.signal });
    await failure(client.accounts.list());
    expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_CANCELLED" });
    expect(service.requests("GET /api/account")).toHaveLength(1);
  });

  test("does not sit out what the service asked it to wait", async () => {
    const service = await startService({ "GET /api/account": json(503, {}, { "retry-after": "60" }) });
    const stop = new AbortController();
    const onRequest = ({ status }: RequestEvent) => {
      if (status === 503) setImmediate(() => stop.abort());
    };
    const client = clientOf(service, { signal: stop.signal, clock: systemClock, onRequest });
    expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_BUSY" });
  });

  test("ends the wait of a write, which is otherwise left to end", async () => {
    const service = await startService({
      "PATCH /api/account/x": json(503, {}, { "retry-after": "60" }),
      "GET /api/account": json(200, []),
    });
    const stop = new AbortController();
    const onWait = () => setImmediate(() => stop.abort());
    const client = clientOf(service, { waitSignal: stop.signal, clock: systemClock, onWait });
    expect(await failure(client.accounts.update("x", {}))).toMatchObject({ code: "TENANCY_API_BUSY" });
    expect(await client.accounts.list()).toEqual([]);
  });

  test("takes back for ten seconds at most what it has half done", async () => {
    const clock = new TestClock();
    const service = await startService({ "DELETE /api/account/x": empty(503) });
    const client = clientOf(service, {
      clock,
      signal: AbortSignal.abort(),
      credentials: { kind: "token", token: "1/x" },
    }).unstoppable();
    const started = clock.monotonic();
    await failure(client.accounts.delete("x"));
    expect(clock.monotonic() - started).toBe(10_000);
  });

  test("cuts a read off, and lets a write end", async () => {
    const stop = new AbortController();
    const service = await startService({
      "GET /api/account": () => stop.abort(),
      "PATCH /api/account/x": (response, request) => {
        void failure(reading).then(() => json(200, { id: "x" })(response, request));
      },
    });
    const client = clientOf(service, { signal: stop.signal });
    await client.logIn({ username: "jane@acme", password: "pw-of-jane" });
    const writing = client.accounts.update("x", {});
    const reading = new Promise((resolve) => setTimeout(resolve, 20)).then(() => client.accounts.list());
    expect(await failure(reading)).toMatchObject({ code: "TENANCY_CANCELLED" });
    expect(await writing).toEqual({ id: "x" });
  });
});

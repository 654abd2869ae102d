/** Requests against real servers, as whoever uses the client sees them: covers src/api/exchange.ts, besides its own source. */
import { type TenancyError, validationRefused } from "../../src/problems";
import { clientOf, failure } from "../support/test-client";
import { cutOff, empty, hang, html, json, reset, startService, text } from "../support/scripted-service";
import { thrown } from "../support/thrown";

describe("what the statuses mean", () => {
  test.each([
    [400, "TENANCY_API_VALIDATION"],
    [403, "TENANCY_API_FORBIDDEN"],
    [404, "TENANCY_API_NOT_FOUND"],
    [405, "TENANCY_API_METHOD"],
    [409, "TENANCY_API_CONFLICT"],
    [410, "TENANCY_API_NOT_FOUND"],
    [429, "TENANCY_API_BUSY"],
    [500, "TENANCY_API_SERVER"],
    [502, "TENANCY_API_GATEWAY"],
    [503, "TENANCY_API_BUSY"],
    [504, "TENANCY_API_GATEWAY"],
    [418, "TENANCY_API_UNEXPECTED"],
  ])("status %i has the code %s, and its message is shown", async (status, code) => {
    const service = await startService({
      "GET /api/account": json(status, { status, message: "no \u001b[31mway" }),
    });
    const error = await failure(clientOf(service, { retryTimeoutMs: 1 }).accounts.list());
    expect(error).toMatchObject({
      code,
      status,
      detail: expect.stringContaining("The service says: no way") as string,
    });
    expect((error as TenancyError).message).toContain("GET /api/account");
    expect((error as TenancyError).advice).toBeTruthy();
  });

  test("an error body with only `error`, plain text or nothing is tolerated", async () => {
    const service = await startService({
      "GET /api/account": [
        json(403, { error: "just no" }),
        text(403, "plain no"),
        empty(403),
        json(403, null),
      ],
    });
    const client = clientOf(service);
    const errors: unknown[] = [];
    for (let round = 0; round < 4; round++) errors.push(await failure(client.accounts.list()));
    expect(errors.map((error) => (error as TenancyError).detail)).toEqual([
      "The service says: just no",
      "The service says: plain no",
      undefined,
      undefined,
    ]);
  });

  test("a refused body makes one diagnostic per field, at the attribute that the pointer names", async () => {
    const service = await startService({
      "POST /api/user-profile": json(400, {
        status: 400,
        type: "validation",
        message: "parameter validation failure",
        errors: [
          { type: "missing", field: "/username", msg: "must be present" },
          { type: "format", field: "/permissions/vss/vsses/0", msg: "no\u0007 such" },
        ],
      }),
    });
    const error = await failure(
      clientOf(service).profiles.create({ username: "" }, { lookUp: async () => undefined }),
    );
    expect(error).toEqual(thrown(validationRefused));
    expect((error as TenancyError).toDiagnostics({ address: "tenancy_user_profile.jane" })).toMatchObject([
      { code: "TENANCY_API_VALIDATION", address: "tenancy_user_profile.jane", attribute: ["username"] },
      { attribute: ["permissions", "vss", "vsses", 0], summary: expect.stringMatching(/no such$/) as string },
    ]);
    expect(service.requests("POST /api/user-profile")).toHaveLength(1);
  });
});

describe("answers that are no answers", () => {
  test("a gateway's page is reported as such, with its title", async () => {
    const page = "<html><head><title>502 Bad\nGateway</title></head><body><h1>x</h1></body></html>";
    const service = await startService({ "GET /api/account": html(502, page) });
    expect(await failure(clientOf(service, { retryTimeoutMs: 1 }).accounts.list())).toMatchObject({
      code: "TENANCY_API_GATEWAY",
      detail: "The service says: 502 Bad Gateway\nTried 2 times.",
    });
  });

  test("a log-in page in place of a list is an error, and a page with status 404 does not prove that a record is absent", async () => {
    const service = await startService({
      "GET /api/account": html(200, "<!doctype html><title>Sign in</title>"),
      "GET /api/account/a": html(404, "<h1>Not here</h1>"),
      "GET /api/account/b": text(404, "  <html>"),
    });
    const client = clientOf(service);
    expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_GATEWAY", status: 200 });
    expect(await failure(client.accounts.find("a"))).toMatchObject({ code: "TENANCY_API_GATEWAY" });
    expect(await failure(client.accounts.find("b"))).toMatchObject({ code: "TENANCY_API_GATEWAY" });
    expect(service.requests("GET /api/account")).toHaveLength(1);
  });

  test("half an answer is never used: the request is sent again", async () => {
    const service = await startService({
      "GET /api/account": [cutOff(200, '[{"id":"account:1:1"}]'), json(200, [{ id: "account:1:1" }, {}])],
      "GET /api/user-profile": text(200, '[{"id":"profile:1:1"}'),
    });
    const client = clientOf(service, { retryTimeoutMs: 1 });
    expect(await client.accounts.list()).toHaveLength(2);
    expect(await failure(client.profiles.list())).toMatchObject({ code: "TENANCY_API_CONNECTION_LOST" });
    expect(service.requests("GET /api/user-profile")).toHaveLength(2);
  });

  test("a service that hangs is given up on in time", async () => {
    const service = await startService({
      "GET /api/account": hang(),
      "GET /api/user-profile": (response) => {
        response.writeHead(200).write("[");
      },
    });
    const client = clientOf(service, { requestTimeoutMs: 50, retryTimeoutMs: 1 });
    expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_TIMEOUT" });
    expect(await failure(client.profiles.list())).toMatchObject({ code: "TENANCY_API_TIMEOUT" });
    expect(service.requests("GET /api/account")).toHaveLength(2);
  });

  test("an answer that drips byte by byte does not hold the run for ever", async () => {
    const drips: NodeJS.Timeout[] = [];
    const service = await startService({
      "GET /api/account": (response) => {
        response.writeHead(200);
        drips.push(setInterval(() => response.write(" "), 10));
      },
    });
    const error = await failure(
      clientOf(service, { requestTimeoutMs: 80, retryTimeoutMs: 0 }).accounts.list(),
    );
    drips.forEach(clearInterval);
    expect(error).toMatchObject({ code: "TENANCY_API_TIMEOUT" });
  });

  test("a service that keeps announcing an answer does not put off the end of the request", async () => {
    const announcements: NodeJS.Timeout[] = [];
    const service = await startService({
      "GET /api/account": (response) => {
        announcements.push(setInterval(() => response.writeEarlyHints({ link: "</a>; rel=preload" }), 10));
      },
    });
    const error = await failure(
      clientOf(service, { requestTimeoutMs: 100, retryTimeoutMs: 0 }).accounts.list(),
    );
    announcements.forEach(clearInterval);
    expect(error).toMatchObject({ code: "TENANCY_API_TIMEOUT" });
  });

  test("an announced answer that then comes is taken", async () => {
    const service = await startService({
      "GET /api/account": (response) => {
        response.writeEarlyHints({ link: "</a>; rel=preload" }, () => response.writeHead(200).end("[]"));
      },
    });
    expect(await clientOf(service).accounts.list()).toEqual([]);
  });

  test("a list that comes in just enough pieces not to stall still ends in time", async () => {
    const pieces: NodeJS.Timeout[] = [];
    const service = await startService({
      "GET /api/account": (response) => {
        response.writeHead(200);
        pieces.push(setInterval(() => response.write(" ".repeat(64 * 1024)), 40));
      },
    });
    const error = await failure(
      clientOf(service, { requestTimeoutMs: 150, retryTimeoutMs: 0 }).accounts.list(),
    );
    pieces.forEach(clearInterval);
    expect(error).toMatchObject({
      code: "TENANCY_API_TIMEOUT",
      message: expect.stringContaining("no whole answer within 0.") as string,
    });
  });

  test("a long list that flows gets more time than a short one", async () => {
    const service = await startService({
      "GET /api/account": (response) => {
        response.writeHead(200);
        let rounds = 0;
        const more = setInterval(() => {
          response.write(" ".repeat(2 ** 20));
          if (++rounds < 40) return;
          clearInterval(more);
          response.end("[]");
        }, 20);
      },
    });
    const started = performance.now();
    expect(await clientOf(service, { requestTimeoutMs: 500, retryTimeoutMs: 0 }).accounts.list()).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(500);
  });

  test("a record beyond all measure is cut off", async () => {
    const service = await startService({ "GET /api/account/x": text(200, `"${"x".repeat(17 * 2 ** 20)}"`) });
    expect(await failure(clientOf(service).accounts.get("x"))).toMatchObject({
      code: "TENANCY_API_UNEXPECTED",
      message: expect.stringContaining("16 MiB") as string,
    });
  });

  test("a connection that breaks is made anew", async () => {
    const service = await startService({ "GET /api/account": [reset(), json(200, [])] });
    expect(await clientOf(service).accounts.list()).toEqual([]);
  });

  test("a port where nothing listens is unreachable", async () => {
    const service = await startService({});
    await service.close();
    expect(await failure(clientOf(service, { retryTimeoutMs: 0 }).status())).toMatchObject({
      code: "TENANCY_API_UNREACHABLE",
      uncertain: false,
    });
  });

  test("a name with several addresses is unreachable where none of them answers", async () => {
    const service = await startService({});
    await service.close();
    const client = clientOf({ url: `http://localhost:${service.port}` }, { retryTimeoutMs: 0 });
    expect(await failure(client.status())).toMatchObject({
      code: "TENANCY_API_UNREACHABLE",
      message: expect.stringContaining("nothing listens there") as string,
    });
  });

  test("what speaks another protocol is reported in our own words", async () => {
    const service = await startService({
      "GET /api/status": (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
    });
    const error = (await failure(clientOf(service, { retryTimeoutMs: 0 }).status())) as TenancyError;
    expect(error.code).toBe("TENANCY_API_CONNECTION_LOST");
    expect(error.cause).toBeUndefined();
  });

  test("an object in place of a list, or a record that is none, is an error and never an empty list", async () => {
    const service = await startService({
      "GET /api/account": [
        json(200, {}),
        json(200, [1]),
        json(200, [{ id: 7 }]),
        empty(200),
        json(200, null),
      ],
      "GET /api/account/x": json(200, []),
    });
    const client = clientOf(service);
    for (let round = 0; round < 5; round++)
      expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_UNEXPECTED" });
    expect(await failure(client.accounts.get("x"))).toMatchObject({ code: "TENANCY_API_UNEXPECTED" });
  });
});

describe("tolerance", () => {
  test("unknown members, large integers and odd keys are kept, and absent members do no harm", async () => {
    const service = await startService({
      "GET /api/account/x": text(
        200,
        '\ufeff{"new":{"x":[1]},"big":12345678901234567890,"__proto__":{"y":1}}',
      ),
    });
    const record = await clientOf(service).accounts.get("x");
    expect(record["new"]).toEqual({ x: [1] });
    expect(record["big"]).toBe(12345678901234567890n);
    expect(Object.keys(record)).toContain("__proto__");
  });

  test("200, 201, 202 and 204 are all success, with and without a body", async () => {
    const service = await startService({
      "PATCH /api/account/x": [json(200, { id: "x" }), empty(202), empty(204), text(201, '{"id":"x"}')],
      "DELETE /api/account/x": [empty(204), empty(202), json(200, {})],
    });
    const { accounts } = clientOf(service);
    expect(await accounts.update("x", { limits: { vss_num: 5n } })).toEqual({ id: "x" });
    expect(await accounts.update("x", {})).toBeUndefined();
    expect(await accounts.update("x", {})).toBeUndefined();
    expect(await accounts.update("x", {})).toEqual({ id: "x" });
    for (let round = 0; round < 3; round++) expect(await accounts.delete("x")).toBe("deleted");
    expect(service.requests("PATCH /api/account/x")[0]?.body).toBe('{"limits":{"vss_num":5}}');
  });
});

describe("every call goes where the spec says", () => {
  test("accounts, profiles, usage, status and caller", async () => {
    const record = json(200, { id: "x" });
    const service = await startService({
      "GET /api/account/account:1:2/usage": json(200, { vss_num: 3 }),
      "GET /api/user-profile/USR%2F1": record,
      "GET /api/status": json(200, { status: 200, message: "ok" }),
      "GET /api/status/authorization": record,
      "DELETE /api/user-profile/u": empty(204),
    });
    const client = clientOf(service);
    expect(await client.status()).toEqual({ status: 200, message: "ok" });
    expect(service.seen[0]?.headers.authorization).toBeUndefined();
    expect(await client.accounts.usage("account:1:2")).toEqual({ vss_num: 3 });
    expect(await client.profiles.get("USR/1")).toEqual({ id: "x" });
    expect(await client.caller()).toEqual({ id: "x" });
    expect(await client.profiles.delete("u", { accountId: "account:1:2" })).toBe("deleted");
    expect(service.seen.at(-1)?.path).toBe("/api/user-profile/u?account_id=account%3A1%3A2");
    expect(service.seen.at(-1)?.headers.authorization).toBe("Bearer 0/session-token-of-the-test");
  });

  test("a service below a path is addressed below it", async () => {
    const service = await startService({ "GET /storage/api/status": json(200, { status: 200 }) });
    const client = clientOf({ url: `${service.url}/storage/` });
    expect(await client.status()).toEqual({ status: 200 });
    expect(client.origin).toBe(service.url);
  });

  test("a reference that would change the path is refused before anything is sent", async () => {
    const service = await startService({});
    const { accounts } = clientOf(service);
    for (const reference of ["", ".", "..", "\ud800"])
      expect(await failure(accounts.delete(reference))).toMatchObject({ code: "TENANCY_INVALID_VALUE" });
    expect(service.seen).toEqual([]);
  });

  test("404 and 410 mean that a record is absent, where it is looked for or deleted", async () => {
    const service = await startService({
      "GET /api/account/x": [json(404, {}), json(410, {})],
      "DELETE /api/account/x": [json(404, {}), json(410, {})],
    });
    const { accounts } = clientOf(service);
    expect(await accounts.find("x")).toBeUndefined();
    expect(await accounts.find("x")).toBeUndefined();
    expect(await accounts.delete("x")).toBe("absent");
    expect(await accounts.delete("x")).toBe("absent");
  });
});

describe("a client that only reads", () => {
  test("sends GET and log-in, and refuses all else before it is sent", async () => {
    const service = await startService({ "GET /api/account": json(200, []) });
    const client = clientOf(service, { readOnly: true });
    expect(await client.accounts.list()).toEqual([]);
    expect(await client.logIn({ username: "jane@acme", password: "pw-of-jane" })).toMatchObject({
      expires_in: 3600,
    });
    const writes = [
      client.accounts.create({ name: "acme" }, { lookUp: async () => undefined }),
      client.accounts.update("x", {}),
      client.accounts.delete("x"),
      client.profiles.delete("x"),
      client.authorizations.create({ kind: "own" }),
      client.authorizations.revoke("x"),
    ];
    for (const write of writes) expect(await failure(write)).toMatchObject({ code: "TENANCY_READ_ONLY" });
    expect(new Set(service.seen.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(["POST /api/oauth2/token", "GET /api/account"]),
    );
  });

  test("made from one that writes, it shares the session", async () => {
    const service = await startService({
      "GET /api/account": json(200, []),
      "DELETE /api/account/x": empty(204),
    });
    const client = clientOf(service);
    await client.readOnly().accounts.list();
    await client.accounts.delete("x");
    expect(await failure(client.readOnly().accounts.delete("x"))).toMatchObject({
      code: "TENANCY_READ_ONLY",
    });
    expect(service.requests("POST /api/oauth2/token")).toHaveLength(1);
  });
});

test("every attempt is reported, without bodies", async () => {
  const service = await startService({ "GET /api/account": [reset(), json(503, {}), json(200, [])] });
  const events: unknown[] = [];
  await clientOf(service, { onRequest: (event) => events.push(event) }).accounts.list();
  expect(events).toMatchObject([
    { method: "POST", path: "/api/oauth2/token", attempt: 1, status: 201 },
    { method: "GET", path: "/api/account", attempt: 1, error: "TENANCY_API_CONNECTION_LOST" },
    { method: "GET", path: "/api/account", attempt: 2, status: 503 },
    { method: "GET", path: "/api/account", attempt: 3, status: 200 },
  ]);
});

import { cutOff, empty, html, json, reset, startService } from "../support/scripted-service";
import { clientOf, failure } from "../support/test-client";

const CREATE = "POST /api/authorization";
const RECORD = {
  id: "auth:1:1",
  serial: "ATH470000000000000001",
  access_token: "1/secret-of-the-token",
  lifetime: null,
};
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

test("a token is created with basic credentials and an empty body, on a connection of its own", async () => {
  const service = await startService({ [CREATE]: json(201, RECORD) });
  const client = clientOf(service);
  expect(await client.authorizations.create({ kind: "own" })).toEqual(RECORD);
  expect(
    await client.authorizations.create({ kind: "basic", username: "jane@acme", password: "pä:ß" }),
  ).toEqual(RECORD);
  const [own, jane] = service.requests(CREATE);
  expect(own?.headers.authorization).toBe(basic("system:correct horse"));
  expect(own?.headers["content-length"]).toBe("0");
  expect(own?.headers).not.toHaveProperty("content-type");
  expect(jane?.headers.authorization).toBe(basic("jane@acme:pä:ß"));
  expect(client.redactor.redact("it is 1/secret-of-the-token")).toBe("it is (secret)");
});

test("with two factors a token is created through the session, since the service would refuse basic credentials", async () => {
  const service = await startService({ [CREATE]: json(201, RECORD) });
  const credentials = {
    kind: "password",
    username: "system",
    password: "pw-of-system",
    otp: "123456",
  } as const;
  await clientOf(service, { credentials }).authorizations.create({ kind: "own" });
  expect(service.requests(CREATE)[0]?.headers.authorization).toBe("Bearer 0/session-token-of-the-test");
});

test.each([
  ["a reset", reset()],
  ["a failure", empty(500)],
  ["a busy service", empty(503)],
  ["a gateway", html(504, "<h1>late</h1>")],
  ["half an answer", cutOff(201, '{"access_token":')],
])(
  "after %s the creation is not repeated, and the error says whose token may exist",
  async (_case, answer) => {
    const service = await startService({ [CREATE]: [answer, json(201, RECORD)] });
    expect(await failure(clientOf(service).authorizations.create({ kind: "own" }))).toMatchObject({
      code: "TENANCY_ANSWER_LOST",
      message: expect.stringContaining("a token of system was created") as string,
      advice: expect.stringContaining("revoke") as string,
    });
    expect(service.requests(CREATE)).toHaveLength(1);
  },
);

test("an answer without the secret names the token to revoke", async () => {
  const service = await startService({
    [CREATE]: [json(201, { serial: "ATH47" }), json(201, []), empty(201)],
  });
  const { authorizations } = clientOf(service);
  const nameless = {
    code: "TENANCY_ANSWER_LOST",
    advice: "Check at the service whether the user has an unknown token, and revoke it.",
  };
  expect(await failure(authorizations.create({ kind: "own" }))).toMatchObject({
    code: "TENANCY_ANSWER_LOST",
    advice: 'Revoke the token "ATH47".',
  });
  expect(await failure(authorizations.create({ kind: "own" }))).toMatchObject(nameless);
  expect(await failure(authorizations.create({ kind: "own" }))).toMatchObject(nameless);
});

test("a refused creation is told as a refusal, and not as a lost answer", async () => {
  const service = await startService({
    [CREATE]: [json(403, {}), json(401, {}, { "X-Service-OTP": "required" })],
  });
  const { authorizations } = clientOf(service);
  expect(await failure(authorizations.create({ kind: "own" }))).toMatchObject({
    code: "TENANCY_API_FORBIDDEN",
  });
  expect(await failure(authorizations.create({ kind: "own" }))).toMatchObject({
    code: "TENANCY_OTP_REQUIRED",
  });
});

test("where nothing listens, no token was created, so the request is sent again", async () => {
  const service = await startService({});
  await service.close();
  const attempts: number[] = [];
  const client = clientOf(service, {
    retryTimeoutMs: 300,
    onRequest: ({ attempt }) => attempts.push(attempt),
  });
  expect(await failure(client.authorizations.create({ kind: "own" }))).toMatchObject({
    code: "TENANCY_API_UNREACHABLE",
  });
  expect(attempts).toEqual([1, 2, 3]);
});

test("revoking tells a service that cannot revoke from a token that is gone", async () => {
  const service = await startService({
    "DELETE /api/authorization/ATH47": [empty(204), empty(404), json(405, { message: "no" })],
  });
  const { authorizations } = clientOf(service);
  expect(await authorizations.revoke("ATH47")).toBe("deleted");
  expect(await authorizations.revoke("ATH47")).toBe("absent");
  expect(await failure(authorizations.revoke("ATH47"))).toMatchObject({ code: "TENANCY_API_METHOD" });
});

test("the service's answer about another credential counts, and a gateway's does not", async () => {
  const service = await startService({
    "GET /api/status/authorization": [
      json(200, { account: { serial: "ACT07", name: "acme" } }),
      json(401, {}),
      json(401, {}, { "X-Service-OTP": "required" }),
      json(403, {}),
      html(401, "<title>proxy log-in</title>"),
    ],
  });
  const client = clientOf(service);
  const token = { kind: "bearer", token: "1/some-token" } as const;
  const jane = { kind: "basic", username: "jane@acme", password: "pw-of-jane" } as const;
  expect(await client.callerAs(token)).toMatchObject({ status: 200, caller: { account: { name: "acme" } } });
  expect(await client.callerAs(token)).toEqual({ status: 401 });
  expect(await client.callerAs(jane)).toEqual({ status: 401 });
  expect(await client.callerAs(token)).toEqual({ status: 403 });
  expect(await failure(client.callerAs(token))).toMatchObject({ code: "TENANCY_API_GATEWAY" });
  expect(service.requests("POST /api/oauth2/token")).toHaveLength(0);
});

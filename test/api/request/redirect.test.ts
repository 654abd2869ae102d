import { empty, json, startService } from "../../support/scripted-service";
import { clientOf, failure } from "../../support/test-client";

test("a redirect within the origin is followed, with the credentials", async () => {
  const service = await startService({
    "GET /api/account": empty(308, { location: "/api/v2/account?x=1" }),
    "GET /api/v2/account": json(200, [{}]),
  });
  expect(await clientOf(service).accounts.list()).toHaveLength(1);
  expect(service.seen.at(-1)?.headers.authorization).toMatch(/^Bearer /);
});

test("credentials never follow a redirect to another origin", async () => {
  const elsewhere = await startService({ "GET /api/account": json(200, []) });
  const service = await startService({
    "GET /api/account": empty(302, { location: `${elsewhere.url}/api/account?code=1` }),
    "POST /api/oauth2/token": empty(307, { location: `${elsewhere.url}/api/oauth2/token` }),
  });
  const token = clientOf(service, { credentials: { kind: "token", token: "1/x" } });
  expect(await failure(token.accounts.list())).toMatchObject({
    code: "TENANCY_API_REDIRECT",
    message: expect.stringContaining(elsewhere.url) as string,
  });
  expect(await failure(clientOf(service).accounts.list())).toMatchObject({ code: "TENANCY_API_REDIRECT" });
  expect(elsewhere.seen).toHaveLength(0);
});

test("a write is not repeated elsewhere, not even within the origin", async () => {
  const service = await startService({ "DELETE /api/account/x": empty(307, { location: "/api/account/y" }) });
  expect(await failure(clientOf(service).accounts.delete("x"))).toMatchObject({
    code: "TENANCY_API_REDIRECT",
  });
  expect(service.requests("DELETE /api/account/y")).toHaveLength(0);
});

test("a redirect to an address that cannot be read is an error", async () => {
  const service = await startService({ "GET /api/account": empty(302, { location: "http://[" }) });
  expect(await failure(clientOf(service).accounts.list())).toMatchObject({ code: "TENANCY_API_REDIRECT" });
});

test("redirects in a circle are given up", async () => {
  const service = await startService({ "GET /api/account": empty(301, { location: "/api/account" }) });
  expect(await failure(clientOf(service).accounts.list())).toMatchObject({ code: "TENANCY_API_REDIRECT" });
  expect(service.requests("GET /api/account")).toHaveLength(6);
});

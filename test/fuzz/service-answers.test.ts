/** A service that answers anything at all: typed errors, and never a crash, a hang, or a terminal that obeys it. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { hostileService, type Answer, type HostileService } from "../support/hostile/service";
import { expectOrderly } from "../support/hostile/sight";
import { expectCleanPrototypes, mutated, mutations, written, type Json } from "../support/hostile/values";
import { writeStack } from "../support/synthesized-app";
import { rounds } from "../support/rounds";

jest.setTimeout(rounds(600_000));

let folder: string;
let simulator: Simulator;
let service: HostileService;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hostile-"));
  writeStack(folder, STACK);
  simulator = await startSimulator({ contacts: "full", record: false });
  service = await hostileService(simulator.baseUrl);
});
afterEach(async () => {
  await service.close();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const STACK = {
  provider: { tenancy: [{ owner: "fuzz", retry_timeout: "0s", request_timeout: "5s" }] },
  variable: { vss_num: { type: "number" } },
  data: {
    tenancy_accounts: { all: {} },
    tenancy_caller: { me: {} },
    tenancy_user_profile: { me: { login: "system" } },
  },
  resource: {
    tenancy_account: {
      acme: {
        name: "acme",
        primary_contact: { company: "Acme" },
        limits_vss_num: "${var.vss_num}",
        deletion_protection: false,
      },
    },
    tenancy_user_profile: {
      jane: {
        account_id: "${tenancy_account.acme.id}",
        username: "jane",
        email: "jane@acme.example",
        sms: "+15550123456",
      },
    },
    tenancy_authorization: { own: { name: "own" } },
  },
  output: {
    account: { value: "${tenancy_account.acme.primary_contact}" },
    all: { value: "${data.tenancy_accounts.all}" },
    me: { value: "${data.tenancy_caller.me}" },
  },
};

let runs = 0;
/** A run that changes something: every second one creates, the others update. @returns the code of the error that ended it */
const run = () => {
  if (++runs % 2 === 0)
    for (const { name } of simulator.records.accounts)
      if (name === "acme") simulator.records.deleteAccount(name);
  return expectOrderly(
    { name: "prod", outdir: folder },
    {
      environment: {
        TENANCY_BASE_URL: service.baseUrl,
        TENANCY_USERNAME: simulator.username,
        TENANCY_PASSWORD: simulator.password,
        TF_VAR_vss_num: String(runs),
      },
      state: { path: join(folder, `state-${runs}.json`) },
      initState: true,
    },
  );
};

test("an honest service is no trouble", async () => {
  for (let round = 0; round < 4; round++) expect(await run()).toBeUndefined();
});

/** Each of these routes is asked for by the run. */
const ROUTES = [
  "POST /api/oauth2/token",
  "GET /api/status/authorization",
  "GET /api/account",
  "GET /api/user-profile",
  "POST /api/account",
  "POST /api/user-profile",
  "POST /api/authorization",
  "PATCH ",
  "GET /api/account/",
  "GET /api/user-profile/",
];

const altering =
  (route: string, alter: (text: string) => string) =>
  (asked: string, answer: Answer): Answer =>
    asked.startsWith(route) ? { ...answer, text: alter(answer.text) } : answer;

test("any part of any answer may be anything", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ROUTES), mutations, async (route, changes) => {
      service.alter = altering(route, (text) =>
        text === "" ? text : written(mutated(JSON.parse(text) as Json, changes)),
      );
      await run();
      expectCleanPrototypes();
    }),
    { numRuns: rounds(150) },
  );
});

test.each<[string, string]>([
  ["a list without end", "[".repeat(100_000)],
  ["lists in lists", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  [
    "objects in objects, beside a long integer",
    `${'{"a":'.repeat(50_000)}99999999999999999999${"}".repeat(50_000)}`,
  ],
  ["a text of 10 MB", JSON.stringify({ id: "x".repeat(10_000_000) })],
  ["a message of 10 MB", JSON.stringify({ message: "\u001b[31m".repeat(2_000_000) })],
  ["nothing", ""],
  ["null", "null"],
  ["a number", "1e999"],
  ["an object for a list", '{"0":{"id":"account:1:1"},"length":1}'],
  ["a list for an object", '[{"access_token":"0/x"}]'],
  ["a page", `<title>\u001b[2J${"<b>".repeat(100_000)}`],
  ["bytes that are no text", "\ufffd\u0000\u0001"],
])("every answer may be %s, whatever its status", async (_what, text) => {
  for (const status of [200, 201, 400, 401, 403, 404, 500])
    for (const route of ["POST /api/oauth2/token", "GET /api/status", "GET /api/account", "POST /api/a"]) {
      service.alter = (asked, answer) => (asked.startsWith(route) ? { ...answer, status, text } : answer);
      await run();
    }
  expectCleanPrototypes();
});

test("records that are there twice, or refer to each other in a circle, are no reason to hang", async () => {
  await run();
  for (const route of ["GET /api/account", "GET /api/user-profile"]) {
    service.alter = altering(route, (text) => {
      const list = JSON.parse(text) as Json;
      return Array.isArray(list) ? written([...list, ...list, ...list]) : text;
    });
    await run();
    service.alter = altering(route, (text) =>
      text.replaceAll(/"(account_id|admin_profile_id|id)":"[^"]*"/g, '"$1":"account:1:1"'),
    );
    await run();
  }
});

test("no header of an answer does harm", async () => {
  const header = fc.constantFrom(
    "retry-after",
    "content-type",
    "x-service-otp",
    "location",
    "etag",
    "content-encoding",
  );
  const value = fc.oneof(
    fc.constantFrom(
      "-1",
      "1e999",
      "9".repeat(300),
      "Fri, 99 Nov 9999 99:99:99 GMT",
      "gzip",
      "text/html",
      "//",
      "required",
    ),
    fc.string({ maxLength: 30 }).map((text) => encodeURIComponent(text)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROUTES),
      fc.constantFrom(200, 201, 301, 307, 308, 400, 401, 500),
      header,
      value,
      async (route, status, name, content) => {
        service.alter = (asked, answer) =>
          asked.startsWith(route) ? { status, headers: { [name]: content }, text: answer.text } : answer;
        await run();
      },
    ),
    { numRuns: rounds(60) },
  );
});

test("no redirect takes a credential, or anything else, to another origin", async () => {
  const visits: string[] = [];
  const elsewhere = createServer((request, response) => {
    visits.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const { port } = elsewhere.address() as AddressInfo;
  try {
    for (const status of [301, 302, 303, 307, 308])
      for (const route of ROUTES)
        for (const location of [
          `http://127.0.0.1:${port}/api/account`,
          `//127.0.0.1:${port}/`,
          `http://system:system@127.0.0.1:${port}`,
        ]) {
          service.alter = (asked, answer) =>
            asked.startsWith(route) ? { status, headers: { location }, text: "" } : answer;
          await run();
        }
    expect(visits).toEqual([]);
  } finally {
    elsewhere.closeAllConnections();
    elsewhere.close();
  }
});

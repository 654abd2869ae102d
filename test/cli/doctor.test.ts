/** `tenancy doctor`: covers src/cli/verbs/doctor.ts, src/engine/doctor.ts and doctor-service.ts. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { alteredService } from "../support/altered-service";
import { accounts, commandProjects } from "../support/command";

const start = commandProjects();

test("the doctor says that all is well, a line for each thing that a run depends on", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { code, stdout } = await project.tenancy(["doctor"]);
  expect(code).toBe(0);
  for (const name of ["service", "credentials", "lists", "rights", "two-factor", "state"]) {
    expect(stdout).toMatch(new RegExp(`^ {2}ok {4}${name} +\\S`, "m"));
  }
  expect(
    project.service.requests.every(({ method, path }) => method === "GET" || path === "/api/oauth2/token"),
  ).toBe(true);
});

test("a run without a state is no fault, and its tokens are", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { code, stdout } = await project.tenancy(["doctor", "--state", "none"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("none: runs keep nothing")]);
  expect(stdout).toMatch(/note +token creation +tokens are not created without a state/);
});

test("outside a project the environment says where the service is", async () => {
  const project = await start();
  const { code, stdout } = await project.tenancy(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^environment\n/);
  expect(stdout).toMatch(/^ {2}ok {4}lists +complete: 1 account, 1 user profile$/m);
});

test("what fails says what to do, what hangs on it is not tried, and the exit code tells", async () => {
  const project = await start();
  const { code, stdout } = await project.tenancy(["doctor"], {
    environment: { TENANCY_PASSWORD: "s3cret-wrong" },
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}fail {2}credentials .*\(TENANCY_\w+\)$/m);
  expect(stdout).toMatch(/^ {2}- {5}rights /m);
  expect(stdout).not.toContain("s3cret-wrong");
});

test("a provider that cannot be used is one finding, and the others are looked at all the same", async () => {
  const project = await start();
  await project.declare({
    prod: { provider: { tenancy: [{ base_url: "ftp://x" }, { alias: "second", owner: "second" }] } },
  });
  const { code, stdout } = await project.tenancy(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}fail {2}configuration .*\(TENANCY_INVALID_SETTING\)$/m);
  expect(stdout).toMatch(/^ {2}ok {4}lists +complete/m);
});

test("a service that does not answer is asked once", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const TENANCY_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout, stderr } = await project.tenancy(["doctor"], { environment: { TENANCY_BASE_URL } });
  server.close();
  expect([code, connections]).toEqual([1, 1]);
  expect(stdout).toMatch(/^ {2}fail {2}service /m);
  expect(stderr).toBe("synthesizing\nchecking tenancy\n");
});

test("without a service the doctor asks for its address", async () => {
  const project = await start({ service: false });
  const { code, stdout } = await project.tenancy(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toContain("the provider has no base_url (TENANCY_INCOMPLETE_PROVIDER)");
  expect(stdout).toContain("Set `baseUrl` in the provider, or TENANCY_BASE_URL.");
});

test.each([
  [{ status: 503, message: "maintenance" }, "says that it is not healthy: status 503", "maintenance"],
  [{ status: "ok" }, 'says that it is not healthy: status "ok"', ""],
  [{}, "answers without saying that it is healthy", ""],
])(
  "a service whose body says %j is not healthy, whatever its HTTP status is",
  async (body, said, message) => {
    const project = await start();
    const url = await alteredService(project.service.baseUrl, ({ path }, answer) =>
      path === "/api/status" ? { status: 200, body } : answer,
    );
    const { code, stdout } = await project.tenancy(["doctor"], { environment: { TENANCY_BASE_URL: url } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}fail {2}service .*\(TENANCY_API_SERVER\)$/m);
    expect(stdout).toContain(said);
    expect(stdout).toContain(message);
  },
);

test("without credentials the doctor still sees whether the service is well, and looks at the state", async () => {
  const project = await start();
  const { code, stdout } = await project.tenancy(["doctor"], {
    environment: { TENANCY_USERNAME: "", TENANCY_PASSWORD: "" },
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}ok {4}service /m);
  expect(stdout).toMatch(/^ {2}fail {2}credentials .*\(TENANCY_INCOMPLETE_PROVIDER\)$/m);
  expect(stdout).toMatch(/^ {2}- {5}rights /m);
  expect(stdout).toMatch(/^ {2}ok {4}state /m);
  expect(project.service.requests.map(({ path }) => path)).toEqual(["/api/status"]);
});

test("a user with fewer rights learns what it lacks", async () => {
  const project = await start();
  const { service } = project;
  const account = service.records.createAccount({ name: "acme", password: "password" });
  expect(account).toBeDefined();
  const { stdout } = await project.tenancy(["doctor"], {
    environment: { TENANCY_USERNAME: "acme", TENANCY_PASSWORD: "password" },
  });
  expect(stdout).toMatch(/^ {2}note {2}rights +realm\.manage_accounts is missing$/m);
  expect(stdout).toMatch(
    /^ {2}note {2}lists +perhaps not complete: 1 account, 1 user profile; the caller lacks/m,
  );
});

test("--json gives the findings to programs", async () => {
  const project = await start();
  const { stdout } = await project.tenancy(["doctor", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      provider: "environment",
      checks: [{ name: "service", outcome: "passed" }, { name: "credentials" }, {}, {}, {}, {}],
    },
  ]);
});

/** A resource family that the engine does not know by name: covers src/resources/family.ts, src/resources/record/family.ts and src/service/snapshot.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Account, Permissions, Tenant } from "tenancy";
import { resources } from "../../src/resources";
import type { Resource } from "../../src/resources/family";
import { coalescingDirectory } from "../../src/service/directory";
import type { ObjectValue } from "../../src/lib/values";
import { alteredService, type Alter } from "../support/altered-service";
import { connected, connectionTo } from "../support/connections";
import { created, refusal } from "../support/life";
import { actions, codes, findings, projects, type Build, type Project } from "../support/projects";
import { family } from "../support/virtual-disk";

// What `npm run generate` would do for a folder, and only while this file's tests run: other files share the registry.
const registry = resources as Map<string, Resource>;
beforeAll(() => void registry.set("tenancy_virtual_disk", family.resource));
afterAll(() => void registry.delete("tenancy_virtual_disk"));

const start = projects();

/** A service that has virtual disks besides. */
function diskService(disks: Map<string, ObjectValue>, calls: string[]): Alter {
  return ({ method, path, body }, answer) => {
    const [, id] = /^\/api\/vdisk(?:\/(.+))?$/.exec(path) ?? [];
    if (!path.startsWith("/api/vdisk")) {
      if (method === "DELETE") calls.push(`${method} ${path}`);
      return answer;
    }
    calls.push(`${method} ${path}`);
    if (method === "POST") {
      const serial = `VD${disks.size + 1}`;
      const made = { ...(body as ObjectValue), id: `vdisk:1:${disks.size + 1}`, serial, seq: 1, ctime: 1 };
      disks.set(made.id, made);
      return { status: 201, body: made };
    }
    if (id === undefined) return { status: 200, body: [...disks.values()] };
    const disk = disks.get(decodeURIComponent(id));
    if (disk === undefined) return { status: 404, body: { status: 404 } };
    if (method === "DELETE") disks.delete(decodeURIComponent(id));
    if (method === "PATCH") disks.set(decodeURIComponent(id), { ...disk, ...(body as ObjectValue) });
    return method === "DELETE"
      ? { status: 204, body: undefined }
      : { status: 200, body: disks.get(decodeURIComponent(id)) };
  };
}

const withDisks =
  (...capacities: readonly number[]): Build =>
  (stack) => {
    new Tenant(stack, "acme", { name: "acme", users: { jane: { permissions: Permissions.none() } } });
    capacities.forEach((capacity, index) =>
      stack.addOverride(`resource.tenancy_virtual_disk.d${index}`, {
        name: `d${index}`,
        account_id: "${tenancy_account.acme.id}",
        capacity,
      }),
    );
  };

test("a family that the engine has never heard of is planned, applied, healed and pruned like any other", async () => {
  const project = await start();
  const disks = new Map<string, ObjectValue>();
  const calls: string[] = [];
  const url = await alteredService(project.service.baseUrl, diskService(disks, calls));
  const options = { environment: { TENANCY_BASE_URL: url } };

  const made = await project.apply(withDisks(10, 20), options);
  expect(actions(made.plan)).toContain("create tenancy_virtual_disk.d1");
  expect([...disks.values()].map(({ capacity }) => capacity)).toEqual([10, 20]);
  expect(actions(await project.plan(withDisks(10, 20), options))).toEqual([]);

  expect(actions((await project.apply(withDisks(11, 20), options)).plan)).toEqual([
    "update tenancy_virtual_disk.d0",
  ]);
  const pruned = await project.apply(withDisks(11), options);
  expect(actions(pruned.plan)).toEqual(['delete tenancy_virtual_disk.undeclared["acme:d1"]']);
  expect([...disks.values()].map(({ capacity }) => capacity)).toEqual([11]);
});

test("what lives in an account is retained with it, and goes before it", async () => {
  const project = await start();
  const calls: string[] = [];
  const url = await alteredService(project.service.baseUrl, diskService(new Map(), calls));
  const options = { environment: { TENANCY_BASE_URL: url } };
  await project.apply(withDisks(10), options);
  const without: Build = (stack) => void new Account(stack, "other", { name: "other", permissions: {} });
  const retained = await project.plan(without, options);
  expect(actions(retained)).toEqual(["create tenancy_account.other"]);
  expect(retained.retained.map(({ key }) => key)).toEqual(["acme"]);

  calls.length = 0;
  await project.apply(without, { ...options, allowAccountDeletion: ["acme"], maxDeletes: 10 });
  const deleted = calls.filter((call) => call.startsWith("DELETE")).map((call) => call.split("/")[2]);
  expect(deleted).toHaveLength(3);
  expect(deleted.at(-1)).toBe("account");
});

test("a create of such a family whose answer is lost makes one object, under a uuid that proves it to be ours", async () => {
  const project = await start();
  const disks = new Map<string, ObjectValue>();
  const calls: string[] = [];
  const answer = diskService(disks, calls);
  let isLost = false;
  const url = await alteredService(project.service.baseUrl, (request, real) => {
    const altered = answer(request, real);
    if (isLost || request.method !== "POST" || request.path !== "/api/vdisk") return altered;
    isLost = true;
    return "lost";
  });
  const options = { environment: { TENANCY_BASE_URL: url } };
  await project.apply(withDisks(10), options);
  expect(isLost).toBe(true);
  expect([...disks.values()].map(({ name }) => name)).toEqual(["d0"]);
  expect(calls.filter((call) => call === "POST /api/vdisk")).toHaveLength(1);
  expect(actions(await project.plan(withDisks(10), options))).toEqual([]);
});

describe("a family whose list the service refuses", () => {
  const none = { permissions: Permissions.none() };
  const withUsers =
    (users: Readonly<Record<string, typeof none>>): Build =>
    (stack) =>
      void new Tenant(stack, "acme", { name: "acme", ...none, users });
  const withUser = withUsers({ jane: none });

  /** A service that answers the list of disks with a status. */
  async function refusing(project: Project, answer: { status: number }) {
    const calls: string[] = [];
    const whole = diskService(new Map(), calls);
    const url = await alteredService(project.service.baseUrl, (request, real) =>
      request.path === "/api/vdisk" && request.method === "GET" && answer.status !== 200
        ? { status: answer.status, body: { status: answer.status } }
        : whole(request, real),
    );
    return { options: { environment: { TENANCY_BASE_URL: url } }, calls };
  }

  test.each([403, 404, 405])("(%i) stops no run that declares nothing of it, and is told", async (status) => {
    const project = await start();
    const { options } = await refusing(project, { status });
    const { plan } = await project.apply(withUser, options);
    expect(plan.warnings).toMatchObject([{ code: "TENANCY_LIST_REFUSED", address: "provider.tenancy" }]);
    expect(plan.warnings[0]?.detail).toContain("GET /api/vdisk");
    expect(actions(await project.plan(withUser, options))).toEqual([]);
    expect(actions((await project.apply(withUsers({}), options)).plan)).toEqual([
      'delete tenancy_user_profile.undeclared["jane@acme"]',
    ]);
  });

  test("keeps its records: none is deleted or retained, since none is seen", async () => {
    const project = await start();
    const answer = { status: 200 };
    const { options, calls } = await refusing(project, answer);
    await project.apply(withDisks(10), options);
    answer.status = 403;
    calls.length = 0;
    const { plan } = await project.apply(withDisks(), options);
    expect([actions(plan), plan.retained]).toEqual([[], []]);
    expect(calls.filter((call) => !call.startsWith("GET"))).toEqual([]);
    answer.status = 200;
    expect(actions(await project.plan(withDisks(), options))).toEqual([
      'delete tenancy_virtual_disk.undeclared["acme:d0"]',
    ]);
  });

  test("keeps the accounts that its records may be in", async () => {
    const project = await start();
    const { options } = await refusing(project, { status: 403 });
    await project.apply(withUser, options);
    const reckless = { ...options, allowAccountDeletion: true, allowNonempty: true, maxDeletes: 99 };
    expect(codes(await findings(project.plan(() => undefined, reckless)))).toEqual([
      "TENANCY_INCOMPLETE_LISTS",
    ]);
    expect(codes(await findings(project.plan(withUser, { ...reckless, destroy: true })))).toEqual([
      "TENANCY_INCOMPLETE_LISTS",
    ]);
  });

  test("keeps an account with users of others, too, whatever is permitted", async () => {
    const project = await start();
    const { options } = await refusing(project, { status: 403 });
    await project.apply(withUser, options);
    project.service.records.createProfile("acme", { username: "eve" });
    const reckless = { ...options, allowAccountDeletion: true, allowNonempty: true, maxDeletes: 99 };
    expect(codes(await findings(project.plan(() => undefined, reckless)))).toEqual([
      "TENANCY_INCOMPLETE_LISTS",
    ]);
  });

  test("is an error where something of it is declared", async () => {
    const project = await start();
    const { options } = await refusing(project, { status: 404 });
    const all = await findings(project.plan(withDisks(10), options));
    expect(all.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "TENANCY_API_NOT_FOUND", address: "tenancy_virtual_disk.d0" },
    ]);
  });

  test("stops a run where the service is down, and so do accounts that are refused", async () => {
    const project = await start();
    const { options } = await refusing(project, { status: 401 });
    expect((await findings(project.plan(withUser, options))).length).toBeGreaterThan(0);
    const other = await start();
    other.service.fail({ path: "/api/account", status: 403, times: 9 });
    expect((await findings(other.plan(withUser))).length).toBeGreaterThan(0);
  });
});

test("under Terraform such a family is imported by id or key, foreseen, and read with ten single reads and one list", async () => {
  const { simulator } = await connected();
  const { id: account } = simulator.records.createAccount({ name: "acme" });
  const calls: string[] = [];
  const url = await alteredService(simulator.baseUrl, diskService(new Map(), calls));
  const resource = family.resource;
  const listers = new Map([["virtual_disk", resource.inventory]]);
  const connect = () => {
    const connection = connectionTo(url);
    const directory = coalescingDirectory(connection.client, { caller: "system", listers });
    return { ...connection, directory };
  };

  const connection = connect();
  const config = (name: string) => ({ name, account_id: account, capacity: 5 });
  const states: ObjectValue[] = [];
  for (let disk = 0; disk < 12; disk++)
    states.push((await created(resource, connection, config(`d${disk}`))).state);
  expect(await resource.checkBeforeCreate!(connection, config("d3"))).toMatchObject([
    { code: "TENANCY_UNMANAGED", severity: "warning" },
  ]);
  for (const id of ["acme:d3", states[3]?.["id"] as string])
    expect((await resource.import!(connection, id)).state).toMatchObject({ name: "d3", capacity: 5 });
  expect(await refusal(resource.import!(connection, "acme:d12"))).toMatchObject([
    { code: "TENANCY_NO_SUCH_OBJECT" },
  ]);

  calls.length = 0;
  const later = connect();
  const read = await Promise.all(states.map((state) => resource.read(later, state)));
  expect(read.map((outcome) => outcome?.state["name"])).toEqual(states.map(({ name }) => name));
  expect(calls.filter((call) => call === "GET /api/vdisk")).toHaveLength(1);
  expect(calls).toHaveLength(11);
});

test("the contributor's guide shows this very family", () => {
  const read = (path: string) => readFileSync(join(__dirname, "../..", path), "utf8");
  const source = read("test/support/virtual-disk.ts");
  const [, code = ""] = /(const virtualDisk[\s\S]*)/.exec(source) ?? [];
  expect(read("docs/manual/contributing/recipes.md")).toContain(code);
});

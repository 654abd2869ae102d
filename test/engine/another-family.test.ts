/** A resource family that the engine does not know by name: covers src/resources/family.ts and src/resources/record/family.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Account, Permissions, Tenant } from "cdktf-provider-tenancy";
import type { Client } from "../../src/api";
import { resources } from "../../src/resources";
import type { Resource } from "../../src/resources/family";
import { coalescingDirectory } from "../../src/service/directory";
import type { ObjectValue } from "../../src/values";
import { alteredService, type Alter } from "../support/altered-service";
import { connected, connectionTo } from "../support/connections";
import { created, refusal } from "../support/life";
import { actions, projects, type Build } from "../support/projects";
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
      const made = { ...(body as ObjectValue), id: `vdisk:1:${disks.size + 1}`, seq: 1 };
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

test("under Terraform such a family is imported by id or key, foreseen, and read with ten single reads and one list", async () => {
  const { simulator } = await connected();
  const { id: account } = simulator.records.createAccount({ name: "acme" });
  const calls: string[] = [];
  const url = await alteredService(simulator.baseUrl, diskService(new Map(), calls));
  const resource = family.resource;
  const listers = new Map([["virtual_disk", (client: Client) => resource.inventory.list(client)]]);
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
  expect(await resource.foresee!(connection, config("d3"))).toMatchObject([
    { code: "TENANCY_ALREADY_LIVE", severity: "warning" },
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
  expect(read("docs/contributing.md")).toContain(code);
});

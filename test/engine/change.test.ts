/** What the change of a declared object tells, and when lists are read again during an apply. */
import type { StatePart } from "../../src/state";
import { TerraformVariable } from "cdktf";
import { Permissions, Secret, Tenant } from "tenancy";
import { readingClock } from "../../src/api";
import { idsToDelete, type Prune, undeclaredAddress } from "../../src/engine/change";
import {
  namedTarget,
  managedIn,
  type ReadTarget,
  type WriteTargets,
  WriteTarget,
  writeTargetFor,
} from "../../src/engine/target";
import type { Resource } from "../../src/resources/family";
import type { Snapshot } from "../../src/service";
import { connected } from "../support/connections";
import { changeAt, projects, type Build } from "../support/projects";

const start = projects();
const ADDRESS = "tenancy_user_profile.acme_csi";

const build: Build = (stack) => {
  const users = { csi: { permissions: Permissions.none(), email: "csi@acme.example" } };
  new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
};

test("of a new object: no state before, and each attribute that gets a value", async () => {
  const project = await start();
  const change = changeAt(await project.plan(build), ADDRESS);
  expect(change).toMatchObject({ action: "create", address: ADDRESS, before: null, provider: "tenancy" });
  expect([change.claim, change.reason, change.observedRecord, change.importId]).toEqual(
    Array(4).fill(undefined),
  );
  expect([change.replacedBy, change.notes]).toEqual([[], []]);
  expect(change.attributes).toContainEqual(
    expect.objectContaining({ path: ["email"], before: null, after: "csi@acme.example" }),
  );
  expect([...(change.declared ?? [])]).toEqual(expect.arrayContaining(["email", "permissions", "username"]));
});

test("of an unchanged object: one state, which is live, and nothing that changes", async () => {
  const project = await start();
  await project.apply(build);
  const change = changeAt(await project.plan(build), ADDRESS);
  const { before } = change;
  expect(change).toMatchObject({ action: "none", key: "csi@acme", title: "csi@acme", claim: "managed" });
  expect(before).toMatchObject({ login: "csi@acme", email: "csi@acme.example" });
  expect([change.before, change.after]).toEqual([before, before]);
  expect(change.before).toBe(before);
  expect(Object.isFrozen(before)).toBe(true);
  expect([change.attributes, change.replacedBy, change.notes, change.reason]).toEqual([
    [],
    [],
    [],
    undefined,
  ]);
});

test("whatever becomes of an object, its change has what its declaration says of it", async () => {
  const project = await start();
  /** The user, with a password that must not be shown. */
  const hiding =
    (version: number, importFrom?: string): Build =>
    (stack) => {
      const hidden = new TerraformVariable(stack, "hidden", {
        type: "string",
        default: "pw-of-csi",
        sensitive: true,
      });
      const password = Secret.of(hidden, { version });
      const users = { csi: { permissions: Permissions.none(), password } };
      const acme = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
      if (importFrom !== undefined) acme.user("csi").importFrom(importFrom);
    };
  const changeOf = async (declared: Build) => changeAt(await project.plan(declared), ADDRESS);
  await project.apply(hiding(1));
  const unchanged = await changeOf(hiding(1, "csi@acme"));
  const updated = await changeOf(hiding(2, "csi@acme"));
  project.service.records.deleteProfile("csi@acme");
  const created = await changeOf(hiding(1));

  for (const change of [unchanged, updated, created]) {
    const { address, constructPath, provider, key, title, sensitive, description } = change;
    expect([address, constructPath, provider]).toEqual([ADDRESS, "prod/acme/users/csi/Resource", "tenancy"]);
    expect([key, title, description.name]).toEqual(["csi@acme", "csi@acme", "user_profile"]);
    expect(sensitive).toEqual([["password_wo"]]);
  }
  expect([unchanged, updated, created].map(({ action }) => action)).toEqual(["none", "update", "create"]);
  expect([unchanged, updated, created].map(({ importId }) => importId)).toEqual([
    "csi@acme",
    "csi@acme",
    undefined,
  ]);
  expect(unchanged.observedRecord?.id).toBe(updated.observedRecord?.id);
});

test("a family that has no inventory manages nothing", () => {
  expect(managedIn({} as Snapshot, {} as StatePart)({ kind: "token" } as Resource)).toEqual([]);
  const mine = [{ key: "acme" }];
  const inventory = { managed: () => mine };
  expect(managedIn({} as Snapshot, {} as StatePart)({ inventory } as unknown as Resource)).toBe(mine);
});

test("what goes is known by the ids that were read", () => {
  const prune = (id: string) => ({ change: { observedRecord: { id } } }) as Prune;
  expect([...idsToDelete([prune("account:1:9"), prune("user_profile:1:9")])]).toEqual([
    "account:1:9",
    "user_profile:1:9",
  ]);
});

describe("during an apply", () => {
  /** A target to write to, and how often its list of accounts was read. */
  async function writing() {
    const { simulator, connection } = await connected();
    const writeTarget = new WriteTarget({ target: {} as never, connection }, {} as never);
    const reads = () => simulator.requests.filter(({ path }) => path === "/api/account").length;
    return { simulator, writeTarget, reads };
  }

  const namesIn = (lists: Snapshot) => lists.listOf("account").records.map((record) => record["name"]);

  test("all who ask at once share a reading, and so does who asks while it is young enough", async () => {
    const { simulator, writeTarget, reads } = await writing();
    const [first, second] = await Promise.all([writeTarget.lists(60_000), writeTarget.lists(60_000)]);
    simulator.records.createAccount({ name: "acme" });
    expect(second).toBe(first);
    expect(await writeTarget.lists(60_000)).toBe(first);
    // As old as the process is; what was read is younger.
    expect(await writeTarget.lists(readingClock())).toBe(first);
    expect(reads()).toBe(1);
  });

  test("a reading that is too old is made again, and shows what has come since", async () => {
    const { simulator, writeTarget, reads } = await writing();
    const names = async (maxAge: number) => namesIn(await writeTarget.lists(maxAge));
    expect(await names(60_000)).toEqual(["system"]);
    simulator.records.createAccount({ name: "acme" });
    expect(await names(-1)).toEqual(["system", "acme"]);
    expect(reads()).toBe(2);
    expect(await names(60_000)).toEqual(["system", "acme"]);
    expect(reads()).toBe(2);
  });

  test("a reading that failed is not kept, and does not end a later one", async () => {
    const { simulator, writeTarget } = await writing();
    simulator.fail({ path: "/api/account", status: 403 });
    const failing = writeTarget.lists(60_000);
    const later = writeTarget.lists(-1);
    await expect(failing).rejects.toThrow();
    const lists = await later;
    expect(namesIn(lists)).toEqual(["system"]);
    expect(await writeTarget.lists(60_000)).toBe(lists);

    simulator.fail({ path: "/api/account", status: 403 });
    await expect(writeTarget.lists(-1)).rejects.toThrow();
    expect(await writeTarget.lists(60_000)).not.toBe(lists);
  });

  test("a provider that was not opened is a fault of the program", async () => {
    const { writeTarget } = await writing();
    const targets: WriteTargets = new Map([["tenancy", writeTarget]]);
    expect(writeTargetFor(targets, "tenancy")).toBe(writeTarget);
    expect(() => writeTargetFor(targets, "tenancy.eu")).toThrow(new TypeError("tenancy.eu was not opened"));
  });
});

describe("a provider configuration", () => {
  const EU = "https://eu.example";
  const target = (provider: string, origin: string) =>
    ({
      provider,
      origin,
      caller: "deployer@ops",
    }) as unknown as ReadTarget;
  const first = target("tenancy", EU);

  test("is named by provider, service and caller", () => {
    const facts = { origin: EU, caller: "deployer@ops" };
    expect(namedTarget(first)).toEqual({ provider: "tenancy", ...facts });
  });
});

test("the address of an undeclared object holds its key as a text of the language", () => {
  expect(undeclaredAddress("tenancy_authorization", 'csi@acme/"prod"')).toBe(
    'tenancy_authorization.undeclared["csi@acme/\\"prod\\""]',
  );
});

import { Account, UserProfile } from "tenancy";
import { type TokenEntry, EntryList, tokenKind } from "../../../src/state/entries";
import { readPlans, savePlan } from "../../../src/engine";
import { unmanagedUsers, renames, withActiveCounts } from "../../../src/engine/diff/plan-remarks";
import type { Prune } from "../../../src/engine/change";
import type { PlannedObject } from "../../../src/engine/planned-object";
import type { ReadTarget } from "../../../src/engine/target";
import type { Plan } from "../../../src/plan";
import { jsonPlan, planEvents } from "../../../src/render/json";
import { planText } from "../../../src/render/text";
import { plain } from "../../../src/render/text/paint";
import { resources } from "../../../src/resources";
import { Snapshot } from "../../../src/service";
import { csiToken } from "../../state/samples";
import { refusal } from "../../support/life";
import { type Build, projects, tenant, together } from "../../support/projects";

const start = projects();

const textOf = (plan: Plan) => planText(plan, plain);

test("a profile that somebody else made in an account of ours shows, with what it may do", async () => {
  const project = await start();
  await project.apply(tenant("acme", ["jane"]));
  const eve = project.service.records.createProfile("acme", { username: "eve" });
  const plan = await project.plan(tenant("acme", ["jane"]));
  expect(plan.unmanagedUsers).toMatchObject([
    { key: "eve@acme", id: eve.id, preset: "account_admin", active: true },
  ]);
  expect(textOf(plan)).toContain(`Unmanaged
    eve@acme                              39 rights (destructive, privileged); account_admin; no stack declares this user
`);
  expect(jsonPlan(plan).tenancy.unmanaged_users).toMatchObject([
    { key: "eve@acme", marks: ["destructive", "privileged"] },
  ]);
});

test("neither primary profiles, nor declared users, nor users that are deleted or in accounts of others are told as not declared", async () => {
  const project = await start();
  await project.apply(tenant("acme", ["jane", "joe"]));
  project.service.records.createAccount({ name: "initech" });
  project.service.records.createProfile("initech", { username: "peter" });
  expect((await project.plan(tenant("acme", ["jane"]))).unmanagedUsers).toEqual([]);
});

test("a tenant that left and is retained is told with the users that still work, and nothing looks finished", async () => {
  const project = await start();
  await project.apply(together(tenant("acme"), tenant("initech", ["peter", "milton"])));
  const plan = await project.plan(tenant("acme"));
  expect(plan.retained).toMatchObject([{ key: "initech", users: 3, tokens: 0 }]);
  const text = textOf(plan);
  expect(text).toContain("3 users of it still work");
  expect(text).toContain(
    "No changes. Objects that are not in the code still exist, and their users and tokens still work.",
  );
  expect(text).not.toContain("match the declaration");
});

test("of what is retained, neither a user who is deactivated counts as working, nor anybody in a disabled account", async () => {
  const project = await start();
  const initech = tenant("initech", ["peter", "milton"], { tokens: { fax: { user: "peter" } } });
  await project.apply(together(tenant("acme"), initech));
  const { records } = project.service;
  records.patchProfile("milton@initech", { activated: false });
  expect((await project.plan(tenant("acme"))).retained).toMatchObject([{ users: 2, tokens: 1 }]);
  records.patchAccount("initech", { disabled: true });
  expect((await project.plan(tenant("acme"))).retained).toMatchObject([{ users: 0, tokens: 0 }]);
});

test("a profile that somebody else made is told as inactive while it is deactivated, or its account is disabled", async () => {
  const project = await start();
  await project.apply(tenant("acme"));
  const { records } = project.service;
  const isActive = async () =>
    (await project.plan(tenant("acme"))).unmanagedUsers.map(({ active }) => active);
  records.createProfile("acme", { username: "eve" });
  records.patchProfile("eve@acme", { activated: false });
  expect(await isActive()).toEqual([false]);
  records.patchProfile("eve@acme", { activated: true });
  expect(await isActive()).toEqual([true]);
  records.patchAccount("acme", { disabled: true });
  expect(await isActive()).toEqual([false]);
});

test("of several accounts that left, retained or deleted, the one with most of the same users looks renamed", async () => {
  const project = await start();
  const stays = tenant("stays", ["a", "b", "c", "d", "e", "f"]);
  await project.apply(together(tenant("first", ["jane"]), tenant("second", ["joe", "jim"]), stays));
  const later = together(stays, tenant("third", ["jane", "joe", "jim"]), tenant("fourth", ["kim"]));
  const renamed = [expect.objectContaining({ from: "second", to: "third" })];
  const retaining = await project.plan(later);
  expect(retaining.retained).toHaveLength(2);
  expect(retaining.renames).toEqual(renamed);
  const deleting = await project.plan(later, { allowAccountDeletion: true, maxDeletes: 9 });
  expect(deleting.retained).toEqual([]);
  expect(deleting.renames).toEqual(renamed);
});

test("an account that left and one that came with the same users look like a rename, and the storage stays behind", async () => {
  const project = await start();
  await project.apply(together(tenant("acme", ["jane"]), tenant("other", ["joe"])));
  const plan = await project.plan(together(tenant("acme-storage", ["jane"]), tenant("other", ["joe"])));
  expect(plan.renames).toMatchObject([{ from: "acme", to: "acme-storage" }]);
  expect(textOf(plan)).toContain("acme -> acme-storage");
  expect(textOf(plan)).toContain("the storage stays behind in acme");
  expect(jsonPlan(plan).tenancy.renames).toHaveLength(1);
  expect(
    (await project.plan(together(tenant("acme"), tenant("other"), tenant("third", ["kim"])))).renames,
  ).toEqual([]);
});

test("--allow-nonempty lists who ceases with an account: users of others, with what they lose", async () => {
  const project = await start();
  const free = tenant("acme", ["jane"], { deletionProtection: false });
  await project.apply(together(free, tenant("rest", ["a", "b", "c", "d", "e"])));
  project.service.records.createProfile("acme", { username: "eve" });
  const plan = await project.plan(tenant("rest", ["a", "b", "c", "d", "e"]), {
    allowAccountDeletion: true,
    allowNonempty: true,
  });
  expect(plan.deletedWithAccount).toMatchObject([{ key: "eve@acme", claim: "unmanaged" }]);
  expect(plan.changes.map(({ key }) => key)).not.toContain("eve@acme");
  const text = textOf(plan);
  expect(text).toContain("eve@acme · goes with its account · unmanaged");
  expect(text).toMatch(/ {2}- eve@acme +loses/);
  expect(text).toContain("acme · no longer declared · with its primary user profile");
  expect(jsonPlan(plan).tenancy.deleted_with_account).toMatchObject([{ key: "eve@acme" }]);
  // Whoever ceases is counted, wherever deletes are.
  expect(plan.summary.delete).toBe(3);
  // The limit counts the account's primary user profile, too: the plan says as many.
  expect(text).toContain("3 to delete, 4 records deleted in total.");
  expect(jsonPlan(plan).tenancy.deleted_records).toBe(4);
  const options = { allowAccountDeletion: true, allowNonempty: true, maxDeletes: 3 };
  expect(await refusal(project.plan(tenant("rest", ["a", "b", "c", "d", "e"]), options))).toMatchObject([
    { code: "TENANCY_TOO_MANY_DELETES", summary: expect.stringContaining("4 records") as string },
  ]);
  const events = planEvents(plan, new Date(0));
  expect(events.filter(({ type }) => type === "planned_change")).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ type: "change_summary", changes: { remove: 3 } });
  const [saved] = readPlans(savePlan(plan)).map((one) => one.plan);
  expect(saved?.summary).toEqual(plan.summary);
});

test("a tenant without permissions, and a user without, are told with the rights of the service's default", async () => {
  const project = await start();
  const bare: Build = (stack) => {
    const acme = new Account(stack, "acme", { name: "acme" });
    new UserProfile(stack, "jane", { username: "jane", accountId: acme.id });
  };
  const before = await project.plan(bare);
  expect(before.access.map(({ who, rights, effect }) => [who, rights, effect])).toEqual([
    ["acme", "account_admin", "grants"],
    ["jane@acme", "account_admin", "grants"],
  ]);
  await project.apply(bare);
  const after = await project.plan(bare);
  expect(after.access.map(({ who, rights, effect }) => [who, rights, effect])).toEqual([
    ["acme", "account_admin", "stays"],
    ["jane@acme", "account_admin", "stays"],
  ]);
  expect(textOf(after)).toContain("39 undeclared rights");
});

test("of a contact the plan tells what is declared, and not what the service will choose", async () => {
  const project = await start();
  const plan = await project.plan((stack) => {
    const other = new Account(stack, "other", { name: "other", permissions: {} });
    const primaryContact = { company: "Acme", address: { city: other.id } };
    new Account(stack, "acme", { name: "acme", permissions: {}, primaryContact });
  });
  const text = textOf(plan);
  expect(text).toMatch(/primary_contact\.company +"Acme"/);
  expect(text).toMatch(/primary_contact\.address\.city +\(known after apply\)/);
  expect(text).not.toContain("first_name");
  expect(text).not.toContain("address.street");
  expect(text).not.toContain("primary_contact.phone");
});

// The same without a whole run.

const ACCOUNT = "tenancy_account";
const PROFILE = "tenancy_user_profile";
const [HERE, ELSEWHERE] = ["https://storage.example", "https://other.example"];

interface Service {
  readonly provider?: string;
  readonly origin?: string;
  /** Names of accounts with their users, and what is particular of these; each account has a primary user of its name. */
  readonly accounts: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Names of disabled accounts. */
  readonly disabled?: readonly string[];
  readonly tokens?: readonly TokenEntry[];
}

/** A service, as a plan has read it: the account acme has the id `account:acme`, and its user jane `user:jane@acme`. */
function targetOf(service: Service): ReadTarget {
  const { provider = "tenancy", origin = HERE, accounts, disabled = [], tokens = [] } = service;
  const names = Object.keys(accounts);
  const user = (account: string, login: string, more: object = {}) => ({
    id: `user:${login}`,
    login,
    account_id: `account:${account}`,
    ...more,
  });
  return {
    provider,
    origin,
    owners: { current: "acme-platform" },
    snapshot: new Snapshot({
      accounts: names.map((name) => ({
        id: `account:${name}`,
        name,
        admin_profile_id: `user:${name}`,
        disabled: disabled.includes(name),
      })),
      profiles: Object.entries(accounts).flatMap(([account, users]) => [
        user(account, account),
        ...Object.entries(users).map(([name, more]) => user(account, `${name}@${account}`, more)),
      ]),
      caller: {},
      callerProfile: undefined,
    }),
    part: {
      tokens: new EntryList(
        new Map(tokens.map((token) => [tokenKind.keyOf(token), token])),
        tokenKind,
        () => undefined,
      ),
    },
  } as never;
}

const idOf = (type: string, key: string) => `${type === ACCOUNT ? "account" : "user"}:${key}`;

/** A declared account or user; one that is created has not been seen. */
function object(target: ReadTarget, type: string, key: string, action = "none"): PlannedObject {
  const observedRecord = action === "create" ? undefined : { id: idOf(type, key) };
  const description = { type };
  const facts = { action, key, title: `<${key}>`, address: `${type}.${key}`, provider: target.provider };
  return {
    target,
    resource: resources.get(type),
    config: type === PROFILE ? { username: key.split("@")[0] } : { name: key },
    change: { ...facts, description, observedRecord },
  } as never;
}

function prune(target: ReadTarget, type: string, key: string, reason = "undeclared"): Prune {
  const change = { provider: target.provider, key, reason, observedRecord: { id: idOf(type, key) } };
  return { target, resource: resources.get(type), change } as never;
}

describe("who is told as not declared", () => {
  const privileged = { permissions: { realm: { rights: { can_switch_user: true, manage_accounts: true } } } };
  const acme = targetOf({ accounts: { acme: { eve: privileged, jane: {} }, initech: { peter: {} } } });
  const keys = (...given: Parameters<typeof unmanagedUsers>) =>
    unmanagedUsers(...given).map(({ key }) => key);

  test("has the dangers of all rights, the worse one first", () => {
    const [eve] = unmanagedUsers([object(acme, ACCOUNT, "acme"), object(acme, PROFILE, "jane@acme")], []);
    expect(eve).toEqual({
      type: PROFILE,
      key: "eve@acme",
      id: "user:eve@acme",
      origin: HERE,
      rights: ["realm.can_switch_user", "realm.manage_accounts"],
      preset: null,
      marks: ["destructive", "privileged"],
      active: true,
    });
  });

  test("is in a declared account that is live, once, and is neither declared nor ours", () => {
    const account = object(acme, ACCOUNT, "acme");
    expect(keys([account, object(acme, ACCOUNT, "third", "create")], [])).toEqual(["eve@acme", "jane@acme"]);
    expect(keys([account, account], [[HERE, "user:eve@acme"]])).toEqual(["jane@acme"]);
    expect(keys([object(acme, PROFILE, "jane@acme")], [])).toEqual([]);
  });

  test("is told of each service by itself, though the same id is known at another one", () => {
    const other = targetOf({ provider: "tenancy.other", origin: ELSEWHERE, accounts: { acme: { eve: {} } } });
    const declared = [object(acme, ACCOUNT, "acme"), object(acme, PROFILE, "eve@acme")];
    const found = unmanagedUsers(
      [...declared, object(other, ACCOUNT, "acme")],
      [[ELSEWHERE, "user:jane@acme"]],
    );
    expect(found.map(({ key, origin }) => `${key} ${origin}`)).toEqual([
      `jane@acme ${HERE}`,
      `eve@acme ${ELSEWHERE}`,
    ]);
  });
});

describe("what is retained", () => {
  const retained = (type: string, key: string) => ({ type, key, id: idOf(type, key), reason: "it stays" });
  const token = (login: string, name: string, previous: TokenEntry["previous"]): TokenEntry => ({
    ...csiToken,
    login,
    name,
    previous,
  });
  const [first] = csiToken.previous;
  const tokens = [
    token("jane@acme", "laptop", [first!, first!]),
    token("jane@acme", "desk", []),
    token("acme", "robot", []),
    token("joe@acme", "fax", [first!]),
  ];
  const accounts = { acme: { jane: {}, joe: { activated: false }, jim: { activated: true } }, initech: {} };
  const told = (type: string, key: string, target: ReadTarget) =>
    withActiveCounts([retained(type, key)], target)[0];

  test("is told with the users who work, and with their tokens, the previous ones too", () => {
    const target = targetOf({ origin: ELSEWHERE, accounts, tokens });
    const facts = { origin: ELSEWHERE, reason: "it stays" };
    expect(told(ACCOUNT, "acme", target)).toMatchObject({ ...facts, users: 3, tokens: 5 });
    expect(told(PROFILE, "jane@acme", target)).toMatchObject({ ...facts, users: 1, tokens: 4 });
    expect(told(PROFILE, "joe@acme", target)).toMatchObject({ ...facts, users: 0, tokens: 0 });
  });

  test("works not at all while its account is disabled", () => {
    const target = targetOf({ accounts, tokens, disabled: ["acme"] });
    expect(told(ACCOUNT, "acme", target)).toMatchObject({ users: 0, tokens: 0 });
    expect(told(PROFILE, "jane@acme", target)).toMatchObject({ users: 0, tokens: 0 });
    expect(told(ACCOUNT, "initech", target)).toMatchObject({ users: 1, tokens: 0 });
  });

  test("is told as it is where it is no account and no user, or is seen nowhere", () => {
    const kept = {
      type: "tenancy_authorization",
      key: "jane@acme/laptop",
      id: "authorization:1:7",
      reason: "",
    };
    const target = targetOf({ origin: ELSEWHERE, accounts, tokens });
    expect(withActiveCounts([kept], target)).toEqual([{ ...kept, origin: ELSEWHERE }]);
    for (const [type, key] of [
      [ACCOUNT, "third"],
      [PROFILE, "jane@third"],
    ] as const)
      expect(told(type, key, target)).toEqual({ ...retained(type, key), origin: ELSEWHERE });
  });
});

describe("an account that came and one that left", () => {
  const here = targetOf({
    accounts: { one: { a: {} }, two: { b: {}, c: {} }, three: { c: {} }, acme: {}, stays: { a: {}, b: {} } },
  });
  const there = targetOf({ provider: "tenancy.there", origin: ELSEWHERE, accounts: { one: { a: {} } } });
  const came = (account: string, ...users: readonly string[]) => [
    object(here, ACCOUNT, account, "create"),
    ...users.map((user) => object(here, PROFILE, `${user}@${account}`, "create")),
  ];
  const left = (...names: readonly string[]) => names.map((name) => prune(here, ACCOUNT, name));
  const kept = (type: string, key: string, origin = HERE) => ({
    ...{ type, key, id: idOf(type, key), reason: "it stays" },
    origin,
  });

  interface Found {
    readonly objects: readonly PlannedObject[];
    readonly prunes?: readonly Prune[];
    readonly retained?: Parameters<typeof renames>[0]["retained"];
  }
  const found = ({ objects, prunes = [], retained = [] }: Found) =>
    renames({ targets: [here, there], objects, prunes, retained }).map(({ from, to }) => `${from} ${to}`);

  test("look like a rename where they are the only ones, and otherwise by the users that they share", () => {
    expect(found({ objects: came("new", "x"), prunes: left("one") })).toEqual(["one <new>"]);
    expect(found({ objects: came("new", "x"), retained: [kept(ACCOUNT, "one")] })).toEqual(["one <new>"]);
    expect(found({ objects: came("new", "x"), prunes: left("one", "two") })).toEqual([]);
    expect(found({ objects: [...came("new"), ...came("newer")], prunes: left("one") })).toEqual([]);
    expect(found({ objects: [...came("new"), ...came("newer", "a")], prunes: left("one") })).toEqual([
      "one <newer>",
    ]);
    expect(found({ objects: came("new") })).toEqual([]);
  });

  test.each([
    ["two", "one", "three"],
    ["one", "two", "three"],
    ["one", "three", "two"],
  ])("are those that share most of their users, in whatever order they left: %s, %s, %s", (...names) => {
    expect(found({ objects: came("new", "a", "b", "c"), prunes: left(...names) })).toEqual(["two <new>"]);
  });

  test("are told with the id of the one, and with the title and address of the other", () => {
    const given = { targets: [here], objects: came("new"), prunes: left("one"), retained: [] };
    expect(renames(given)).toEqual([
      { from: "one", id: "account:one", to: "<new>", address: "tenancy_account.new" },
    ]);
  });

  test("are no accounts that stay, are removed on purpose, or are of another family", () => {
    const objects = came("new", "a", "b");
    expect(found({ objects, prunes: [prune(here, ACCOUNT, "one", "removed")] })).toEqual([]);
    expect(found({ objects, prunes: [prune(here, PROFILE, "a@stays")] })).toEqual([]);
    expect(found({ objects, retained: [kept(PROFILE, "a@stays")] })).toEqual([]);
    const changed = ["update", "none"].map((action) => object(here, ACCOUNT, "stays", action));
    expect(found({ objects: changed, prunes: left("one") })).toEqual([]);
    const joined = object(here, PROFILE, "a@stays", "create");
    expect(found({ objects: [joined, ...changed], prunes: left("one") })).toEqual([]);
  });

  test("share no users with others of theirs: those who join another account, or have stayed where names end alike", () => {
    const joining = object(here, PROFILE, "a@stays", "create");
    const staying = object(here, PROFILE, "a@old@new", "none");
    const objects = [...came("new", "b"), joining, staying];
    expect(found({ objects, prunes: left("one", "two") })).toEqual(["two <new>"]);
    expect(found({ objects: [...came("new"), joining, staying], prunes: left("one", "two") })).toEqual([]);
  });

  test("share no user with the primary one, who has the account's name", () => {
    expect(found({ objects: came("new", "acme"), prunes: left("acme", "two") })).toEqual([]);
  });

  test("are at one service", () => {
    const objects = came("new", "a");
    expect(found({ objects, prunes: [prune(there, ACCOUNT, "one")] })).toEqual([]);
    expect(found({ objects, retained: [kept(ACCOUNT, "one", ELSEWHERE)] })).toEqual([]);
    const others = [object(there, ACCOUNT, "new", "create"), object(there, PROFILE, "a@new", "create")];
    expect(found({ objects: [...others, ...came("new", "b")], prunes: left("one", "two") })).toEqual([
      "two <new>",
    ]);
    expect(found({ objects: others, prunes: left("one") })).toEqual([]);
  });
});
